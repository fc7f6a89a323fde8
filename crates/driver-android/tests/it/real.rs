//! A real adb server of a test's own, which ends with it.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use adb::client::server::{Address, Server};

/// A server with a home of its own.
pub(crate) struct RealServer {
    pub(crate) server: Server,
    port: u16,
    home: PathBuf,
}

impl RealServer {
    pub(crate) fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let home =
            std::env::temp_dir().join(format!("driver-android-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&home).unwrap();
        // Free now; the server takes it at once.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let own = Self {
            server: Server::at(Address {
                host: "127.0.0.1".to_owned(),
                port,
            }),
            port,
            home,
        };
        own.restart();
        own
    }

    /// Starts it where it has ended.
    pub(crate) fn restart(&self) {
        let started = self.adb(&["start-server"]);
        assert!(started.status.success(), "{started:?}");
    }

    pub(crate) fn adb(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("adb");
        command
            .args(arguments)
            .env("HOME", &self.home)
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .env_remove("ANDROID_SERIAL")
            .env_remove("ADB_SERVER_SOCKET");
        command
            .output()
            .expect("these tests need the program adb, which ./check installs")
    }
}

impl Drop for RealServer {
    fn drop(&mut self) {
        drop(self.adb(&["kill-server"]));
        drop(std::fs::remove_dir_all(&self.home));
    }
}
