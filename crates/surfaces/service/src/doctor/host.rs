//! The checks of this computer: the adb program and the adb server.

use adb::ErrorKind;
use adb::client::locate;
use adb::client::server::Server;
use contract::ErrorCode;
use serde_json::json;

use super::repair::Repair;
use super::report::Check;
use crate::AdbSetup;
use crate::phone::connection;

/// The state of the adb server.
pub(super) enum ServerState {
    Answers(Server),
    /// None runs, and there is no program to start one.
    None,
    /// It does not work.
    Broken,
}

/// Checks the program and the server. `needed` is whether the phone can only be reached through them.
pub(super) async fn checks(setup: &AdbSetup, needed: AdbNeed) -> (Vec<Check>, ServerState) {
    let program = setup.places.find();
    let (server, state) = server(setup).await;
    let id = "host.adb.presence";
    let presence = match &program {
        Ok(program) => match locate::version(program).await {
            Ok(version) => Check::pass(id, format!("found {}", program.display())).with_evidence(
                json!({ "version": version, "program": program.display().to_string() }),
            ),
            Err(error) => unusable(
                id,
                &format!("{} does not work as adb", program.display()),
                &state,
                needed,
                &error.to_string(),
            ),
        },
        Err(error) => {
            let what = "The adb program is missing";
            unusable(id, what, &state, needed, &error.to_string())
        }
    };
    let version_text = presence
        .evidence
        .as_ref()
        .and_then(|found| found["version"].as_str());
    let program_protocol = version_text.and_then(protocol);
    let server = server.map(|check| compare_versions(check, program_protocol));
    let mut checks = vec![presence];
    checks.extend(server);
    (checks, state)
}

/// The protocol version in the output of the program: the last number of `version 1.0.41`.
fn protocol(version_text: &str) -> Option<u64> {
    let (_, rest) = version_text.split_once("version ")?;
    let version = rest.split_whitespace().next()?;
    version.rsplit('.').next()?.parse().ok()
}

/// Warns if the server and the program have different versions: the program would kill the server and all its connections.
fn compare_versions(check: Check, program: Option<u64>) -> Check {
    let server = check
        .evidence
        .as_ref()
        .and_then(|found| found["protocol"].as_u64());
    let (Some(program), Some(server)) = (program, server) else {
        return check;
    };
    if program == server {
        return check;
    }
    let evidence = check.evidence.unwrap_or_default();
    let summary = "Two versions of adb are in use: the program would kill the running server, and every run with it";
    Check::warn(check.id, ErrorCode::AdbServerFailed, summary)
        .with_detail(format!(
            "The server has protocol version {server}, the program {program}"
        ))
        .with_evidence(evidence)
        .with_manual(
            "Use one adb",
            "host",
            [
                "Set ADB_PATH, and the settings of Android Studio and other tools, to the same adb"
                    .to_owned(),
            ],
        )
}

/// Whether adb is needed to reach the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdbNeed {
    Yes,
    /// The phone has an address and is reached without adb if there is none.
    No,
}

/// The check of a program that is missing or is not adb: it matters only if no server runs.
fn unusable(
    id: &'static str,
    what: &str,
    server: &ServerState,
    needed: AdbNeed,
    why: &str,
) -> Check {
    let code = ErrorCode::AdbNotFound;
    let check = if matches!(server, ServerState::Answers(_)) {
        let summary = format!("{what}; a server runs, but could not be restarted");
        Check::warn(id, code, summary)
    } else if needed == AdbNeed::No {
        let summary = format!("{what}; this phone is reached without it");
        return Check::warn(id, code, summary).with_detail(why);
    } else {
        Check::fail(id, code, format!("{what}, and no server runs"))
    };
    check.with_detail(why).with_manual(
        "Install adb",
        "host",
        [
            "Install adb: Debian and Ubuntu `apt-get install adb`, macOS `brew install android-platform-tools`".to_owned(),
            "Or set ADB_PATH to the adb program".to_owned(),
        ],
    )
}

/// Checks the server, and starts it as every command does.
async fn server(setup: &AdbSetup) -> (Option<Check>, ServerState) {
    let id = "host.adb.server";
    let failed = |why: &str| {
        Check::fail(
            id,
            ErrorCode::AdbServerFailed,
            "The adb server does not work",
        )
        .with_detail(why)
    };
    let server = match connection::server(setup) {
        Ok(server) => server,
        Err(error) => {
            let check = failed(&error.message).with_manual(
                "Correct the environment",
                "host",
                ["Correct or unset the variable with the address of the adb server".to_owned()],
            );
            return (Some(check), ServerState::Broken);
        }
    };
    let address = server.address().to_string();
    let (version, started) = match server.version().await {
        Err(error) if matches!(error.kind, ErrorKind::NoServer { .. }) => {
            match connection::start_server(&server, setup).await {
                Ok(started) => (server.version().await, started),
                Err(error) if matches!(error.kind, ErrorKind::NoProgram { .. }) => {
                    return (None, ServerState::None);
                }
                Err(error) => (Err(error), false),
            }
        }
        version => (version, false),
    };
    match version {
        Ok(version) => {
            let summary = if started {
                format!("An adb server was started at {address}")
            } else {
                format!("An adb server is running at {address}")
            };
            let evidence = json!({ "address": address, "protocol": version, "started": started });
            let check = Check::pass(id, summary).with_evidence(evidence);
            (Some(check), ServerState::Answers(server))
        }
        Err(error) => {
            let mut check = failed(&error.to_string()).with_evidence(json!({ "address": address }));
            if server.address().is_local() {
                check = check
                    .with_commands(
                        "Restart the adb server",
                        "host",
                        ["adb kill-server".to_owned(), "adb start-server".to_owned()],
                    )
                    .with_repair(Repair::RestartServer);
            } else {
                check = check.with_manual(
                    "Restart the adb server",
                    "host",
                    [format!(
                        "Restart the adb server on the machine of {address}"
                    )],
                );
            }
            (Some(check), ServerState::Broken)
        }
    }
}
