//! Retries on a device that reports what its screen is loading.

use std::time::Duration;

use async_trait::async_trait;
use driver::{ActOutcome, Capabilities, Cx, Driver, Loading, NodeAct, NodeRef};
use driver_sim::SimDriver;
use serde_json::json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::Refs;

use crate::adapted::{Adapted, Adapter};
use crate::phone::{json_of, phone, plan, run};
use crate::stale_refs::PersistentRefs;

/// A device that reports what its screen is loading: nothing.
struct LoadingReporter;

#[async_trait]
impl Adapter for LoadingReporter {
    fn change_capabilities(&self, capabilities: &mut Capabilities) {
        capabilities.loading = true;
    }
}

/// A device with a request that is answered at this time.
struct Request {
    until: Instant,
}

#[async_trait]
impl Adapter for Request {
    fn change_capabilities(&self, capabilities: &mut Capabilities) {
        capabilities.loading = true;
    }

    fn loading(&mut self, _within: Duration) -> Loading {
        let is_answered = self.until <= Instant::now();
        Loading {
            requests: usize::from(!is_answered),
            ended_at: is_answered.then_some(self.until),
            ..Loading::default()
        }
    }
}

/// A device whose last act sent a request that gets no answer.
struct PendingRequestDevice {
    sent: Option<Instant>,
}

#[async_trait]
impl Adapter for PendingRequestDevice {
    fn change_capabilities(&self, capabilities: &mut Capabilities) {
        capabilities.loading = true;
    }

    fn loading(&mut self, within: Duration) -> Loading {
        let is_recent = |sent: Instant| sent.elapsed() <= within;
        Loading {
            requests: usize::from(self.sent.is_some_and(is_recent)),
            ..Loading::default()
        }
    }

    async fn act(
        &mut self,
        phone: &mut SimDriver,
        cx: &Cx,
        node: NodeRef,
        act: &NodeAct,
    ) -> driver::Result<ActOutcome> {
        self.sent = Some(Instant::now());
        phone.act(cx, node, act).await
    }
}

#[tokio::test(start_paused = true)]
async fn request_without_an_answer_is_a_warning_after_the_wait() {
    let app = "
app: com.example.form
label: Form
start: home
screens:
  home:
    title: Form
    body:
      - button: { text: Send, on_click: [] }
";
    let mut device = Adapted::new(
        phone([app].into_iter()),
        PendingRequestDevice { sent: None },
    );
    let actions = json!([
        {"id": "open", "type": "open_app", "params": {"applicationId": "com.example.form"}},
        {"id": "send", "type": "click", "params": {"matcher": {"textEquals": "Send"}}},
    ]);
    let report = run(
        &mut device,
        &plan(actions, Some(json!({"observe": "diff"}))),
    )
    .await;
    let warnings: Vec<&str> = report
        .warnings
        .iter()
        .map(|warning| &*warning.message)
        .collect();
    let [warning] = warnings.as_slice() else {
        panic!("{warnings:?}");
    };
    assert!(
        warning.ends_with("ms: a request of its page had no answer"),
        "{warning}"
    );
}

