//! The shell of the phone whose widgets are real: that of a simulated phone, which decides what app is in front. The
//! widgets follow it.

use std::sync::Arc;
use std::time::Duration;

use adb::client::Link;
use adb::client::Pipe;
use adb::client::direct::DirectLink;
use agent_protocol::{APP_QUERY, ReadyLine, VERSION};
use async_trait::async_trait;
use driver::{Cx, Driver};
use sim_adb::{AdbPhone, Daemon, Options};
use testkit::{Widgets, connect_agent};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::sim_phone;

/// A phone with the app of the conformance suite in front.
pub(crate) async fn phone() -> (DirectLink, AdbPhone) {
    let daemon = Daemon::bind(Options {
        sim: sim_phone::with_conformance_app(),
        ..Options::default()
    });
    let daemon = daemon.await.unwrap();
    let (adb_phone, address) = (daemon.adb_phone(), daemon.address().to_string());
    tokio::spawn(daemon.run());
    (sim_phone::connect(&address).await, adb_phone)
}

/// The shell of a simulated phone.
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) link: DirectLink,
    pub(crate) adb_phone: AdbPhone,
    pub(crate) widgets: Arc<Mutex<Widgets>>,
}

impl System {
    /// Does to the widgets what a command did to the simulated phone.
    async fn follow(&self, command: &str) {
        let mut widgets = self.widgets.lock().await;
        if let Some((_, package)) = command.split_once("force-stop ") {
            widgets.order(&format!("stop {package}")).await;
        }
        let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
        let front = self.adb_phone.driver().await.foreground(&cx).await;
        if let Some(package) = front.unwrap().app {
            widgets.order(&format!("front {package}")).await;
        }
    }
}

#[async_trait]
impl Link for System {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        if service.contains(APP_QUERY) {
            // As the app tells its socket, in both forms.
            let ready = ReadyLine {
                version: VERSION,
                socket: format!("clawperator-{}", "0".repeat(16)),
                token: self.widgets.lock().await.token().try_into().unwrap(),
                pid: 1,
                sha256: [0; 32],
            };
            let answer = format!("shell,v2,raw:echo 'Row: 0 line={ready}'");
            return self.link.open(&answer).await;
        }
        if service.starts_with("localabstract:") {
            let port = self.widgets.lock().await.port();
            return Ok(Box::new(connect_agent(port).await));
        }
        let mut pipe = self.link.open(service).await?;
        let opens = ["am start ", "am force-stop ", "monkey "];
        if !opens.iter().any(|command| service.contains(command)) {
            return Ok(pipe);
        }
        let mut output = Vec::new();
        pipe.read_to_end(&mut output).await?;
        self.follow(service).await;
        let (near, mut far) = tokio::io::duplex(output.len());
        far.write_all(&output).await?;
        Ok(Box::new(near))
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        self.link.features().await
    }
}
