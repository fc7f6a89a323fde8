//! Screens of the simulated phone, found by pressing the controls of its apps in order.

use contract::Execution;
use serde_json::{Value, json};
use service::{Options, Service};
use tokio_util::sync::CancellationToken;

const APPS: [&str; 9] = [
    "com.android.launcher3",
    "com.android.settings",
    "com.android.browser",
    "com.example.mail",
    "com.example.shop",
    "com.example.chat",
    "com.example.maps",
    "com.example.forms",
    "com.example.torture",
];

/// How many screens of an app are kept at most.
const MAX_SCREENS: usize = 4;

/// How many controls of an app's first screen are pressed at most.
const MAX_PRESSES: usize = 24;

/// An app on a new phone.
struct AppVisit {
    service: Service,
    runtime: tokio::runtime::Runtime,
    plans: u32,
}

/// A screen: its name, and its views: all of it, and what can be acted on.
pub(crate) type PhoneScreen = (String, [String; 2]);

pub(crate) fn all() -> Result<Vec<PhoneScreen>, String> {
    let visits = std::thread::spawn(|| {
        let mut screens = Vec::new();
        for app in APPS {
            screens.extend(screens_of(app)?);
        }
        Ok(screens)
    });
    visits
        .join()
        .map_err(|_| "the visits of the apps panicked".to_owned())?
}

/// The first screen of an app, and what its controls open.
fn screens_of(app: &str) -> Result<Vec<PhoneScreen>, String> {
    let mut visit = AppVisit::new()?;
    let (first, controls) = visit.open(app)?;
    let mut seen = vec![first];
    for control in controls.iter().take(MAX_PRESSES) {
        if seen.len() == MAX_SCREENS {
            break;
        }
        // A new phone, so that each control is pressed on the first screen.
        let mut visit = AppVisit::new()?;
        visit.open(app)?;
        let click =
            json!({ "id": "c", "type": "click", "params": { "matcher": { "ref": control } } });
        if !visit.run(json!([click]))?.1 {
            continue;
        }
        let (screen, _) = visit.read()?;
        if !seen.contains(&screen) {
            seen.push(screen);
        }
    }
    let name = app.rsplit('.').next().unwrap_or(app);
    let named = seen.into_iter().enumerate();
    Ok(named
        .map(|(number, views)| (format!("{name} {}", number + 1), views))
        .collect())
}

impl AppVisit {
    fn new() -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .map_err(|error| error.to_string())?;
        let options = Options {
            gives_refs: true,
            ..Options::default()
        };
        Ok(Self {
            service: Service::new(options),
            runtime,
            plans: 0,
        })
    }

    /// Runs actions; returns the data of the steps and whether all succeeded.
    fn run(&mut self, actions: Value) -> Result<(Vec<Value>, bool), String> {
        self.plans += 1;
        let mut plan = testkit::plan(&format!("visit-{}", self.plans), actions);
        plan["timeoutMs"] = 60_000.into();
        let parsed = Execution::from_value(&plan).map_err(|error| format!("{error:?}"))?;
        let mut unheard = |_: &service::Event<'_>| {};
        let cancel = CancellationToken::new();
        let ran = self
            .service
            .execute(Some("sim"), parsed, cancel, &mut unheard);
        let answer = self.runtime.block_on(ran).map_err(|error| error.message)?;
        let answer = json!(answer);
        let steps = answer["envelope"]["stepResults"].as_array();
        let data = steps.into_iter().flatten().map(|step| step["data"].clone());
        Ok((data.collect(), answer["envelope"]["status"] == "success"))
    }

    /// Opens an app; returns its views and the references of its controls.
    fn open(&mut self, app: &str) -> Result<([String; 2], Vec<String>), String> {
        let open = json!([{ "id": "o", "type": "open_app", "params": { "applicationId": app } }]);
        match self.run(open)?.1 {
            true => self.read(),
            false => Err(format!("{app} does not open")),
        }
    }

    /// Both views of the screen, and the references on it.
    fn read(&mut self) -> Result<([String; 2], Vec<String>), String> {
        let snapshot =
            |view: &str| json!({ "id": view, "type": "snapshot_ui", "params": { "view": view } });
        let pause = json!({ "id": "p", "type": "sleep", "params": { "durationMs": 1_000 } });
        let (data, read) = self.run(json!([pause, snapshot("text"), snapshot("actionable")]))?;
        let text = |at: usize| {
            data.get(at)
                .and_then(|data| data["text"].as_str())
                .map(str::to_owned)
        };
        let (Some(full), Some(actionable), true) = (text(1), text(2), read) else {
            return Err("the screen was not read".to_owned());
        };
        let last_words = full.lines().filter_map(|line| line.rsplit(' ').next());
        let is_ref = |word: &&str| {
            let number = word.strip_prefix('e').unwrap_or_default();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let refs = last_words.filter(is_ref).map(str::to_owned).collect();
        Ok(([full, actionable], refs))
    }
}
