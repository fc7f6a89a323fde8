//! The service as surfaces use it.
#![allow(
    clippy::unwrap_used,
    reason = "a test ends where what it needs is not there"
)]

mod device_pool;
mod device_status;
mod doctor;
mod hostile;
mod one_shot;
mod operator;
mod operator_scenarios;
mod phones;
mod reconnect;
mod refs;
mod refused_kinds;
mod runtime_app;
mod screen_off;
mod scripted;
mod setup;
mod two_clients;

use std::path::PathBuf;
use std::sync::Arc;

use adb::client::direct::{DirectLink, Timeouts};
use adb::client::locate::ProgramSearch;
use adb::client::server::Address;
use contract::{ErrorCode, Execution, ParsedExecution};
use serde_json::{Value, json};
use service::{AdbSetup, Clock, Options, Service, clock_of};
use tokio_util::sync::CancellationToken;

/// A valid plan of these actions.
fn plan(command_id: &str, actions: Value) -> ParsedExecution {
    Execution::from_value(&testkit::plan(command_id, actions)).unwrap()
}

/// Options that find no phones and start no server.
fn options() -> Options {
    let mut options = Options::default();
    options.adb.places = ProgramSearch::default();
    options.adb.server = Ok(no_server());
    options
}

/// An address without an adb server.
fn no_server() -> Address {
    local(testkit::closed_port())
}

/// A port of this computer.
fn local(port: u16) -> Address {
    Address {
        host: "127.0.0.1".to_owned(),
        port,
    }
}

/// An adb server at this address, and no program that would start one.
fn adb_at(server: Address, locks: PathBuf) -> AdbSetup {
    AdbSetup {
        server: Ok(server),
        places: ProgramSearch {
            adb: Some("/nowhere/adb".into()),
            ..ProgramSearch::default()
        },
        locks,
    }
}

/// A phone at an address, connected to without a server.
async fn direct(serial: &str) -> adb::Phone {
    let no_key = || unreachable!("an open phone asks for no key");
    let link = DirectLink::connect(serial, no_key, Timeouts::default()).await;
    adb::Phone::new(Arc::new(link.unwrap()))
}

fn sleep(millis: u32) -> Value {
    json!([{"id": "sleep", "type": "sleep", "params": {"durationMs": millis}}])
}

async fn execute(
    service: &Service,
    device: Option<&str>,
    plan: ParsedExecution,
) -> Result<Value, contract::ErrorBody> {
    service
        .execute(device, plan, CancellationToken::new(), &mut |_| {})
        .await
        .map(|answer| serde_json::to_value(answer).unwrap())
}

#[tokio::test(start_paused = true)]
async fn busy_device_reports_the_running_command() {
    let service = Service::new(options());
    let (first, second) = tokio::join!(
        execute(&service, Some("sim"), plan("first", sleep(1000))),
        execute(&service, Some("sim"), plan("second", sleep(1000))),
    );
    assert_eq!(first.unwrap()["envelope"]["status"], "success");
    let refused = second.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ExecutionConflictInFlight);
    assert_eq!(refused.detail("commandId"), Some(&json!("second")));
    assert_eq!(refused.detail("holderCommandId"), Some(&json!("first")));
    let third = execute(&service, Some("sim"), plan("third", sleep(1))).await;
    assert_eq!(third.unwrap()["envelope"]["status"], "success");
}

#[tokio::test(start_paused = true)]
async fn dropped_run_frees_its_device() {
    let service = Service::new(options());
    let run = execute(&service, Some("sim"), plan("dropped", sleep(10_000)));
    let waited = tokio::time::timeout(std::time::Duration::from_millis(5), run).await;
    assert!(waited.is_err());
    let next = execute(&service, Some("sim"), plan("next", sleep(1))).await;
    assert_eq!(next.unwrap()["envelope"]["commandId"], "next");
}