/// The pause before a screen is final counts from the answer, not from the engine's last request.
#[tokio::test(start_paused = true)]
async fn control_that_an_answer_enables_is_clicked() {
    for answered in [700, 800, 990, 1010, 1200, 1490] {
        let enabled = answered + 400;
        let app = format!(
            "
app: com.example.form
label: Form
start: home
state: {{ ready: false, sent: no }}
screens:
  home:
    title: Form
    timers: [ {{ after: {enabled}ms, do: [ {{ set: {{ ready: true }} }} ] }} ]
    body:
      - text: \"sent {{sent}}\"
      - button: {{ text: Send, enabled: ready, on_click: {{ set: {{ sent: \"yes\" }} }} }}
"
        );
        let mut phone = phone([&*app].into_iter());
        let open = json!([{"id": "open", "type": "open_app", "params": {"applicationId": "com.example.form"}}]);
        let answer = json_of(&run(&mut phone, &plan(open, None)).await);
        assert_eq!(answer["status"], "success", "{answer:#}");
        let until = Instant::now() + Duration::from_millis(answered);
        let mut device = Adapted::new(phone, Request { until });
        let send = json!([
            {"id": "send", "type": "click", "params": {"matcher": {"textEquals": "Send"}}},
            {"id": "sent", "type": "wait_for_node", "params": {"matcher": {"textEquals": "sent yes"}}},
        ]);
        let answer = json_of(&run(&mut device, &plan(send, None)).await);
        assert_eq!(answer["status"], "success", "{answered} ms: {answer:#}");
    }
}

/// A device whose page has not changed since this time.
struct StillDevice {
    since: Instant,
}

#[async_trait]
impl Adapter for StillDevice {
    fn change_capabilities(&self, capabilities: &mut Capabilities) {
        capabilities.loading = true;
    }

    fn loading(&mut self, _within: Duration) -> Loading {
        Loading {
            unchanged_since: Some(self.since),
            ..Loading::default()
        }
    }
}

#[tokio::test(start_paused = true)]
async fn step_fails_at_once_on_a_screen_that_was_still_before_the_run() {
    let app = "
app: com.example.form
label: Form
start: home
screens:
  home:
    title: Form
    body:
      - button: { text: Send, enabled: \"false\", on_click: [] }
";
    let mut phone = phone([app].into_iter());
    let open = json!([{"id": "open", "type": "open_app", "params": {"applicationId": "com.example.form"}}]);
    run(&mut phone, &plan(open, None)).await;
    let since = Instant::now();
    let mut device = Adapted::new(phone, StillDevice { since });
    for (text, still, expected) in [
        ("Send", 1000, 0..100),
        ("Nope", 1000, 0..100),
        ("Send", 200, 250..400),
        ("Nope", 200, 450..600),
    ] {
        let still = Duration::from_millis(still);
        tokio::time::sleep(still).await;
        device.adapter.since = Instant::now() - still;
        let begun = Instant::now();
        let click =
            json!([{"id": "c", "type": "click", "params": {"matcher": {"textEquals": text}}}]);
        let report = run(&mut device, &plan(click, Some(json!({"observe": "diff"})))).await;
        assert!(!report.outcome.unwrap().is_success());
        let took = begun.elapsed().as_millis();
        assert!(expected.contains(&took), "{text}, {still:?}: {took} ms");
    }
}

/// The work began before the run, so that its screen shows no new progress.
#[tokio::test(start_paused = true)]
async fn reference_is_waited_for_while_the_screen_shows_progress() {
    for (at_work, code) in [
        ("progress: {}", None),
        ("button: { text: \"Checking…\", enabled: \"false\" }", None),
        ("text: \"Checked\"", Some("REF_STALE")),
    ] {
        let (kind, content) = at_work.split_once(": ").unwrap();
        let content = match content {
            "{}" => "{ visible: busy }".to_owned(),
            text if text.starts_with('"') => format!("{{ text: {text}, visible: busy }}"),
            fields => fields.replace(" }", ", visible: busy }"),
        };
        let app = format!(
            "
app: com.example.form
label: Form
start: home
state: {{ busy: false }}
screens:
  home:
    title: Form
    timers:
      - {{ after: 1000ms, do: [ {{ set: {{ busy: true }} }} ] }}
      - {{ after: 3000ms, do: [ {{ set: {{ busy: false }} }} ] }}
    body:
      - button: {{ text: Check, visible: not busy, on_click: [] }}
      - {kind}: {content}
"
        );
        let mut device = Adapted::new(phone([&*app].into_iter()), LoadingReporter);
        let open = json!([{"id": "open", "type": "open_app", "params": {"applicationId": "com.example.form"}}]);
        run(&mut device, &plan(open, None)).await;
        let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
        let seen = device.observe(&cx).await.unwrap();
        let refs = Refs::default();
        let given = refs.lock().assign(&seen.tree);
        let check = seen.tree.find(&uitree::Query::new().text("Check")).unwrap();
        let check = given.get(check).unwrap();
        tokio::time::sleep(Duration::from_millis(1200)).await;
        let click = json!([{"id": "c", "type": "click", "params": {"matcher": {"ref": check}}}]);
        let click = plan(click, None);
        let begun = Instant::now();
        let mut artifacts = PersistentRefs(refs);
        let report = engine::run(&mut device, &click, &mut artifacts, &cx, &mut |_| {}).await;
        let answer = json_of(&report);
        assert_eq!(answer["errorCode"].as_str(), code, "{at_work}: {answer:#}");
        assert!(begun.elapsed() < Duration::from_secs(if code.is_some() { 1 } else { 3 }));
    }
}
