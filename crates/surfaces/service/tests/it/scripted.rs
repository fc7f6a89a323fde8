//! An adb server with one phone whose answers are set by the test: for failures that no simulated phone has.

use std::sync::{Arc, Mutex};

use adb::wire::shell::{Kind, packet};
use service::chrome::ChromeSetup;
use service::{Options, Service};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The output and the status of a command.
pub(crate) type Answer = (String, u8);

/// A server and its list of phones.
#[derive(Clone)]
pub(crate) struct Scripted {
    inner: Arc<Mutex<Inner>>,
    port: u16,
}

struct Inner {
    list: String,
    answers: Vec<(String, Answer)>,
    asked: Vec<String>,
    /// Changes that are applied after a request that contains this text.
    then: Vec<(String, Change)>,
    /// Phones that accept everything and answer nothing.
    hang: Vec<String>,
}

/// A change after a request.
pub(crate) enum Change {
    /// List these phones.
    List(String),
    /// Answer commands that contain the first with the second.
    Say(String, String),
}

/// The begin of the combined command about the Operator app; answers for parts of it do not apply to it.
pub(crate) const ABOUT_THE_APP: &str = "a=$(pm list packages";

/// One phone that is ready.
pub(crate) const READY: &str = "X device model:Scripted transport_id:1\n";

const SCREEN: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" \
                      text=\"Hi\" class=\"android.widget.TextView\" package=\"com.x\" bounds=\"[0,0][100,100]\" /></hierarchy>";

impl Inner {
    /// The answer to a command; answers for parts of the combined command about the app do not apply to it.
    fn output(&self, command: &str) -> Answer {
        let whole = |text: &str| text.starts_with(ABOUT_THE_APP);
        let found = self
            .answers
            .iter()
            .find(|(part, _)| whole(part) == whole(command) && command.contains(part));
        match found {
            Some((_, answer)) => answer.clone(),
            None => (format!("sh: {command}: not found\n"), 127),
        }
    }
}

impl Scripted {
    /// A server that lists these phones, all of them healthy.
    pub(crate) async fn with(list: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let healthy = [
            (
                "getprop ro.product.model",
                "Scripted\n--clawperator--\n14\n--clawperator--\n34\n--clawperator--\nPhysical size: \
                 100x200\n--clawperator--\nPhysical density: 420\n",
            ),
            (
                "dumpsys power",
                "  mWakefulness=Awake\n--clawperator--\n    KeyguardServiceDelegate\n      showing=false\n      secure=true\n",
            ),
            ("uiautomator dump", SCREEN),
            ("input ", ""),
            ("settings get global development_settings_enabled", "1\n"),
            ("settings get global adb_enabled", "1\n"),
            ("settings get global", "0\n"),
            ("settings", ""),
            ("pm list packages", "package:android\n"),
            ("rm -f", ""),
            (ABOUT_THE_APP, "0\npackage:android\n"),
        ];
        let answers = healthy.map(|(command, answer)| (command.to_owned(), (answer.to_owned(), 0)));
        let scripted = Self {
            inner: Arc::new(Mutex::new(Inner {
                list: list.to_owned(),
                answers: answers.to_vec(),
                asked: Vec::new(),
                then: Vec::new(),
                hang: Vec::new(),
            })),
            port,
        };
        let server = scripted.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(server.clone().converse(socket));
            }
        });
        scripted
    }

    /// One healthy phone, `X`.
    pub(crate) async fn phone() -> Self {
        Self::with(READY).await
    }

    /// Sets the answer to commands that contain this text; the last match wins.
    pub(crate) fn set_answer(&self, command: &str, answer: &str, status: u8) {
        let answer = (command.to_owned(), (answer.to_owned(), status));
        self.inner.lock().unwrap().answers.insert(0, answer);
    }

    /// Makes this phone silent.
    pub(crate) fn hang(&self, serial: &str) {
        self.inner.lock().unwrap().hang.push(serial.to_owned());
    }

    /// Whether a request contained this text.
    pub(crate) fn was_asked(&self, part: &str) -> bool {
        self.inner
            .lock()
            .unwrap()
            .asked
            .iter()
            .any(|each| each.contains(part))
    }

    /// The number of requests that contained this text.
    pub(crate) fn times_asked(&self, part: &str) -> usize {
        let inner = self.inner.lock().unwrap();
        inner
            .asked
            .iter()
            .filter(|each| each.contains(part))
            .count()
    }

    /// Applies a change after a request that contains this text.
    pub(crate) fn then(&self, part: &str, change: Change) {
        let then = (part.to_owned(), change);
        self.inner.lock().unwrap().then.push(then);
    }

    /// A service that uses this server, with its own folder of locks.
    pub(crate) fn service(&self) -> Service {
        Service::new(self.options())
    }

    /// The same with this adb program.
    pub(crate) fn service_with(&self, adb: &std::path::Path) -> Service {
        let mut options = self.options();
        options.adb.places.adb = Some(adb.to_owned());
        Service::new(options)
    }

    /// Options that use this server, with their own folder of locks and without an adb program.
    pub(crate) fn options(&self) -> Options {
        Options {
            adb: crate::adb_at(crate::local(self.port), locks(self.port)),
            // Browsers that other tests or users run are not listed.
            chrome: ChromeSetup {
                runtime: locks(self.port),
                ..ChromeSetup::default()
            },
            ..Options::default()
        }
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Why a phone takes no requests, in the words of adb.
    fn state(&self, serial: &str) -> Result<(), String> {
        let inner = self.inner.lock().unwrap();
        let mut listed = inner.list.lines().filter_map(|line| line.split_once(' '));
        match listed.find(|(name, _)| *name == serial) {
            Some((_, state)) if state.starts_with("device") => Ok(()),
            Some((_, state)) if state.starts_with("offline") => Err("device offline".to_owned()),
            Some(_) => Err(
                "device unauthorized.\nPlease check the confirmation dialog on your device."
                    .to_owned(),
            ),
            None => Err(format!("device '{serial}' not found")),
        }
    }

    async fn converse(self, mut socket: TcpStream) {
        loop {
            let mut digits = [0; 4];
            if socket.read_exact(&mut digits).await.is_err() {
                return;
            }
            let length = usize::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap();
            let mut request = vec![0; length];
            socket.read_exact(&mut request).await.unwrap();
            let request = String::from_utf8(request).unwrap();
            if let Some(serial) = request.strip_prefix("host:transport:") {
                if let Err(why) = self.state(serial) {
                    let refusal = format!("FAIL{:04x}{why}", why.len());
                    return socket.write_all(refusal.as_bytes()).await.unwrap();
                }
                socket.write_all(b"OKAY").await.unwrap();
                if self
                    .inner
                    .lock()
                    .unwrap()
                    .hang
                    .iter()
                    .any(|each| each == serial)
                {
                    return std::future::pending().await;
                }
                continue;
            }
            if request == "sync:" {
                return swallow(socket).await;
            }
            let answer = self.answer(&request);
            // The client may be gone.
            let _ = socket.write_all(&answer).await;
            return;
        }
    }

    fn answer(&self, request: &str) -> Vec<u8> {
        let mut inner = self.inner.lock().unwrap();
        inner.asked.push(request.to_owned());
        let answer = inner.answer(request);
        // The change is applied before the next request.
        inner.change_after(request);
        answer
    }
}

