//! A real adb server of a test's own, which ends with it.
//!
//! The program is `adb`, or what `CLAWPERATOR_TEST_ADB` names.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::free_port;

/// The environment of an adb server that attaches to no phone by itself: not to emulators, for which it would try the ports
/// from 5555 to the one named here (0 counts as 5585), and not to phones that announce themselves in the network.
pub const NO_SCAN: [(&str, &str); 3] = [
    ("ADB_LOCAL_TRANSPORT_MAX_PORT", "5553"),
    ("ADB_MDNS", "0"),
    ("ADB_MDNS_AUTO_CONNECT", "0"),
];

/// A server with a home of its own.
#[derive(Debug)]
pub struct RealServer {
    port: u16,
    home: PathBuf,
}

impl RealServer {
    /// Starts one on a port that nobody else uses.
    ///
    /// # Panics
    /// When there is no adb or it does not start.
    #[must_use]
    pub fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let home =
            std::env::temp_dir().join(format!("clawperator-adb-{}-{number}", std::process::id()));
        make(std::fs::create_dir_all(&home));
        let own = Self {
            port: free_port(),
            home,
        };
        own.restart();
        own
    }

    /// The port of 127.0.0.1 on which it listens.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Starts it where it has ended.
    ///
    /// # Panics
    /// When it does not start.
    pub fn restart(&self) {
        let started = self.adb(&["start-server"]);
        assert!(started.status.success(), "{started:?}");
    }

    /// What tells when the server that runs now has ended, even if another one has taken its place.
    ///
    /// # Panics
    /// When none runs.
    #[must_use]
    pub fn life(&self) -> Life {
        let stream = make(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
        make(stream.set_nonblocking(true));
        Life(stream)
    }

    /// Runs the program against this server.
    ///
    /// # Panics
    /// When there is no such program.
    #[must_use]
    pub fn adb(&self, arguments: &[&str]) -> Output {
        let mut command =
            Command::new(std::env::var_os("CLAWPERATOR_TEST_ADB").unwrap_or_else(|| "adb".into()));
        command
            .args(arguments)
            .env("HOME", &self.home)
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .env_remove("ANDROID_SERIAL")
            .env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_ADB_SERVER_ADDRESS")
            .envs(NO_SCAN);
        match command.output() {
            Ok(output) => output,
            Err(error) => {
                panic!("these tests need the program adb, which ./check installs: {error}")
            }
        }
    }
}

/// A connection to a server on which nobody says anything: it ends when the server does.
#[derive(Debug)]
pub struct Life(TcpStream);

impl Life {
    /// Whether the server is gone.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let peeked = self.0.peek(&mut [0]);
        !matches!(peeked, Err(error) if error.kind() == ErrorKind::WouldBlock)
    }
}

/// What a test cannot do without.
fn make<T>(done: std::io::Result<T>) -> T {
    match done {
        Ok(made) => made,
        Err(error) => panic!("{error}"),
    }
}

impl Drop for RealServer {
    fn drop(&mut self) {
        drop(self.adb(&["kill-server"]));
        drop(std::fs::remove_dir_all(&self.home));
    }
}
