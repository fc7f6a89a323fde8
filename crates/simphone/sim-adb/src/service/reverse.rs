//! `reverse:`: ports of the phone that lead back to the computer.

use adb::wire::mux::MuxStream;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc;

use super::Connection;
use crate::network::{Call, Keep};

/// How many streams may wait for the computer.
const WAITING: usize = 16;

pub(super) async fn serve(mut stream: MuxStream, request: &str, connection: &Connection) {
    let answer = answer(request, connection);
    // Nobody may be there to read it.
    let _ = stream.write_all(answer.as_bytes()).await;
}

/// A text with its length before it, as adb servers send it.
fn counted(text: &str) -> String {
    format!("{:04x}{text}", text.len())
}

fn fail(why: &str) -> String {
    format!("FAIL{}", counted(why))
}

fn answer(request: &str, connection: &Connection) -> String {
    let network = connection.handset.network();
    let (verb, rest) = request.split_once(':').unwrap_or((request, ""));
    match verb {
        // This one alone has no status before it.
        "list-forward" => {
            let lines = network.list(connection.number);
            let number = connection.number;
            let lines: String = lines
                .iter()
                .map(|(name, to)| format!("host-{number} {name} {to}\n"))
                .collect();
            counted(&lines)
        }
        "killforward-all" => {
            network.forget(connection.number);
            "OKAY".to_owned()
        }
        "killforward" => {
            if network.unlisten(rest, connection.number) {
                "OKAY".to_owned()
            } else {
                fail(&format!("listener '{rest}' not found"))
            }
        }
        "forward" => {
            let (keep, pair) = match rest.strip_prefix("norebind:") {
                Some(pair) => (Keep::Old, pair),
                None => (Keep::New, rest),
            };
            let Some((name, to)) = pair.split_once(';') else {
                return fail(&format!("bad forward: {request}"));
            };
            let (calls, taken) = mpsc::channel(WAITING);
            match network.listen(name, to, keep, connection.number, calls) {
                Ok(real) => {
                    tokio::spawn(lead_back(taken, connection.mux.clone()));
                    match real.strip_prefix("tcp:").filter(|_| name == "tcp:0") {
                        Some(port) => format!("OKAY{}", counted(port)),
                        None => "OKAY".to_owned(),
                    }
                }
                Err(why) => fail(&why),
            }
        }
        _ => fail("unknown reverse request"),
    }
}

/// Leads every call to the computer, until nobody can call any more.
async fn lead_back(mut calls: mpsc::Receiver<Call>, mux: adb::wire::mux::Mux) {
    while let Some(mut call) = calls.recv().await {
        let mux = mux.clone();
        tokio::spawn(async move {
            // A computer that refuses ends the call, which is what the caller sees.
            if let Ok(mut stream) = mux.open(&call.to).await {
                let _ = tokio::io::copy_bidirectional(&mut stream, &mut call.stream).await;
            }
        });
    }
}
