//! Every scenario of `testdata/web`, in a real browser: pages instead of apps, and what the pages tell the server instead of
//! a journal.
//!
//! Blocks of their own: `html <path>` is the page at that path, the first one the one that is open at the beginning;
//! `text journal` is what the pages noted with `note(word)`. In pages and plans `{{own}}` and `{{other}}` are two sites.

use std::path::Path;
use std::time::Duration;

use driver::{Cx, Driver, Target};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{Browser, Launch, Places, Sandbox, Started, Window};
use serde_json::Value;
use testkit::web::{Reply, Web};
use testkit::{Scenario, Verdict, Watch, browser_profile};
use tokio_util::sync::CancellationToken;

use crate::phone::{json_of, patient_plan, run};
use crate::scenarios::shortened;

/// What every page begins with.
pub(crate) const NOTE: &str = "<!doctype html><meta charset=utf-8><script>
    window.note = (word) => { const told = new XMLHttpRequest(); told.open('POST', '{{own}}/note', false); told.send(word); };
    </script>";

pub(crate) struct Chromium {
    pub(crate) started: Started,
    _watch: Option<Watch>,
}

/// A browser; `name` keeps its profile apart from others of these tests.
pub(crate) async fn chromium(name: &str) -> Chromium {
    let found = Places::from_env().find();
    let program = found.unwrap_or_else(|why| panic!("these tests need a browser: {why}"));
    let profile = browser_profile(&format!("engine-{name}"));
    let launch = Launch {
        program,
        profile: profile.clone(),
        window: Window::Headless,
        sandbox: Sandbox::WherePossible,
        port: 0,
        size: (1000, 900),
        flags: Vec::new(),
    };
    let started = launch.start().await.unwrap();
    let pid = started.child.id();
    Chromium {
        _watch: pid.map(|pid| Watch::over(pid, profile)),
        started,
    }
}

#[tokio::test]
async fn every_scenario_of_the_web_comes_to_what_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/web");
    let scenarios = testkit::folder(&folder).unwrap();
    assert!(!scenarios.is_empty());
    let chromium = chromium("web").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let mut problems = Vec::new();
    for scenario in scenarios {
        let problem = match play(&browser, &scenario).await {
            Ok(Verdict::Same | Verdict::Updated) => continue,
            Ok(Verdict::Different(difference)) => difference,
            Err(problem) => problem,
        };
        problems.push(format!("{}\n{problem}", scenario.path.display()));
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n\n"));
}

pub(crate) fn cx() -> Cx {
    Cx::new(Duration::from_secs(60), CancellationToken::new())
}

/// Runs one scenario in a tab and with a server of its own.
async fn play(browser: &Browser, scenario: &Scenario) -> Result<Verdict, String> {
    let web = Web::start();
    web.reply("/gone", Reply::HangUp);
    web.reply("/nothing", Reply::Nothing);
    web.reply(
        "/file",
        Reply::Download("report.bin".to_owned(), vec![7; 64]),
    );
    for (path, body) in [("/broken", "<h1>Sorry</h1>"), ("/bare", "")] {
        let kind = ("content-type".to_owned(), "text/html".to_owned());
        let status = "500 Internal Server Error".to_owned();
        web.reply(path, Reply::Full(status, vec![kind], body.into()));
    }
    web.reply("/redirect", Reply::Redirect("/second".to_owned()));
    for path in ["/", "/second", "/third"] {
        for html in scenario.blocks(&format!("html {path}")) {
            web.page(path, &format!("{NOTE}{html}"));
        }
    }
    let sited = |value: Option<Value>| -> Result<Option<Value>, String> {
        let Some(value) = value else { return Ok(None) };
        let text = value
            .to_string()
            .replace("{{own}}", &web.url(""))
            .replace("{{other}}", &web.other(""))
            .replace("{{port}}", &web.port().to_string());
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| error.to_string())
    };
    let actions =
        sited(scenario.json("json actions")?)?.ok_or("there is no block `json actions`")?;
    let options = sited(scenario.json("json options")?)?;
    let said = |error: driver::DriverError| error.to_string();
    let id = browser
        .open_tab("about:blank")
        .await
        .map_err(|error| error.to_string())?;
    let tab = browser
        .attach(&id)
        .await
        .map_err(|error| error.to_string())?;
    let mut driver = ChromeDriver::open(tab, &cx()).await.map_err(said)?;
    let start = Target::Uri(web.url("/"));
    driver.open(&cx(), &start).await.map_err(said)?;
    let answer = json_of(&run(&mut driver, &patient_plan(actions, options)).await);
    drop(driver.leave().await);
    for tab in browser.tabs().await.map_err(|error| error.to_string())? {
        // One tab stays, for a browser ends with its last.
        if tab.url != "about:blank" {
            browser
                .close_tab(&tab.id)
                .await
                .map_err(|error| error.to_string())?;
        }
    }
    let journal = web.posted("/note").join("\n");
    let journal = if journal.is_empty() {
        "nothing".to_owned()
    } else {
        journal
    };
    match scenario.expect("text journal", &journal)? {
        Verdict::Different(difference) => return Ok(Verdict::Different(difference)),
        // The file is another one now; its result is compared the next time.
        Verdict::Updated => return Ok(Verdict::Updated),
        Verdict::Same => {}
    }
    let mut answer = shortened(answer);
    settle(&mut answer);
    let text = serde_json::to_string_pretty(&answer).map_err(|error| error.to_string())?;
    scenario.expect(
        "json result",
        &text.replace(&web.port().to_string(), "PORT"),
    )
}

/// Takes out of an answer what a clock says, and where an element lies, which fonts decide.
fn settle(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let by_element = fields.contains_key("match_count");
            for (key, value) in fields {
                if key == "elapsed_ms" || (key == "coordinate" && by_element) {
                    *value = "…".into();
                }
                settle(value);
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(settle),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
