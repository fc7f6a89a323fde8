//! Measures many simulated phones, each at its own pace, and verifies that every action happened once.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::client::{Client, ServerProcess, post};
use crate::numbers::ms;

/// The default number of phones.
pub(super) const PHONES: u32 = 200;
/// The default number of actions per second and phone.
pub(super) const RATE: u32 = 10;
/// The minimum and maximum time before memory is measured first: the bounded buffers are full by then.
const WARM_UP: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));

/// The app of the phones and its file name.
const APP: (&str, &str) = ("counter.yaml", include_str!("../../apps/counter.yaml"));

pub(super) fn write_app(folder: &Path) -> Result<(), String> {
    let (name, text) = APP;
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(folder.join(name), text))
        .map_err(|error| format!("{}: {error}", folder.display()))
}

named! {
    pub enum PhoneAction {
        /// Finds and clicks a button; the phone counts the clicks.
        Click = "click",
        Read = "read",
        Scroll = "scroll",
    }
}

impl PhoneAction {
    fn action(self, number: u32) -> Value {
        let clicks_counted = json!({ "resourceId": "com.example.counter:id/counted" });
        match self {
            Self::Click => json!([{ "id": "a", "type": "click", "params": {
                "matcher": { "resourceId": "com.example.counter:id/count" } } }]),
            Self::Read => {
                json!([{ "id": "a", "type": "read_text", "params": { "matcher": clicks_counted } }])
            }
            Self::Scroll => json!([{ "id": "a", "type": "scroll", "params": {
                "direction": if number.is_multiple_of(2) { "down" } else { "up" }, "settleDelayMs": 0 } }]),
        }
    }
}

/// The load: phones and rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub(super) action: PhoneAction,
    pub(super) phones: u32,
    pub(super) rate: u32,
    pub(super) duration: Duration,
}

#[derive(Debug, Default)]
pub(super) struct LoadResult {
    pub(super) requested: u64,
    /// The number of answers before the phone's next action was due.
    pub(super) in_time: u64,
    /// The number of actions with a wrong answer, lost, or done twice, according to the phones' counters.
    pub(super) wrong: u64,
    /// From the time an action was due to its answer, in milliseconds.
    pub(super) times: Vec<f64>,
    /// From the first action to the last answer.
    pub(super) took: Duration,
    /// The server's memory in megabytes: with all phones open, when warm, and at the end.
    pub(super) memory: [f64; 3],
    /// The server's processor time per action, in milliseconds.
    pub(super) cpu_seconds: f64,
}

impl LoadResult {
    /// The number of answered actions per second.
    pub(super) fn answered_per_second(&self) -> f64 {
        self.times.len() as f64 / self.took.as_secs_f64()
    }
}

struct Phone {
    device: String,
    client: Client,
    /// The number of clicks on its button, according to answers.
    clicked: u64,
}

impl Phone {
    async fn open(served: &ServerProcess, number: u32) -> Result<Self, String> {
        let mut phone = Self {
            device: format!("sim#{number}:{}", APP.0),
            client: Client::new(&served.address).await?,
            clicked: 0,
        };
        match phone.clicks_counted().await? {
            0 => Ok(phone),
            count => Err(format!("{} begins at {count}", phone.device)),
        }
    }

    /// Requests an action; an error if its answer is wrong.
    async fn act(&mut self, name: &str, actions: Value) -> Result<Value, String> {
        let body = json!({ "deviceId": self.device, "execution": testkit::plan(name, actions) });
        let answer = self.client.request(&post("/execute", &body)).await;
        let (status, answer_json) = answer.map_err(|error| error.to_string())?;
        let answer_json = serde_json::from_slice(&answer_json);
        let mut answer_json: Value = answer_json.map_err(|error| error.to_string())?;
        let envelope = answer_json["envelope"].take();
        let right = status == 200
            && answer_json["deviceId"] == *self.device
            && envelope["commandId"] == name
            && envelope["status"] == "success"
            && envelope["stepResults"].as_array().map_or(0, Vec::len) == 1;
        let wrong = || format!("{status} {answer_json} {envelope}");
        right.then(|| envelope.clone()).ok_or_else(wrong)
    }

    /// The number of clicks on its button, according to the phone.
    async fn clicks_counted(&mut self) -> Result<u64, String> {
        let read = PhoneAction::Read.action(0);
        let envelope = self.act("count", read).await?;
        let text = &envelope["stepResults"][0]["data"]["text"];
        let count = text.as_str().and_then(|text| text.strip_prefix("Counted "));
        count
            .and_then(|count| count.parse().ok())
            .ok_or_else(|| format!("it says {text}"))
    }

    /// Requests every action when it is due, late or not.
    async fn drive(mut self, load: Load, started: Instant) -> (LoadResult, Self) {
        let pause = Duration::from_secs(1) / load.rate;
        let (mut driven, mut number) = (LoadResult::default(), 0);
        while pause * number < load.duration {
            let moment = started + pause * number;
            tokio::time::sleep_until(moment.into()).await;
            driven.requested += 1;
            let name = format!("{}-{number}", self.device);
            let done = self.act(&name, load.action.action(number)).await;
            let took = moment.elapsed();
            driven.times.push(ms(took));
            driven.in_time += u64::from(took <= pause);
            match done {
                Ok(_) => self.clicked += u64::from(load.action == PhoneAction::Click),
                Err(_) => driven.wrong += 1,
            }
            number += 1;
        }
        (driven, self)
    }
}

pub(super) async fn drive(served: &ServerProcess, load: Load) -> Result<LoadResult, String> {
    let mut phones = Vec::new();
    for number in 0..load.phones {
        phones.push(Phone::open(served, number).await?);
    }
    let opened = served.memory();
    let before = served.cpu_seconds();
    let started = Instant::now();
    let mut driving = JoinSet::new();
    for (place, phone) in (0_u32..).zip(phones) {
        // The phones start at different moments.
        let offset = Duration::from_secs(1) / load.rate * place / load.phones;
        driving.spawn(phone.drive(load, started + offset));
    }
    let (minimum, most) = WARM_UP;
    let warming = (load.duration / 10).clamp(minimum, most).min(load.duration);
    tokio::time::sleep_until((started + warming).into()).await;
    let warm = served.memory();
    let (mut all, mut phones) = (LoadResult::default(), Vec::new());
    while let Some(done) = driving.join_next().await {
        let (one, phone) = done.map_err(|error| error.to_string())?;
        all.requested += one.requested;
        all.in_time += one.in_time;
        all.wrong += one.wrong;
        all.times.extend(one.times);
        phones.push(phone);
    }
    all.took = started.elapsed();
    all.memory = [opened, warm, served.memory()];
    all.cpu_seconds = (served.cpu_seconds() - before) * 1000.0 / all.times.len().max(1) as f64;
    for mut phone in phones {
        // An action with a wrong answer was counted already.
        all.wrong += phone.clicks_counted().await?.abs_diff(phone.clicked);
    }
    Ok(all)
}
