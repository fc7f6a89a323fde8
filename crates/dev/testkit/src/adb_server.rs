//! A real adb server for one test, which stops it at its end.
//!
//! The program is `adb`, or the one in `CLAWPERATOR_TEST_ADB`.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::free_port;

/// The environment of an adb server that attaches to no phones on its own: neither to emulators, for which it
/// would scan the ports from 5555 to this one (0 means 5585), nor to phones announced in the network.
pub const NO_SCAN: [(&str, &str); 3] = [
    ("ADB_LOCAL_TRANSPORT_MAX_PORT", "5553"),
    ("ADB_MDNS", "0"),
    ("ADB_MDNS_AUTO_CONNECT", "0"),
];

/// A server with its own home folder.
#[derive(Debug)]
pub struct RealServer {
    port: u16,
    home: PathBuf,
}

impl RealServer {
    /// Starts a server on an unused port.
    pub fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let home =
            std::env::temp_dir().join(format!("clawperator-adb-{}-{number}", std::process::id()));
        unwrap(std::fs::create_dir_all(&home));
        let server = Self {
            port: free_port(),
            home,
        };
        server.restart();
        server
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    pub fn restart(&self) {
        let started = self.adb(&["start-server"]);
        assert!(started.status.success(), "{started:?}");
    }

    /// A handle that detects the end of the current server, even if another one has replaced it.
    pub fn life(&self) -> ServerLife {
        let stream = unwrap(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
        unwrap(stream.set_nonblocking(true));
        ServerLife(stream)
    }

    /// A program that is called as adb and starts servers like this one.
    pub fn program(&self) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.home.join("adb");
        let settings: String = NO_SCAN
            .iter()
            .map(|(name, value)| format!(" {name}={value}"))
            .collect();
        let home = self.home.display();
        let adb = test_adb();
        let adb = adb.display();
        let script = format!("#!/bin/sh\nexec env HOME='{home}'{settings} '{adb}' \"$@\"\n");
        unwrap(std::fs::write(&path, script));
        unwrap(std::fs::set_permissions(
            &path,
            std::fs::Permissions::from_mode(0o755),
        ));
        path
    }

    pub fn adb(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(test_adb());
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

fn test_adb() -> PathBuf {
    std::env::var_os("CLAWPERATOR_TEST_ADB").map_or_else(|| "adb".into(), PathBuf::from)
}

/// An idle connection to a server, which ends with it.
#[derive(Debug)]
pub struct ServerLife(TcpStream);

impl ServerLife {
    pub fn has_ended(&self) -> bool {
        let peeked = self.0.peek(&mut [0]);
        !matches!(peeked, Err(error) if error.kind() == ErrorKind::WouldBlock)
    }
}

/// Unwraps a result that a test requires.
fn unwrap<T>(result: std::io::Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

impl Drop for RealServer {
    fn drop(&mut self) {
        drop(self.adb(&["kill-server"]));
        drop(std::fs::remove_dir_all(&self.home));
    }
}
