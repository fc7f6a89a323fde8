//! The services that a stream can be opened to: shells, files, sockets and the daemon itself.

mod shell;
mod sync;

use std::sync::Arc;

use adb::wire::mux::{Incoming, MuxStream};
use tokio::io::AsyncWriteExt;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::adb_phone::AdbPhone;
use crate::fault::WireFault;

#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) adb_phone: AdbPhone,
    /// Ends the connection at once.
    pub(crate) cut: Arc<Notify>,
}

impl Connection {
    /// Ends the connection. Never returns: the caller is dropped with it.
    pub(crate) async fn break_off(&self) {
        self.cut.notify_one();
        std::future::pending::<()>().await;
    }
}

/// Serves a requested stream until it ends.
pub(crate) async fn serve(incoming: Incoming, connection: Connection) {
    let service = incoming.service.clone();
    let adb_phone = &connection.adb_phone;
    adb_phone.end_idle_agent().await;
    let (name, rest) = service.split_once(':').unwrap_or((&service, ""));
    let (kind, flags) = name.split_once(',').unwrap_or((name, ""));
    let _timed = StreamTimer {
        adb_phone,
        kind,
        begun: Instant::now(),
    };
    match kind {
        "shell" | "exec" => {
            let v2 = flags.split(',').any(|flag| flag == "v2");
            let has_v2 = adb_phone
                .options()
                .features
                .iter()
                .any(|feature| feature == "shell_v2");
            if adb_phone.faults().has(&WireFault::NoShell) || (v2 && !has_v2) {
                return incoming.refuse().await;
            }
            if let Ok(stream) = incoming.accept().await {
                let daemon = if has_v2 {
                    shell::DaemonAge::Current
                } else {
                    shell::DaemonAge::Legacy
                };
                let request = shell::ShellRequest::new(kind, flags, rest, daemon);
                shell::serve(stream, request, &connection).await;
            }
        }
        "sync" => {
            if let Ok(stream) = incoming.accept().await {
                // An error means that the client is gone.
                let _ = sync::serve(stream, adb_phone).await;
            }
        }
        "localabstract" => {
            let running = [adb_phone.agents(), adb_phone.app_agents()];
            let running = running.into_iter().filter_map(|slot| slot.running());
            match running.into_iter().find(|agent| agent.ready.socket == rest) {
                Some(agent) => {
                    if let Ok(stream) = incoming.accept().await {
                        crate::agent::serve(stream, adb_phone, &agent).await;
                    }
                }
                None => incoming.refuse().await,
            }
        }
        "reboot" => {
            if let Ok(stream) = incoming.accept().await {
                drop(stream);
                // If an app file no longer exists, the phone does not reboot.
                if let Err(why) = adb_phone.reboot().await {
                    adb_phone.log().write(
                        1,
                        crate::log::Priority::Error,
                        "init",
                        &format!("reboot: {why}"),
                    );
                }
            }
        }
        "root" => answer(incoming, "adbd cannot run as root in production builds\n").await,
        "unroot" => answer(incoming, "adbd not running as root\n").await,
        "remount" => answer(incoming, "Not running as root. Try \"adb root\" first.\n").await,
        _ => incoming.refuse().await,
    }
}

struct StreamTimer<'a> {
    adb_phone: &'a AdbPhone,
    kind: &'a str,
    begun: Instant,
}

impl Drop for StreamTimer<'_> {
    fn drop(&mut self) {
        let took = self.begun.elapsed();
        self.adb_phone.record().stream(self.kind, took);
    }
}

/// Serves a stream that consists of one text.
async fn answer(incoming: Incoming, text: &str) {
    if let Ok(stream) = incoming.accept().await {
        let mut stream: MuxStream = stream;
        // The client may be gone.
        let _ = stream.write_all(text.as_bytes()).await;
    }
}
