//! What a stream can be opened to: shells, files, ports, and the daemon itself.

mod shell;
mod sync;

use std::sync::Arc;

use adb::wire::mux::{Incoming, MuxStream};
use tokio::io::AsyncWriteExt;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::adb_phone::AdbPhone;
use crate::fault::WireFault;

/// The connection by which a stream came.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) adb_phone: AdbPhone,
    /// Ends it in the middle of whatever is going on.
    pub(crate) cut: Arc<Notify>,
}

impl Connection {
    /// Ends the connection; the caller is dropped with it.
    pub(crate) async fn break_off(&self) {
        self.cut.notify_one();
        std::future::pending::<()>().await;
    }
}

/// Serves a stream that the other side asks for, until it ends.
pub(crate) async fn serve(incoming: Incoming, connection: Connection) {
    let service = incoming.service.clone();
    let adb_phone = &connection.adb_phone;
    let (name, rest) = service.split_once(':').unwrap_or((&service, ""));
    let (kind, flags) = name.split_once(',').unwrap_or((name, ""));
    let _timed = Timed {
        adb_phone,
        kind,
        begun: Instant::now(),
    };
    match kind {
        "shell" | "exec" => {
            let v2 = flags.split(',').any(|flag| flag == "v2");
            let able = adb_phone
                .options()
                .features
                .iter()
                .any(|feature| feature == "shell_v2");
            if adb_phone.faults().has(&WireFault::NoShell) || (v2 && !able) {
                return incoming.refuse().await;
            }
            if let Ok(stream) = incoming.accept().await {
                let old = if able {
                    shell::LegacyDaemon::No
                } else {
                    shell::LegacyDaemon::Yes
                };
                let asked = shell::ShellRequest::new(kind, flags, rest, old);
                shell::serve(stream, asked, &connection).await;
            }
        }
        "sync" => {
            if let Ok(stream) = incoming.accept().await {
                // An end in the middle is the other side's.
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
                // It was started once with the same apps; when a file has gone since, the phone stays as it is.
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
        "root" => say(incoming, "adbd cannot run as root in production builds\n").await,
        "unroot" => say(incoming, "adbd not running as root\n").await,
        "remount" => say(incoming, "Not running as root. Try \"adb root\" first.\n").await,
        _ => incoming.refuse().await,
    }
}

/// Notes how long the phone had a stream, however it ends.
struct Timed<'a> {
    adb_phone: &'a AdbPhone,
    kind: &'a str,
    begun: Instant,
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        let took = self.begun.elapsed();
        self.adb_phone.record().stream(self.kind, took);
    }
}

/// A stream that says one thing.
async fn say(incoming: Incoming, text: &str) {
    if let Ok(stream) = incoming.accept().await {
        let mut stream: MuxStream = stream;
        // Nobody may be there to read it.
        let _ = stream.write_all(text.as_bytes()).await;
    }
}