impl Inner {
    fn change_after(&mut self, request: &str) {
        for (_, change) in self
            .then
            .extract_if(.., |(part, _)| request.contains(&**part))
        {
            match change {
                Change::List(list) => self.list = list,
                Change::Say(command, answer) => self.answers.insert(0, (command, (answer, 0))),
            }
        }
    }

    fn answer(&self, request: &str) -> Vec<u8> {
        let text = |text: &str| format!("OKAY{:04x}{text}", text.len()).into_bytes();
        if request == "host:version" {
            return text("0029");
        }
        if request.starts_with("host:devices") || request.starts_with("host:track-devices") {
            return text(&self.list);
        }
        if request.ends_with(":features") {
            return text("shell_v2,cmd");
        }
        let own = |part: &str| part.starts_with("host:") && request.contains(part);
        if let Some((_, (answer, _))) = self.answers.iter().find(|(part, _)| own(part)) {
            return text(answer);
        }
        if let Some(rest) = request.strip_prefix("host:") {
            return text(&format!("done {rest}"));
        }
        let command = request
            .split_once(':')
            .map_or(request, |(_, command)| command);
        // The properties of a phone and its state of the app can be read with one command.
        let both = command
            .split_once(ABOUT_THE_APP)
            .filter(|(before, _)| !before.is_empty());
        let (answer, status) = match both {
            Some((first, _)) => {
                let (first, _) = self.output(first);
                let (second, status) = self.output(ABOUT_THE_APP);
                (format!("{first}--clawperator--\n{second}"), status)
            }
            None => self.output(command),
        };
        let mut bytes = b"OKAY".to_vec();
        if request.starts_with("shell,v2") {
            let kind = if status == 0 {
                Kind::Stdout
            } else {
                Kind::Stderr
            };
            bytes.extend(packet(kind, answer.as_bytes()));
            bytes.extend(packet(Kind::Exit, &[status]));
        } else {
            bytes.extend(answer.as_bytes());
        }
        bytes
    }
}

/// Accepts any file.
async fn swallow(mut socket: TcpStream) {
    socket.write_all(b"OKAY").await.unwrap();
    loop {
        let mut head = [0; 8];
        if socket.read_exact(&mut head).await.is_err() {
            return;
        }
        let (id, number) = head.split_at(4);
        match id {
            b"DONE" => socket.write_all(b"OKAY\0\0\0\0").await.unwrap(),
            b"QUIT" => return,
            b"STAT" => {
                let length = u32::from_le_bytes(number.try_into().unwrap()) as usize;
                let mut path = vec![0; length];
                socket.read_exact(&mut path).await.unwrap();
                // There is no such file.
                socket.write_all(b"STAT").await.unwrap();
                socket.write_all(&[0; 12]).await.unwrap();
            }
            _ => {
                let length = u32::from_le_bytes(number.try_into().unwrap()) as usize;
                let mut data = vec![0; length];
                socket.read_exact(&mut data).await.unwrap();
            }
        }
    }
}

/// A folder of locks for one test.
pub(crate) fn locks(number: u16) -> std::path::PathBuf {
    std::env::temp_dir().join(format!(
        "clawperator-service-{}-{number}",
        std::process::id()
    ))
}
