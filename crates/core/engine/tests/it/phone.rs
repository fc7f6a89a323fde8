//! A phone for tests.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use contract::{Execution, Warning};
use driver::{Cx, Driver};
use driver_sim::{AppSource, SimDriver, SimOptions};
use engine::{Artifacts, Report};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Keeps the screenshots of a run in memory.
#[derive(Default)]
pub(crate) struct Album(pub(crate) Vec<Vec<u8>>);

impl Artifacts for Album {
    fn upload(&self, path: &str) -> Result<PathBuf, String> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/uploads");
        let file = folder.join(path);
        match file.is_file() {
            true => Ok(file),
            false => Err(format!("{path}: there is no such file")),
        }
    }

    fn keep_screenshot(&mut self, path: Option<&str>, file: &[u8]) -> Result<String, String> {
        if path.is_some_and(|path| path.starts_with("/unwritable/")) {
            return Err("the folder cannot be written".to_owned());
        }
        self.0.push(file.to_vec());
        Ok(path.unwrap_or("screenshot.png").to_owned())
    }
}

/// A phone with the built-in apps and these.
pub(crate) fn phone<'a>(apps: impl Iterator<Item = &'a str>) -> SimDriver {
    phone_of(apps, 0)
}

/// A phone with the built-in apps and these, with random numbers from `seed`.
pub(crate) fn phone_of<'a>(apps: impl Iterator<Item = &'a str>, seed: u64) -> SimDriver {
    SimDriver::new(options_of(apps, seed)).unwrap()
}

/// The options of such a phone.
pub(crate) fn options_of<'a>(apps: impl Iterator<Item = &'a str>, seed: u64) -> SimOptions {
    let mut options = SimOptions {
        seed,
        ..SimOptions::default()
    };
    for (place, yaml) in apps.enumerate() {
        options.apps.push(AppSource::Text {
            name: format!("app {place}"),
            yaml: yaml.to_owned(),
        });
    }
    options.recordings = recordings();
    options
}

/// A new folder for the recordings of one phone; it does not exist yet.
fn recordings() -> PathBuf {
    static PHONES: AtomicU32 = AtomicU32::new(0);
    let phone = PHONES.fetch_add(1, Ordering::Relaxed);
    let name = format!("clawperator-engine-{}-{phone}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    match std::fs::remove_dir_all(&folder) {
        Ok(()) => {}
        Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound, "{}", folder.display()),
    }
    folder
}

/// A plan of these actions, with `options` merged into its top level.
pub(crate) fn plan(actions: Value, options: Option<Value>) -> Execution {
    let mut payload = testkit::plan("cmd", actions);
    for (key, value) in options
        .as_ref()
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        payload[key] = value.clone();
    }
    match Execution::from_value(&payload) {
        Ok(parsed) => parsed.execution,
        Err(invalid) => panic!("{payload:#}\n{invalid:?}"),
    }
}

/// Like [`plan`], with the longest timeout unless `options` has one: for devices in real time on loaded
/// machines.
pub(crate) fn patient_plan(actions: Value, options: Option<Value>) -> Execution {
    let mut options = options.unwrap_or_else(|| json!({}));
    if options.get("timeoutMs").is_none() {
        options["timeoutMs"] = json!(120_000);
    }
    plan(actions, Some(options))
}

/// Runs a plan.
pub(crate) async fn run(phone: &mut dyn Driver, execution: &Execution) -> Report {
    let cx = Cx::new(execution.timeout().to_duration(), CancellationToken::new());
    run_within(phone, execution, &cx).await
}

/// Runs a plan in the given context.
pub(crate) async fn run_within(phone: &mut dyn Driver, execution: &Execution, cx: &Cx) -> Report {
    engine::run(phone, execution, &mut Album::default(), cx, &mut |_| {}).await
}

/// A report as JSON, with its warnings after the outcome.
pub(crate) fn json_of(report: &Report) -> Value {
    let mut answer = match &report.outcome {
        Ok(envelope) => serde_json::to_value(envelope),
        Err(error) => serde_json::to_value(error),
    }
    .unwrap();
    if !report.warnings.is_empty() {
        let warnings: &[Warning] = &report.warnings;
        answer["warnings"] = serde_json::to_value(warnings).unwrap();
    }
    answer
}
