//! The checks of this computer: the program adb, and its server.

use adb::ErrorKind;
use adb::client::locate;
use adb::client::server::Server;
use contract::ErrorCode;
use serde_json::json;

use super::repair::Repair;
use super::report::Check;
use crate::AdbSetup;
use crate::android;

/// What is known of the adb server.
pub(super) enum ServerState {
    /// It answers.
    Answers(Server),
    /// There is none, and nothing that could start one.
    None,
    /// Something is wrong with it.
    Broken,
}

/// Looks at the program and the server. `needed` is whether the phone that is meant can only be reached by them.
pub(super) async fn checks(setup: &AdbSetup, needed: Needed) -> (Vec<Check>, ServerState) {
    let program = setup.places.find();
    let (server, state) = server(setup).await;
    let id = "host.adb.presence";
    let presence = match &program {
        Ok(program) => match locate::version(program).await {
            Ok(version) => Check::pass(id, format!("{} is there", program.display()))
                .with_evidence(
                    json!({ "version": version, "program": program.display().to_string() }),
                ),
            Err(error) => missing(
                id,
                matches!(state, ServerState::Answers(_)),
                needed,
                &error.to_string(),
            ),
        },
        Err(error) => missing(
            id,
            matches!(state, ServerState::Answers(_)),
            needed,
            &error.to_string(),
        ),
    };
    let said = presence
        .evidence
        .as_ref()
        .and_then(|found| found["version"].as_str());
    let speaks = said.and_then(protocol);
    let server = server.map(|check| rival(check, speaks));
    let mut checks = vec![presence];
    checks.extend(server);
    (checks, state)
}

/// The version of the protocol in what the program says of itself: the last number of `version 1.0.41`.
fn protocol(said: &str) -> Option<u64> {
    let (_, rest) = said.split_once("version ")?;
    let version = rest.split_whitespace().next()?;
    version.rsplit('.').next()?.parse().ok()
}

/// A server of another version than the program is ended by the program, with every connection that it has.
fn rival(check: Check, program: Option<u64>) -> Check {
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
    let summary = "Two versions of adb are in use: the program would end the server that runs, and every run with it";
    Check::warn(check.id, ErrorCode::AdbServerFailed, summary)
        .with_detail(format!(
            "The server speaks version {server}, the program {program}"
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

/// Whether adb is needed to reach the phone that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    Yes,
    /// It has an address, and is reached without adb where there is none.
    No,
}

/// There is no program that works: that matters only where no server runs already.
fn missing(id: &'static str, answers: bool, needed: Needed, why: &str) -> Check {
    let code = ErrorCode::AdbNotFound;
    let check = if answers {
        Check::warn(
            id,
            code,
            "The program adb is missing; a server runs, and could not be started again",
        )
    } else if needed == Needed::No {
        return Check::warn(
            id,
            code,
            "The program adb is missing; this phone is reached without it",
        )
        .with_detail(why);
    } else {
        Check::fail(id, code, "The program adb is missing, and no server runs")
    };
    check.with_detail(why).with_manual(
        "Install adb",
        "host",
        [
            "Install adb: Debian and Ubuntu `apt-get install adb`, macOS `brew install android-platform-tools`".to_owned(),
            "Or set ADB_PATH to the program".to_owned(),
        ],
    )
}

/// Looks at the server, and starts it as every command does.
async fn server(setup: &AdbSetup) -> (Option<Check>, ServerState) {
    let id = "host.adb.server";
    let failed = |why: &str| {
        Check::fail(
            id,
            ErrorCode::AdbServerFailed,
            "The adb server does not answer as one",
        )
        .with_detail(why)
    };
    let server = match android::server(setup) {
        Ok(server) => server,
        Err(error) => {
            let check = failed(&error.message).with_manual(
                "Mend the environment",
                "host",
                ["Mend or unset the variable that says where the adb server listens".to_owned()],
            );
            return (Some(check), ServerState::Broken);
        }
    };
    let address = server.address().to_string();
    let (version, started) = match server.version().await {
        Err(error) if matches!(error.kind, ErrorKind::NoServer { .. }) => {
            match android::start_server(&server, setup).await {
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
                format!("An adb server answers at {address}")
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
                        "Start the adb server anew",
                        "host",
                        ["adb kill-server".to_owned(), "adb start-server".to_owned()],
                    )
                    .with_repair(Repair::Restart);
            } else {
                check = check.with_manual(
                    "Start the adb server anew",
                    "host",
                    [format!("Start the adb server on the machine of {address}")],
                );
            }
            (Some(check), ServerState::Broken)
        }
    }
}
