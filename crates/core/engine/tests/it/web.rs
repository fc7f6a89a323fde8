//! Runs every scenario of `testdata/web`, `testdata/uploads` and `testdata/windows` in a real browser: pages instead of apps, and the pages' requests
//! instead of a journal. See `testkit::ScenarioServer` for the other blocks.

use std::path::Path;
use std::time::Duration;

use driver::{Cx, Driver, Target};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{
    Browser, Downloads, Launch, LaunchedBrowser, ProgramSearch, Sandbox, Window,
};
use serde_json::{Value, json};
use testkit::web::{Reply, Web};
use testkit::{Scenario, ScenarioServer, Verdict, Watch, browser_profile};
use tokio_util::sync::CancellationToken;

use crate::phone::{json_of, patient_plan, run};

pub(crate) struct Chromium {
    pub(crate) started: LaunchedBrowser,
    _watch: Option<Watch>,
}

/// A browser; `name` separates its profile from those of other tests.
pub(crate) async fn chromium(name: &str) -> Chromium {
    let found = ProgramSearch::from_env().find();
    let program = found.unwrap_or_else(|why| panic!("these tests need a browser: {why}"));
    let profile = browser_profile(&format!("engine-{name}"));
    let launch = Launch {
        program,
        profile: profile.clone(),
        window: Window::Headless,
        sandbox: Sandbox::WherePossible,
        port: None,
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
async fn web_scenarios_have_expected_results() {
    play_all("web").await;
}

/// Those that give files to pages: the files lie beside them, where only the tests of the engine find them.
#[tokio::test]
async fn upload_scenarios_have_expected_results() {
    play_all("uploads").await;
}

/// Those that change the window, which the tabs of other tests would share.
#[tokio::test]
async fn window_scenarios_have_expected_results() {
    play_all("windows").await;
}

/// Plays the scenarios of a folder of `testdata`.
async fn play_all(folder: &str) {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let scenarios = testkit::folder(&scenarios.join(folder)).unwrap();
    assert!(!scenarios.is_empty());
    let chromium = chromium(folder).await;
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
    Cx::new(Duration::from_secs(300), CancellationToken::new())
}

/// Runs one scenario in its own tab and with its own server.
async fn play(browser: &Browser, scenario: &Scenario) -> Result<Verdict, String> {
    let stage = ScenarioServer::serve(scenario);
    let actions = stage
        .json(scenario, "json actions")?
        .ok_or("there is no block `json actions`")?;
    let options = stage.json(scenario, "json options")?;
    let to_message = |error: driver::DriverError| error.to_string();
    let id = browser
        .open_tab("about:blank")
        .await
        .map_err(|error| error.to_string())?;
    let tab = browser
        .attach(&id)
        .await
        .map_err(|error| error.to_string())?;
    let mut driver = ChromeDriver::open(tab, &cx()).await.map_err(to_message)?;
    let start = Target::Uri(stage.start());
    driver.open(&cx(), &start).await.map_err(to_message)?;
    let answer = json_of(&run(&mut driver, &patient_plan(actions, options)).await);
    drop(driver.detach().await);
    for tab in browser.tabs().await.map_err(|error| error.to_string())? {
        // One tab stays open, since a browser exits with its last.
        if tab.url != "about:blank" {
            browser
                .close_tab(&tab.id)
                .await
                .map_err(|error| error.to_string())?;
        }
    }
    match scenario.expect("text journal", &stage.journal())? {
        Verdict::Different(difference) => return Ok(Verdict::Different(difference)),
        // The file was rewritten; its result is compared in the next run.
        Verdict::Updated => return Ok(Verdict::Updated),
        Verdict::Same => {}
    }
    let text =
        serde_json::to_string_pretty(&stage.settled(answer)?).map_err(|error| error.to_string())?;
    scenario.expect("json result", &text)
}

#[tokio::test]
async fn open_uri_requests_once_and_reports_downloads_tabs_and_dialogs() {
    let chromium = chromium("once").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let web = Web::start();
    let file = || Reply::Download("report.bin".to_owned(), vec![0; 10]);
    web.reply("/file", file());
    web.reply("/nothing", Reply::Nothing);
    web.reply(
        "/bare",
        Reply::Full("503 Busy".to_owned(), Vec::new(), Vec::new()),
    );
    web.reply("/given", file());
    web.page(
        "/edit",
        "<button id=edit onclick=\"onbeforeunload = (event) => event.preventDefault()\">Edit</button>
         <a id=given href=/given>File</a><button id=new onclick=\"window.open('/new')\">New</button>",
    );
    web.page("/new", "<p id=there>New");
    let id = browser.tabs().await.unwrap().remove(0).id;
    let tab = browser.attach(&id).await.unwrap();
    let folder = testkit::browser_profile("downloads");
    let driver = ChromeDriver::open(tab, &cx()).await.unwrap();
    let mut driver = driver.with_downloads(Downloads::Into(folder));
    let open =
        |path: &str| json!({ "id": path, "type": "open_uri", "params": { "uri": web.url(path) } });
    let click =
        |css: &str| json!({ "id": css, "type": "click", "params": { "matcher": { "css": css } } });
    let leave = json!({ "id": "leave", "type": "click", "params": { "matcher": { "textEquals": "Leave" } } });
    let wait = |id: &str, matcher: Value| json!({ "id": id, "type": "wait_for_node", "params": { "matcher": matcher, "timeoutMs": 20_000 } });
    let plan = json!([
        open("/file"),
        open("/nothing"),
        open("/bare"),
        open("/edit"),
        click("#edit"),
        open("/away"),
        leave,
        wait("left", json!({ "textEquals": "Not found" })),
        open("/edit"),
        click("#given"),
        click("#new"),
        wait("new", json!({ "resourceId": "there" })),
    ]);
    let plan = patient_plan(plan, Some(json!({ "onFailure": "continue" })));
    let answer = json_of(&run(&mut driver, &plan).await);
    web.until(|received| received.iter().any(|each| each.path == "/given"))
        .await;
    let step = |at: usize| &answer["stepResults"][at]["data"];
    for path in ["/file", "/nothing", "/bare", "/away", "/given"] {
        let received = web.requests();
        let times = received.iter().filter(|each| each.path == path).count();
        assert_eq!(times, 1, "{path}: {answer:#}");
    }
    for at in [0, 1, 2] {
        assert_eq!(step(at)["error"], "PAGE_NOT_LOADED", "{answer:#}");
    }
    let files: Value = serde_json::from_str(step(0)["downloads"].as_str().unwrap()).unwrap();
    assert_eq!(files[0]["bytes"], 10, "{answer:#}");
    assert!(Path::new(files[0]["path"].as_str().unwrap()).is_file());
    assert_eq!(step(5)["error"], "DIALOG_OPEN", "{answer:#}");
    assert_eq!(step(5)["buttons"], r#"["Leave","Cancel"]"#, "{answer:#}");
    assert_eq!(answer["stepResults"][6]["success"], true, "{answer:#}");
    let answer_text = answer.to_string();
    assert!(
        answer_text.contains(r#"\"name\":\"report.bin\""#),
        "{answer:#}"
    );
    let tabs = browser.tabs().await.unwrap();
    let new = tabs.iter().find(|tab| tab.url == web.url("/new")).unwrap();
    // The tab is reported by the step that opened it, whenever the browser reports it.
    let tab_device = format!("chrome:{}", new.id);
    let steps = answer["stepResults"].as_array().unwrap();
    for (at, step) in steps.iter().enumerate() {
        let here = step["data"]["opened_tab"] == tab_device.as_str();
        assert_eq!(here, at == 10, "step {at}: {answer:#}");
    }
}

#[tokio::test]
async fn condition_on_an_app_is_refused_on_a_page() {
    let chromium = chromium("refused").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let web = Web::start();
    let id = browser.tabs().await.unwrap().remove(0).id;
    let tab = browser.attach(&id).await.unwrap();
    let mut driver = ChromeDriver::open(tab, &cx()).await.unwrap();
    let plan = json!([
        { "id": "load", "type": "open_uri", "params": { "uri": web.url("/shop") } },
        { "id": "app", "type": "wait_until", "params": { "anyOf": [{ "app": "com.example.shop" }] } },
    ]);
    let answer = json_of(&run(&mut driver, &patient_plan(plan, None)).await);
    assert_eq!(answer["code"], "ACTION_NOT_SUPPORTED_HERE", "{answer:#}");
    assert_eq!(answer["details"]["path"], "actions.1.params.anyOf.0.app");
    assert!(web.requests().is_empty(), "{answer:#}");
}
