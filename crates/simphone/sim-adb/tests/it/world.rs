//! A phone in a test, and a client that talks to it.

use std::sync::Arc;
use std::time::Duration;

use adb::client::direct::{DirectLink, Timeouts};
use adb::key::Key;
use adb::{Output, Phone};
use driver_sim::{SimOptions, Start};
use sim_adb::{AdbPhone, Daemon, Options};

pub(crate) const SHOP: &str = "com.example.shop";
pub(crate) const FORMS: &str = "com.example.forms";
pub(crate) const SETTINGS: &str = "com.android.settings";

/// A phone with a client.
pub(crate) struct World {
    pub(crate) adb_phone: AdbPhone,
    pub(crate) address: String,
    pub(crate) phone: Phone,
}

/// Options of a phone whose screen counts as still at once.
pub(crate) fn quick() -> Options {
    Options {
        idle: Duration::ZERO,
        ..Options::default()
    }
}

/// Options of a phone that begins in an app.
pub(crate) fn in_app(package: &str) -> Options {
    Options {
        sim: SimOptions {
            start: Start::App(package.to_owned()),
            ..SimOptions::default()
        },
        ..quick()
    }
}

/// A phone that is served, and where.
pub(crate) async fn serve(options: Options) -> (AdbPhone, String) {
    let daemon = Daemon::bind(options).await.unwrap();
    let (adb_phone, address) = (daemon.adb_phone(), daemon.address().to_string());
    tokio::spawn(daemon.run());
    (adb_phone, address)
}

pub(crate) async fn connect(address: &str) -> adb::Result<Phone> {
    let no_key = || -> adb::Result<Key> { panic!("the phone wants no key") };
    let link = DirectLink::connect(address, no_key, Timeouts::default()).await?;
    Ok(Phone::new(Arc::new(link)))
}

impl World {
    pub(crate) async fn with(options: Options) -> Self {
        let (adb_phone, address) = serve(options).await;
        let phone = connect(&address).await.unwrap();
        Self {
            adb_phone,
            address,
            phone,
        }
    }

    pub(crate) async fn app(package: &str) -> Self {
        Self::with(in_app(package)).await
    }

    pub(crate) async fn run(&self, command: &str) -> Output {
        self.phone
            .shell(command)
            .await
            .unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// The output of a command that goes well and complains of nothing.
    pub(crate) async fn out(&self, command: &str) -> String {
        let output = self.run(command).await;
        assert_eq!(
            (
                output.status,
                String::from_utf8_lossy(&output.stderr).as_ref()
            ),
            (0, ""),
            "{command}: {}",
            output.text()
        );
        output.text()
    }

    /// A command says exactly this.
    pub(crate) async fn says(&self, command: &str, said: &str) {
        assert_eq!(self.out(command).await, said, "{command}");
    }

    /// A command says this among other things.
    pub(crate) async fn finds(&self, command: &str, part: &str) {
        let said = self.out(command).await;
        assert!(said.contains(part), "{command}: {said}");
    }

    /// A dump of the screen.
    pub(crate) async fn dump(&self) -> String {
        let bytes = self.phone.exec("uiautomator dump /dev/tty").await.unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (xml, rest) = text
            .split_once("</hierarchy>")
            .unwrap_or_else(|| panic!("no dump: {text}"));
        assert_eq!(rest, "UI hierchary dumped to: /dev/tty\n");
        format!("{xml}</hierarchy>")
    }

    /// The middle of the first node in a dump of which one attribute is this.
    pub(crate) async fn place(&self, attribute: &str) -> String {
        let xml = self.dump().await;
        let node = xml.split('<').find(|node| node.contains(attribute));
        let node = node.unwrap_or_else(|| panic!("no {attribute} in {xml}"));
        let bounds = node.split("bounds=\"").nth(1).unwrap();
        let numbers: Vec<i32> = bounds
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .take(4)
            .collect();
        format!(
            "{} {}",
            (numbers[0] + numbers[2]) / 2,
            (numbers[1] + numbers[3]) / 2
        )
    }
}
