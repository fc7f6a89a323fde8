//! Kills a browser during a plan. At each point the answer reports what happened, nothing happens
//! twice, and the next plan runs in the next browser.

use driver_chrome::ChromeDriver;
use driver_chrome::browser::Browser;
use serde_json::{Value, json};
use testkit::NOTE;
use testkit::web::{Reply, Request, Web};

use crate::phone::{json_of, plan, run_within};
use crate::web::{chromium, cx};

/// A point at which the browser is killed.
struct Point {
    name: &'static str,
    /// The path whose request triggers the kill; `None` kills the browser before the plan begins.
    at: Option<&'static str>,
    /// The step that fails.
    step: &'static str,
    /// The dispatch that the step may report.
    dispatch: &'static [&'static str],
    /// What the page has recorded.
    noted: &'static [&'static str],
}

const POINTS: &[Point] = &[
    Point {
        name: "before the plan",
        at: None,
        step: "open",
        dispatch: &["not_sent"],
        noted: &[],
    },
    Point {
        name: "before the server has answered",
        at: Some("/start"),
        step: "open",
        dispatch: &["sent", "unknown"],
        noted: &[],
    },
    Point {
        name: "while the page loads",
        at: Some("/picture"),
        step: "ready",
        dispatch: &["not_sent"],
        noted: &[],
    },
    Point {
        name: "while a step waits",
        at: Some("/waits"),
        step: "ready",
        dispatch: &["not_sent"],
        noted: &["loaded"],
    },
    Point {
        name: "during a click",
        at: Some("/clicked"),
        step: "click",
        dispatch: &["sent", "unknown"],
        noted: &["loaded", "click"],
    },
    Point {
        name: "during text entry",
        at: Some("/written"),
        step: "text",
        dispatch: &["sent", "unknown"],
        noted: &["loaded", "click", "text"],
    },
];

/// A page whose scripts request the server at each of the points; the plan continues after the answer.
const PAGE: &str = "<title>Points</title><button id=count>Count</button><input id=text><script>
    const ask = (path) => { const asked = new XMLHttpRequest(); asked.open('GET', path, false); asked.send(); };
    addEventListener('load', () => { note('loaded'); setTimeout(() => { ask('/waits'); document.body.append('Ready'); }); });
    count.onclick = () => { note('click'); ask('/clicked'); };
    text.oninput = () => { note('text'); ask('/written'); document.body.append('The end'); };
    </script><img src=/picture>";

fn actions(web: &Web) -> Value {
    json!([
        {"id": "open", "type": "open_uri", "params": {"uri": web.url("/start")}},
        {"id": "ready", "type": "wait_for_node", "params": {"matcher": {"textContains": "Ready"}, "timeoutMs": 20_000}},
        {"id": "click", "type": "click", "params": {"matcher": {"resourceId": "count"}}},
        {"id": "text", "type": "enter_text", "params": {"matcher": {"resourceId": "text"}, "text": "x"}},
        {"id": "end", "type": "wait_for_node", "params": {"matcher": {"textContains": "The end"}, "timeoutMs": 20_000}},
    ])
}

/// A server for the page; it never answers at the point.
fn serve(point: Option<&str>) -> Web {
    let web = Web::start();
    for path in ["/picture", "/waits", "/clicked", "/written"] {
        web.reply(path, Reply::Nothing);
    }
    web.page("/start", &format!("{NOTE}{PAGE}"));
    if let Some(path) = point {
        web.reply(path, Reply::Held(Box::new(Reply::HangUp)));
    }
    web
}

/// Runs the plan and kills the browser at the point; returns the answer, and that of another plan in the same
/// tab.
async fn run_and_kill(web: &Web, point: &Point) -> (Value, Value) {
    let mut chromium = chromium("killed").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let tab = browser.tabs().await.unwrap().remove(0);
    let tab = browser.attach(&tab.id).await.unwrap();
    let mut driver = ChromeDriver::open(tab, &cx()).await.unwrap();
    let execution = plan(actions(web), None);
    if point.at.is_none() {
        chromium.started.child.kill().await.unwrap();
    }
    let killing = async {
        if let Some(path) = point.at {
            web.until(move |asked: &[Request]| asked.iter().any(|each| each.path == path))
                .await;
            chromium.started.child.kill().await.unwrap();
        }
    };
    let whole = cx();
    let (report, ()) = tokio::join!(run_within(&mut driver, &execution, &whole), killing);
    let again = run_within(&mut driver, &execution, &whole).await;
    drop(driver.detach().await);
    (json_of(&report), json_of(&again))
}

#[tokio::test]
async fn killed_browser_leaves_correct_answer() {
    for point in POINTS {
        let web = serve(point.at);
        let (answer, again) = run_and_kill(&web, point).await;
        let context = format!("{}: {answer:#}", point.name);
        let steps = answer["stepResults"]
            .as_array()
            .unwrap_or_else(|| panic!("{context}"));
        let failed = steps.last().unwrap_or_else(|| panic!("{context}"));
        assert_eq!(answer["status"], "failed", "{context}");
        assert_eq!(failed["id"], point.step, "{context}");
        assert_eq!(failed["success"], false, "{context}");
        assert_eq!(failed["data"]["error"], "DEVICE_LOST", "{context}");
        let dispatch = failed["data"]["dispatch"].as_str().unwrap_or_default();
        assert!(point.dispatch.contains(&dispatch), "{context}");
        for step in steps.iter().rev().skip(1) {
            assert_eq!(step["success"], true, "{context}");
        }
        assert_eq!(web.posted("/note"), point.noted, "{context}");
        // The driver of the lost browser refuses further calls.
        let first = &again["stepResults"][0]["data"];
        assert_eq!(first["error"], "DEVICE_LOST", "{again:#}");
        assert_eq!(first["dispatch"], "not_sent", "{again:#}");
        assert_eq!(web.posted("/note"), point.noted, "{again:#}");
    }
    // The next browser starts with an empty record.
    let web = serve(None);
    let next = chromium("killed").await;
    let browser = Browser::connect(&next.started.endpoint).await.unwrap();
    let tab = browser.tabs().await.unwrap().remove(0);
    let tab = browser.attach(&tab.id).await.unwrap();
    let mut driver = ChromeDriver::open(tab, &cx()).await.unwrap();
    let answer = json_of(&run_within(&mut driver, &plan(actions(&web), None), &cx()).await);
    assert_eq!(answer["status"], "success", "{answer:#}");
    assert_eq!(web.posted("/note"), ["loaded", "click", "text"]);
}
