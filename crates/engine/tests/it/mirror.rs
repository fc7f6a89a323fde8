//! The scenarios of phones on a page in a real browser: the page shows the screen of a simulated phone, element by node, and
//! does to the phone what is done to its elements. The same plans come to the same results.

mod phone;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use driver::{Driver, Target};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::Browser;
use serde_json::{Value, json};
use testkit::Scenario;
use testkit::web::{Maker, Reply, Web};

use self::phone::Handset;
use crate::over_adb::{by_finger, differ, timeless};
use crate::phone::{json_of, plan, run};
use crate::scenarios::shortened;
use crate::web::{chromium, cx};

const PAGE: &str = include_str!("mirror/phone.html");

/// How many browsers run at a time: most of what they do is waiting.
const AT_ONCE: usize = 3;

/// What is left to a phone: actions for which a page that shows a screen has nothing.
const OF_PHONES: &[(&str, &str)] = &[
    ("open_app", "a tab is no app that starts"),
    ("close_app", "a tab is no app that ends"),
    ("open_uri", "an url leads to another page than the screen"),
    ("start_recording", "nothing records"),
    ("stop_recording", "nothing records"),
    (
        "scroll",
        "the browser scrolls what is longer than its window, and a screen is not",
    ),
    ("scroll_until", "as with scroll"),
    ("scroll_and_click", "as with scroll"),
    (
        "press_key",
        "back is a step of the tab, and no other key of a phone is one of a page",
    ),
    ("take_screenshot", "its size is that of the window"),
];

/// The scenarios that come to something else on a page, each with the reason.
const OTHERWISE: &[(&str, &str)] = &[];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scenarios_of_phones_come_to_the_same_on_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/scenarios");
    let scenarios = testkit::folder(&folder).unwrap().into_iter();
    let waiting: VecDeque<Scenario> = scenarios
        .filter(|scenario| !scenario.is_timed() && !is_of_phones(scenario))
        .collect();
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
                played.push(play(&browser, &scenario).await);
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
    assert!(same > 40, "{same}");
}

/// Whether a plan asks for what only phones have.
fn is_of_phones(scenario: &Scenario) -> bool {
    let asks = |block: &str, name: &str| {
        let asked = format!("\"type\": \"{name}\"");
        scenario.blocks(block).any(|text| text.contains(&asked))
    };
    // The setup opens the app before the page shows it; what turns the screen off leaves nothing to be shown.
    let is_off = asks("json setup", "press_key");
    is_off || OF_PHONES.iter().any(|(name, _)| asks("json actions", name))
}

/// Plays one on a phone and in a tab of its own; gives its name and how the result differs.
async fn play(browser: &Browser, scenario: &Scenario) -> (String, String) {
    let name = scenario.path.file_stem().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let handset = Handset::start(scenario);
    let web = Web::start();
    web.page("/", PAGE);
    let asked = handset.clone();
    web.reply(
        "/phone",
        Reply::Made(Maker::new(move |request| asked.ask(&request.body))),
    );
    let before = browser.tabs().await.unwrap();
    let id = browser.open_tab("about:blank").await.unwrap();
    let tab = browser.attach(&id).await.unwrap();
    for tab in before {
        let browser = browser.clone();
        // Nobody waits for it to be gone.
        tokio::spawn(async move { drop(browser.close_tab(&tab.id).await) });
    }
    let size = json!({"width": 1080, "height": 2340, "deviceScaleFactor": 1, "mobile": false});
    let sized = tab
        .session()
        .call_raw("Emulation.setDeviceMetricsOverride", &size);
    sized.await.unwrap();
    let mut driver = ChromeDriver::open(tab, &cx()).await.unwrap();
    let (app, host) = (
        handset.front(),
        format!("{}.localhost:{}", handset.front(), web.port()),
    );
    let start = Target::Uri(format!("http://{host}/"));
    driver.open(&cx(), &start).await.unwrap();
    let hosted = |value: Option<Value>| -> Option<Value> {
        let text = value?.to_string();
        let package = format!("\"expectedPackage\":\"{app}\"");
        let expected = format!("\"expectedPackage\":\"{host}\"");
        serde_json::from_str(&text.replace(&package, &expected)).ok()
    };
    let actions = hosted(scenario.json("json actions").unwrap()).unwrap();
    let execution = plan(actions, scenario.json("json options").unwrap());
    let answer = json_of(&run(&mut driver, &execution).await).to_string();
    drop(driver.leave().await);
    let answer: Value = serde_json::from_str(&answer.replace(&host, &app)).unwrap();
    let expected = scenario.json("json result").unwrap().unwrap();
    let found = timeless(shortened(answer));
    let expected = by_finger(timeless(expected), &found);
    (name, differ("", &expected, &found))
}