#[tokio::test(start_paused = true)]
async fn phone_keeps_its_state_between_runs() {
    let service = Service::new(options());
    let open = json!([{"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}}]);
    let snap = json!([{"id": "s", "type": "snapshot_ui"}]);
    execute(&service, Some("sim"), plan("open", open))
        .await
        .unwrap();
    let seen = execute(&service, Some("sim"), plan("snap", snap))
        .await
        .unwrap();
    let package = &seen["envelope"]["stepResults"][0]["data"]["foreground_package"];
    assert_eq!(package, "com.android.settings");
}

#[tokio::test]
async fn unknown_device_is_named_in_the_error() {
    let service = phones::server("").await;
    let without_device = execute(&service, None, plan("c", sleep(1)))
        .await
        .unwrap_err();
    assert_eq!(without_device.code, ErrorCode::NoDevices);
    assert!(without_device.hint.unwrap().contains("--device sim"));
    let other = execute(&service, Some("emulator-5554"), plan("c", sleep(1)))
        .await
        .unwrap_err();
    assert_eq!(other.code, ErrorCode::DeviceNotFound);
    assert_eq!(other.detail("deviceId"), Some(&json!("emulator-5554")));
    assert_eq!(
        (clock_of(Some("sim")), clock_of(None)),
        (Clock::Virtual, Clock::Real)
    );
}

#[test]
fn embedded_phone_can_use_real_time() {
    let mut options = options();
    options.sim.time("real").unwrap();
    assert_eq!(options.clock_of(Some("sim")), Clock::Real);
    assert_eq!(Options::default().clock_of(Some("sim")), Clock::Virtual);
    assert_eq!(Options::default().clock_of(Some("x")), Clock::Real);
    // The same plan, in a runtime with real time.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let service = Service::new(options);
    let began = std::time::Instant::now();
    let answer = runtime.block_on(execute(&service, Some("sim"), plan("c", sleep(30))));
    assert_eq!(answer.unwrap()["envelope"]["status"], "success");
    assert!(began.elapsed() >= std::time::Duration::from_millis(30));
}

/// A folder of app files.
struct Folder(testkit::TempFolder);

impl Folder {
    fn new(name: &str) -> Self {
        Self(testkit::TempFolder::new(name))
    }

    fn app(&self, file: &str, package: &str, text: &str) -> String {
        let path = self.0.join(file);
        let yaml = format!(
            "app: {package}\nlabel: {text}\nstart: home\nscreens: {{ home: {{ body: [ {{ text: {text} }} ] }} }}\n"
        );
        std::fs::write(&path, yaml).unwrap();
        format!("sim:{}", path.display())
    }

    fn device(&self) -> String {
        format!("sim:{}", self.0.display())
    }
}

async fn screen(device: &str) -> Result<String, contract::ErrorBody> {
    let snapshot = json!([{"id": "see", "type": "snapshot_ui"}]);
    let service = Service::new(options());
    let answer = execute(&service, Some(device), plan("see", snapshot)).await?;
    assert_eq!(answer["deviceId"], device);
    let text = &answer["envelope"]["stepResults"][0]["data"]["text"];
    Ok(text.as_str().unwrap().to_owned())
}

#[tokio::test(start_paused = true)]
async fn device_name_selects_an_app_file() {
    let folder = Folder::new("own");
    let hello = folder.app("hello.yaml", "com.example.hello", "Hello");
    assert_eq!(clock_of(Some(&hello)), Clock::Virtual);
    assert!(screen(&hello).await.unwrap().contains("text=\"Hello\""));
    // A folder with one app starts that app; one with several starts the home screen.
    assert!(
        screen(&folder.device())
            .await
            .unwrap()
            .contains("text=\"Hello\"")
    );
    folder.app("other.yml", "com.example.other", "Other");
    std::fs::write(folder.0.join("notes.txt"), "no app").unwrap();
    let home = screen(&folder.device()).await.unwrap();
    assert!(home.contains("com.android.launcher3"), "{home}");
    let service = Service::new(options());
    let open = json!([
        {"id": "open", "type": "open_app", "params": {"applicationId": "com.example.other"}},
        {"id": "wait", "type": "wait_for_node", "params": {"matcher": {"textEquals": "Other"}}},
    ]);
    let answer = execute(&service, Some(&folder.device()), plan("open", open))
        .await
        .unwrap();
    assert_eq!(answer["envelope"]["status"], "success", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn invalid_app_is_refused_with_all_its_problems() {
    let folder = Folder::new("broken");
    let none = screen(&folder.device()).await.unwrap_err();
    assert_eq!(none.code, ErrorCode::SimAppInvalid);
    assert!(none.message.contains("holds no app"), "{}", none.message);
    let missing = screen(&format!("{}/nothing.yaml", folder.device()))
        .await
        .unwrap_err();
    assert_eq!(missing.code, ErrorCode::SimAppInvalid);
    assert!(
        missing.message.contains("there is no such file"),
        "{}",
        missing.message
    );
    assert_eq!(
        screen("sim:").await.unwrap_err().code,
        ErrorCode::SimAppInvalid
    );

    let path = folder.0.join("broken.yaml");
    std::fs::write(
        &path,
        "app: com.example.broken\nstart: hom\nscreens:\n  home:\n    body:\n      - txt: Hello\n",
    )
    .unwrap();
    let broken = screen(&folder.device()).await.unwrap_err();
    assert_eq!(broken.code, ErrorCode::SimAppInvalid);
    let problems = broken.detail("problems").unwrap().as_array().unwrap();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!(problems[0]["line"], 2);
    assert_eq!(problems[1]["line"], 6);
    assert_eq!(problems[1]["path"], "screens.home.body.0");
    assert!(
        problems[1]["message"]
            .as_str()
            .unwrap()
            .contains("did you mean `text`")
    );
    assert!(
        problems
            .iter()
            .all(|problem| problem["file"] == path.display().to_string())
    );
}

#[tokio::test(start_paused = true)]
async fn unwritable_journal_does_not_lose_the_result() {
    let parent = testkit::TempFolder::new("journal");
    let (folder, elsewhere) = (parent.join("folder"), parent.join("gone"));
    std::fs::create_dir(&folder).unwrap();
    let mut options = options();
    options.sim.journal = Some(folder.join("journal.ndjson"));
    let service = Service::new(options);
    let mut taken = false;
    let answer = service
        .execute(
            Some("sim"),
            plan(
                "home",
                json!([{"id": "home", "type": "press_key", "params": {"key": "home"}}]),
            ),
            CancellationToken::new(),
            &mut |_| {
                // The folder is removed during the plan.
                if !taken {
                    std::fs::rename(&folder, &elsewhere).unwrap();
                    taken = true;
                }
            },
        )
        .await;
    assert!(taken);
    let answer = serde_json::to_value(answer.unwrap()).unwrap();
    assert_eq!(answer["envelope"]["status"], "success");
    assert_eq!(answer["warnings"][0]["code"], "JOURNAL_NOT_WRITTEN");
    // Known before anything is done, it is an error.
    let refused = execute(&service, Some("sim"), plan("again", sleep(1))).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::Usage);
}

#[tokio::test(start_paused = true)]
async fn recordings_of_embedded_phones_do_not_collide() {
    let start = json!([{"id": "r", "type": "start_recording", "params": {"sessionId": "again"}}]);
    let mut files = Vec::new();
    for _command in 0..2 {
        let service = Service::new(options());
        let parsed = plan("recorded", start.clone());
        let answer = execute(&service, Some("sim"), parsed).await.unwrap();
        assert_eq!(answer["envelope"]["status"], "success", "{answer}");
        files.push(answer["envelope"]["stepResults"][0]["data"]["filePath"].clone());
    }
    assert_ne!(files[0], files[1]);
    for file in &files {
        let path = std::path::Path::new(file.as_str().unwrap());
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}
