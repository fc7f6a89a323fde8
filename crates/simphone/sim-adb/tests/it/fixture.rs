//! A phone with a connected client.

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

/// A phone with a connected client.
pub(crate) struct Fixture {
    pub(crate) adb_phone: AdbPhone,
    pub(crate) address: String,
    pub(crate) phone: Phone,
}

/// Options of a phone whose screen counts as idle at once.
pub(crate) fn quick() -> Options {
    Options {
        idle: Duration::ZERO,
        ..Options::default()
    }
}

pub(crate) fn in_app(package: &str) -> Options {
    Options {
        sim: SimOptions {
            start: Start::App(package.to_owned()),
            ..SimOptions::default()
        },
        ..quick()
    }
}

pub(crate) async fn serve(options: Options) -> (AdbPhone, String) {
    let daemon = Daemon::bind(options).await.unwrap();
    let (adb_phone, address) = (daemon.adb_phone(), daemon.address().to_string());
    tokio::spawn(daemon.run());
    (adb_phone, address)
}

pub(crate) async fn connect(address: &str) -> adb::Result<Phone> {
    let no_key = || -> adb::Result<Key> { panic!("the phone asks for no key") };
    let link = DirectLink::connect(address, no_key, Timeouts::default()).await?;
    Ok(Phone::new(Arc::new(link)))
}

impl Fixture {
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

    /// Runs a command that succeeds without messages; returns its output.
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

    pub(crate) async fn prints(&self, command: &str, expected: &str) {
        assert_eq!(self.out(command).await, expected, "{command}");
    }

    /// Asserts that the output of a command contains a text.
    pub(crate) async fn prints_part(&self, command: &str, part: &str) {
        let output = self.out(command).await;
        assert!(output.contains(part), "{command}: {output}");
    }

    pub(crate) async fn dump(&self) -> String {
        let bytes = self.phone.exec("uiautomator dump /dev/tty").await.unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (xml, rest) = text
            .split_once("</hierarchy>")
            .unwrap_or_else(|| panic!("no dump: {text}"));
        assert_eq!(rest, "UI hierchary dumped to: /dev/tty\n");
        format!("{xml}</hierarchy>")
    }

    /// The centre of the first node of a dump with this attribute.
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
