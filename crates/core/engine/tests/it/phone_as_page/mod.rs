//! Runs the scenarios of phones on a page in a real browser. The page mirrors the screen of a simulated phone,
//! one element per node, and forwards events on its elements to the phone. The same plans have the same
//! results.

mod phone;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use driver::{Driver, Target};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{Browser, LoadState, TabState};
use serde_json::{Value, json};
use testkit::web::{Reply, ResponseFn, Web};
use testkit::{Scenario, shortened};

use self::phone::MirroredPhone;
use crate::over_adb::{by_finger, differ, without_durations};
use crate::phone::{json_of, plan, run_within};
use crate::web::{chromium, cx};

const PAGE: &str = include_str!("phone.html");

/// The number of parallel browsers: they mostly wait.
const AT_ONCE: usize = 3;

/// How often a scenario with another result is tried again.
const RETRIES: usize = 3;

/// Actions that only phones support: a mirrored page has no counterpart.
const OF_PHONES: &[(&str, &str)] = &[
    ("open_app", "a tab is no app that starts"),
    ("close_app", "a tab is no app that ends"),
    ("open_uri", "a url leads to another page than the screen"),
    (
        "press_key",
        "back is a step of the tab; most keys are none of a page",
    ),
    (
        "scroll",
        "a screen is not longer than the window it is shown in",
    ),
    ("scroll_until", "as with scroll"),
    ("scroll_and_click", "as with scroll"),
    ("snapshot_ui", "a page has fewer nodes, and one window"),
    ("drag", "a mouse does not hold still before it moves"),
    ("start_recording", "nothing records"),
    ("stop_recording", "nothing records"),
    ("take_screenshot", "the same picture is other bytes"),
    (
        "read_clipboard",
        "a browser shares the clipboard of the person at the computer",
    ),
    ("set_clipboard", "as with read_clipboard"),
    ("set_orientation", "a page has no orientation"),
];

/// The scenarios whose result differs on a page, each with the reason.
const OTHERWISE: &[(&str, &str)] = &[
    (
        "click-double",
        "a page may listen anywhere: what is named is clicked",
    ),
    (
        "enter-text-slider",
        "a slider that a page builds takes keys and no text",
    ),
    (
        "enter-text-slider-append",
        "the page says what its field takes",
    ),
    (
        "enter-text-slider-range",
        "the page says what its field takes",
    ),
    (
        "enter-text-slider-words",
        "the page says what its field takes",
    ),
    ("click-right-refused", "a page has a mouse"),
    ("hover-refused", "a page has a mouse"),
    ("resize-window-refused", "a page has a window"),
    ("select-options-refused", "a page has lists of options"),
    ("click-focus", "a page gives the focus without a click"),
    (
        "read-text-all",
        "white space that a browser draws as one sign is one",
    ),
    (
        "click-list",
        "a page may listen anywhere: what is named is clicked",
    ),
    (
        "click-long-behind-drawer",
        "the mouse finds what of it is free",
    ),
    (
        "click-long-behind-sheet",
        "the mouse finds what of it is free",
    ),
    (
        "click-long-behind-snackbar",
        "the mouse finds what of it is free",
    ),
    ("click-long-covered", "the browser tells what lies over it"),
    (
        "click-off-screen",
        "the page shows what can be seen of the phone",
    ),
    (
        "click-plain-text",
        "a page may listen anywhere: what is named is clicked",
    ),
    ("click-not-found", "a row that holds only words is one node"),
    ("click-several", "a row that holds only words is one node"),
    (
        "click-prefers-what-can-be-clicked",
        "a page has headings in place of the title",
    ),
    ("explain-missing", "a row that holds only words is one node"),
    ("explain-several", "a row that holds only words is one node"),
    (
        "read-text-several",
        "white space that a browser draws as one sign is one",
    ),
    (
        "click-behind-dialog",
        "a page keeps what is behind its dialogs",
    ),
    ("click-under-dialog-waits", "what lies under it can be seen"),
    ("css-not-supported", "a page takes selectors"),
    ("enter-text-not-a-field", "the page says what it is"),
    (
        "enter-text-submit-several-lines",
        "the tree does not tell of how many lines a field is",
    ),
    ("interrupts-css-on-phone", "a page takes selectors"),
    ("interrupts-while-waiting", "back is a step of the tab"),
    (
        "keyboard-covers",
        "the mouse does not reach what is covered",
    ),
    (
        "on-failure-stop",
        "a button that holds only words is one node",
    ),
    (
        "wait-for-node-container",
        "the words that vanish stay in no tree",
    ),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_scenarios_have_same_results_on_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/scenarios");
    let scenarios = testkit::folder(&folder).unwrap().into_iter();
    let waiting: VecDeque<Scenario> = scenarios.filter(is_for_a_page).collect();
    let waiting = Arc::new(Mutex::new(waiting));
    let mut playing = tokio::task::JoinSet::new();
    for number in 0..AT_ONCE {
        let waiting = Arc::clone(&waiting);
        playing.spawn(async move {
            let chromium = chromium(&format!("mirror-{number}")).await;
            let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
            let mut played = Vec::new();
            loop {
                let next = waiting
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .pop_front();
                let Some(scenario) = next else { break };
                let mut result = play(&browser, &scenario).await;
                // On a busy computer, the page may draw a screen of the phone too late.
                for _ in 0..RETRIES {
                    let (name, differences) = &result;
                    if !differences.is_empty() && !OTHERWISE.iter().any(|(its, _)| its == name) {
                        result = play(&browser, &scenario).await;
                    }
                }
                played.push(result);
            }
            played
        });
    }
    let (mut same, mut problems) = (0, Vec::new());
    while let Some(played) = playing.join_next().await {
        for (name, differences) in played.unwrap() {
            let reason = OTHERWISE.iter().find(|(its, _)| *its == name);
            match (differences.is_empty(), reason) {
                (true, None) => same += 1,
                (false, Some(_)) => {}
                (true, Some((_, reason))) => {
                    problems.push(format!("{name} comes to the same, although {reason}"));
                }
                (false, None) => problems.push(format!("{name}{differences}")),
            }
        }
    }
    problems.sort();
    assert!(
        problems.is_empty(),
        "{same} are the same\n{}",
        problems.join("\n")
    );
    assert!(same > 45, "{same}");
}

