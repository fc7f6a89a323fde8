//! On a settled page a step that cannot succeed fails soon; where the page may still change by itself, it waits.

use std::time::Duration;

use driver::{Driver, Target};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::Browser;
use engine::Report;
use serde_json::{Value, json};
use testkit::web::{Reply, ResponseFn, Web};

use crate::phone::{patient_plan, run};
use crate::web::{chromium, cx};

const PAGE: &str = "<!doctype html><meta charset=utf-8><style>
     body { margin: 0 } .over { position: fixed; inset: 0; margin: 0; background: #0008 } .panel { background: white; margin: 99px }
     @keyframes turn { to { rotate: 1turn } } #wheel { animation: turn 1s infinite; width: 40px; height: 40px }
   </style>
   <button>Buy</button><button disabled>Pay</button><input id=hidden hidden><div style='height: 3000px'>Long</div><button>Last</button>
   <div id=shown></div>";

/// What covers the page, and whether it goes by itself.
const MODAL: &str = "<div class=over role=dialog aria-modal=true><div class=panel>Sure? <button aria-label=Close>⨯</button></div></div>";
const SHADE_BEFORE_DIALOG: &str = "<div class=over></div><div role=dialog class=panel style='position: fixed; top: 200px'>Sure? <button>Cancel</button></div>";
const MENU: &str = "<ul role=menu class=over style='height: 200px'><li role=menuitem>Copy<li role=menuitem>Paste</ul>";
const HEADER: &str = "<header class=over style='bottom: auto; height: 100px'>News</header>";

const GOES: &str = "<script>setTimeout(() => shown.remove(), 1200)</script>";
const WAITING: [&str; 5] = [
    "<div class=over role=progressbar></div>",
    "<div class=over><div id=wheel>Loading</div></div>",
    "<div class=over></div>",
    "<div role=status class=over style='height: 100px'>Saved <button>Undo</button></div>",
    "<div class=over style='height: 40px; width: 200px'>Saved <button>Undo</button></div>",
];

fn page_with(cover: &str) -> String {
    format!("{PAGE}<script>shown.innerHTML = {}</script>", json!(cover))
}

fn web() -> Web {
    let web = Web::start();
    web.page("/plain", PAGE);
    for (path, cover) in [
        ("/modal", MODAL),
        ("/shade", SHADE_BEFORE_DIALOG),
        ("/menu", MENU),
        ("/header", HEADER),
    ] {
        web.page(path, &page_with(cover));
    }
    for (index, cover) in WAITING.iter().enumerate() {
        web.page(&format!("/waiting/{index}"), &(page_with(cover) + GOES));
    }
    let slow = |_: &_| {
        std::thread::sleep(Duration::from_millis(1200));
        "Late".to_owned()
    };
    web.reply("/slow", Reply::Made(ResponseFn::new(slow)));
    web.page(
        "/loading",
        "<!doctype html><meta charset=utf-8><p id=text>Loading orders…</p><script>setTimeout(() => { text.innerHTML = '<button>Late</button>' }, 2500)</script>",
    );
    // The browser reports the end of an answer late if no script reads it.
    web.page("/tick", &"tick".repeat(1000));
    web.page(
        "/polls",
        &format!("{PAGE}<script>setInterval(() => fetch('/tick'), 300)</script>"),
    );
    web.page(
        "/late",
        &format!("{PAGE}<script>fetch('/slow').then(async (reply) => {{ shown.innerHTML = `<button>${{await reply.text()}}</button>` }})</script>"),
    );
    web
}

struct Page {
    web: Web,
    driver: ChromeDriver,
}

impl Page {
    /// What a step says on the page at this path, and how long it took.
    async fn run(&mut self, path: &str, kind: &str, params: Value) -> (Report, Duration) {
        let uri = self.web.url(path);
        self.run_at(&uri, kind, params).await
    }

    /// Returns when the page is known to be unchanged for as long as a step would wait for it.
    async fn wait_until_still(&mut self) {
        let still_for = |page: &mut Self| {
            let browser = page.driver.browser().unwrap();
            let since = browser.loading(Duration::ZERO).unchanged_since;
            since.map_or(Duration::ZERO, |since| since.elapsed())
        };
        while still_for(self) < Duration::from_millis(800) {
            self.driver.observe(&cx()).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn run_at(&mut self, uri: &str, kind: &str, params: Value) -> (Report, Duration) {
        let start = Target::Uri(uri.to_owned());
        self.driver.open(&cx(), &start).await.unwrap();
        let plan = json!([{ "id": "step", "type": kind, "params": params }]);
        let options = json!({ "observe": "none" });
        let begun = std::time::Instant::now();
        let report = run(&mut self.driver, &patient_plan(plan, Some(options))).await;
        (report, begun.elapsed())
    }
}

fn text(text: &str) -> Value {
    json!({ "matcher": { "textEquals": text } })
}

/// The code and the message of a failed step; empty if it succeeded.
fn failure(report: &Report) -> (String, String) {
    let step = &report.outcome.as_ref().unwrap().step_results[0];
    let data = |key| step.data.get(key).unwrap_or_default().to_owned();
    (data("error"), data("message"))
}

#[tokio::test]
async fn steps_that_cannot_succeed_fail_soon_on_a_settled_page() {
    let chromium = chromium("settled-page").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let id = browser.tabs().await.unwrap().remove(0).id;
    let tab = browser.attach(&id).await.unwrap();
    let driver = ChromeDriver::open(tab, &cx()).await.unwrap();
    let mut page = Page { web: web(), driver };
    // A policy of the plan is carried out to its end; this one has the default pauses, but for one of a millisecond less.
    let mut patient = text("Nope");
    patient["retry"] = json!({ "maxAttempts": 5, "initialDelayMs": 500, "maxDelayMs": 2999, "backoffMultiplier": 2, "jitterRatio": 0 });
    let (report, patience) = page.run("/plain", "click", patient).await;
    let not_found = "NODE_NOT_FOUND";
    assert_eq!(failure(&report).0, not_found, "{report:#?}");
    let not_clickable = "NODE_NOT_CLICKABLE";
    let in_nothing =
        json!({ "matcher": { "textEquals": "Buy" }, "container": { "resourceId": "none" } });
    let hidden = json!({ "matcher": { "css": "#hidden" }, "text": "x" });
    let drag = json!({ "from": text("Buy"), "to": text("Nope") });
    for (path, kind, params, code, message) in [
        ("/plain", "click", text("Nope"), not_found, ""),
        ("/plain", "hover", text("Nope"), not_found, ""),
        ("/plain", "read_text", text("Nope"), not_found, ""),
        ("/plain", "enter_text", hidden, not_found, ""),
        ("/plain", "drag", drag, not_found, ""),
        ("/plain", "scroll_until", text("Nope"), not_found, ""),
        ("/plain", "scroll_and_click", text("Nope"), not_found, ""),
        ("/polls", "click", text("Nope"), not_found, ""),
        ("/plain", "click", in_nothing, "CONTAINER_NOT_FOUND", ""),
        ("/plain", "click", text("Pay"), not_clickable, "is disabled"),
        (
            "/modal",
            "click",
            text("Buy"),
            not_clickable,
            "to close it try the button \"⨯\"",
        ),
        (
            "/modal",
            "hover",
            text("Buy"),
            not_clickable,
            "covered by the dialog \"Sure?\"",
        ),
        (
            "/shade",
            "click",
            text("Buy"),
            not_clickable,
            "to close it try the button \"Cancel\"",
        ),
        // It is scrolled into view before.
        ("/modal", "click", text("Last"), not_clickable, "covered by"),
        ("/menu", "click", text("Buy"), not_clickable, "covered by"),
        (
            "/header",
            "click",
            text("Buy"),
            not_clickable,
            "covered by header \"News\"",
        ),
    ] {
        let (report, took) = page.run(path, kind, params).await;
        let (found, failure_message) = failure(&report);
        let step = format!("{kind} on {path}: {found} {failure_message} after {took:?}");
        assert!(found == code && failure_message.contains(message), "{step}");
        assert!(took < patience * 2 / 3, "{step}, with retries {patience:?}");
    }
    // A page that has been still for long enough before the run is not watched again.
    for (kind, params, code) in [
        ("click", text("Buy"), not_clickable),
        ("click", text("Pay"), not_clickable),
        ("click", text("Nope"), not_found),
    ] {
        let (_, first) = page.run("/modal", kind, params.clone()).await;
        page.wait_until_still().await;
        let begun = std::time::Instant::now();
        let plan = json!([{ "id": "step", "type": kind, "params": params }]);
        let plan = patient_plan(plan, Some(json!({ "observe": "diff" })));
        let report = run(&mut page.driver, &plan).await;
        assert_eq!(failure(&report).0, code, "{report:#?}");
        let took = begun.elapsed();
        assert!(took < first, "{kind} after {took:?}, before {first:?}");
    }
    for index in 0..WAITING.len() {
        let path = format!("/waiting/{index}");
        let (report, took) = page.run(&path, "click", text("Buy")).await;
        assert_eq!(failure(&report).0, "", "{path} after {took:?}: {report:#?}");
    }
    let (report, took) = page.run_at("about:blank", "click", text("Nope")).await;
    assert_eq!(failure(&report).0, not_found, "after {took:?}: {report:#?}");
    assert!(
        took < patience * 2 / 3,
        "{took:?}, with retries {patience:?}"
    );
    let (report, took) = page.run("/late", "click", text("Late")).await;
    assert_eq!(failure(&report).0, "", "after {took:?}: {report:#?}");
    let all = json!({ "matcher": { "textContains": "ate" }, "all": true });
    let (report, took) = page.run("/late", "read_text", all).await;
    let step = &report.outcome.as_ref().unwrap().step_results[0];
    let read = step.data.get("text");
    assert_eq!(read, Some("[\"Late\"]"), "after {took:?}: {report:#?}");
    // Nothing but its text says that the page waits for something.
    let plan = json!([
        { "id": "open", "type": "open_uri", "params": { "uri": page.web.url("/loading") } },
        { "id": "step", "type": "click", "params": text("Late") },
    ]);
    let plan = patient_plan(plan, Some(json!({ "observe": "none" })));
    let report = run(&mut page.driver, &plan).await;
    assert!(report.outcome.as_ref().unwrap().is_success(), "{report:#?}");
    drop(page.driver.detach().await);
}