/// Whether a plan uses nothing that only phones have, and does not depend on the speed of its steps.
fn is_for_a_page(scenario: &Scenario) -> bool {
    let asks = |block: &str, name: &str| {
        let type_entry = format!("\"type\": \"{name}\"");
        scenario
            .blocks(block)
            .any(|text| text.contains(&type_entry))
    };
    // The setup opens the app before the page shows it; a screen turned off shows nothing to mirror.
    let is_off = asks("json setup", "press_key");
    let is_of_phones = is_off || OF_PHONES.iter().any(|(name, _)| asks("json actions", name));
    // A slow machine may find too late what a fast one finds in time; only waits have the same result on both.
    let result = scenario.json("json result").unwrap().unwrap_or_default();
    let is_a_race = scenario.is_timed() && result["status"] != "success";
    let has_faults = scenario.blocks("text faults").next().is_some();
    // It ends in the same millisecond in which the row appears.
    let is_exact = scenario.path.ends_with("wait-for-node-fraction.md");
    !is_of_phones && !is_a_race && !has_faults && !is_exact
}

/// Runs a scenario on a phone in its own tab; returns its name and how the result differs.
async fn play(browser: &Browser, scenario: &Scenario) -> (String, String) {
    let name = scenario.name();
    let mirrored_phone = MirroredPhone::start(scenario);
    let web = Web::start();
    web.page("/", PAGE);
    let answering_phone = mirrored_phone.clone();
    web.reply(
        "/phone",
        Reply::Made(ResponseFn::new(move |request| {
            answering_phone.ask(&request.body)
        })),
    );
    let before = browser.tabs().await.unwrap();
    let id = browser.open_tab("about:blank").await.unwrap();
    let tab = browser.attach(&id).await.unwrap();
    for tab in before {
        let browser = browser.clone();
        // Closes in the background.
        tokio::spawn(async move { drop(browser.close_tab(&tab.id).await) });
    }
    let size = json!({"width": 1080, "height": 2340, "deviceScaleFactor": 1, "mobile": false});
    let sized = tab
        .session()
        .call_raw("Emulation.setDeviceMetricsOverride", &size);
    sized.await.unwrap();
    let mut driver = ChromeDriver::open(tab, &cx()).await.unwrap();
    let (app, host) = (
        mirrored_phone.front(),
        format!("{}.localhost:{}", mirrored_phone.front(), web.port()),
    );
    let start = Target::Uri(format!("http://{host}/"));
    driver.open(&cx(), &start).await.unwrap();
    let mut state = driver.tab().unwrap().watch();
    let shown = |state: &TabState| {
        let document = state.document.as_ref();
        document.is_some_and(|document| document.loading == LoadState::Complete)
    };
    drop(state.wait_for(shown).await.unwrap());
    mirrored_phone.let_time_pass();
    let hosted = |value: Option<Value>| -> Option<Value> {
        let text = value?.to_string();
        let package = format!("\"expectedPackage\":\"{app}\"");
        let expected = format!("\"expectedPackage\":\"{host}\"");
        serde_json::from_str(&text.replace(&package, &expected)).ok()
    };
    let actions = hosted(scenario.json("json actions").unwrap()).unwrap();
    let execution = plan(actions, scenario.json("json options").unwrap());
    let answer = json_of(&run_within(&mut driver, &execution, &cx()).await).to_string();
    drop(driver.detach().await);
    let answer: Value = serde_json::from_str(&answer.replace(&host, &app)).unwrap();
    let expected = scenario.json("json result").unwrap().unwrap();
    let found = without_durations(shortened(answer));
    let expected = by_finger(without_durations(expected), &found);
    (name, differ("", &expected, &found))
}
