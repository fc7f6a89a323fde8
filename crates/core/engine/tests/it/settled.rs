//! The screen after the last step is the settled one: what is built late is on it.

use std::time::Duration;

use contract::WarningCode;
use driver::{Driver, Target};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::Browser;
use engine::Report;
use serde_json::{Value, json};
use testkit::web::{Reply, ResponseFn, Web};
use tokio::time::Instant;

use crate::phone::{patient_plan, phone, plan, run};
use crate::web::{chromium, cx};

/// How long the slow server of these pages takes.
const SERVER_TIME: Duration = Duration::from_millis(600);

/// Pages that are built late, and the last text that each of them shows.
const LATE: [(&str, &str, &str); 9] = [
    (
        "/busy",
        "Inbox",
        "<div id=root aria-busy=true><p>Skeleton</p></div><script>
         setTimeout(() => { root.ariaBusy = null; root.innerHTML = '<h1>Inbox</h1>' }, 900)</script>",
    ),
    (
        "/spinner",
        "Done",
        "<div id=root><div role=progressbar aria-label=Loading style='height: 9px'></div></div><script>
         setTimeout(() => { root.innerHTML = '<h1>Done</h1>' }, 900)</script>",
    ),
    (
        "/fetch",
        "Order 3",
        "<h1>Orders</h1><div id=root>Loading</div><script>
         onload = async () => { await fetch('/slow'); root.innerHTML = '<button>Order 3</button>' }</script>",
    ),
    (
        "/chain",
        "Second",
        "<h1>Shell</h1><div id=root></div><script>
         onload = async () => { await fetch('/slow'); root.innerHTML = '<p>First</p>'; await fetch('/slow?2');
           root.innerHTML += '<button>Second</button>' }</script>",
    ),
    (
        "/frames",
        "Row 60",
        "<ul id=root></ul><script>let row = 0; const step = () => {
           for (let i = 0; i < 5; i++) { const item = document.createElement('li'); item.textContent = `Row ${++row}`; root.append(item) }
           if (row < 60) requestAnimationFrame(step) };
         onload = () => requestAnimationFrame(step)</script>",
    ),
    (
        "/lazy",
        "Lazy button",
        "<h1>Shell</h1><div id=root></div><script>
         setTimeout(async () => (await import('/lazy.js')).draw(root), 50)</script>",
    ),
    (
        "/main",
        "Row 1",
        "<nav><a href=#>Home</a></nav><h1>Mail</h1><main id=root></main><script>
         setTimeout(() => { root.innerHTML = '<button>Row 1</button>' }, 900)</script>",
    ),
    (
        "/skeleton",
        "Row 2",
        "<h1>Mail</h1><div id=root><div class=MuiSkeleton-root style='height: 20px; width: 200px; background: #eee'></div></div><script>
         setTimeout(() => { root.innerHTML = '<button>Row 2</button>' }, 900)</script>",
    ),
    (
        "/empty",
        "Late",
        "<div id=root></div><script>setTimeout(() => { root.innerHTML = '<h1>Late</h1>' }, 700)</script>",
    ),
];

/// A page whose dialogs fade in, by a transition, by key frames and by a script, beside an animation without end.
const FADES: &str = "<style>
     .shade { position: fixed; inset: 0; background: rgba(0,0,0,.4); opacity: 0 }
     .panel { width: 300px; margin: 100px auto; background: white }
     #transition { transition: opacity 400ms } #transition.shown { opacity: 1 }
     @keyframes appear { from { opacity: 0 } to { opacity: 1 } }
     #frames { animation: appear 400ms ease-in forwards }
     @keyframes turn { to { transform: rotate(1turn) } }
     #turning { width: 20px; height: 20px; background: silver; animation: turn 1s linear infinite }
   </style><h1>Cards</h1><div id=turning></div>
   <button onclick=\"show('transition')\">transition</button><button onclick=\"show('frames')\">frames</button>
   <button onclick=\"show('script')\">script</button><script>
   const show = (id) => {
     const shade = document.createElement('div');
     shade.id = id;
     shade.className = 'shade';
     shade.innerHTML = '<div class=panel role=dialog aria-label=\"Buy a card\"><button>Pay</button></div>';
     document.body.append(shade);
     if (id === 'transition') requestAnimationFrame(() => requestAnimationFrame(() => shade.classList.add('shown')));
     if (id === 'script') shade.animate({ opacity: [0, 1] }, { duration: 400, fill: 'forwards' });
   };</script>";

fn pages() -> Web {
    let web = Web::start();
    for (path, _, html) in LATE {
        web.page(path, html);
    }
    let slow = |text: &'static str| {
        move |_: &_| {
            std::thread::sleep(SERVER_TIME);
            text.to_owned()
        }
    };
    web.reply("/slow", Reply::Made(ResponseFn::new(slow("[]"))));
    web.reply("/slow?2", Reply::Made(ResponseFn::new(slow("[]"))));
    let script =
        "export const draw = (root) => { root.innerHTML = '<button>Lazy button</button>' }";
    let head = ("content-type".to_owned(), "text/javascript".to_owned());
    web.reply(
        "/lazy.js",
        Reply::Full("200 OK".to_owned(), vec![head], script.into()),
    );
    web.page(
        "/links",
        "<a href=/fetch>Orders</a><button onclick=\"fetch('/slow').then(() => { more.textContent = 'Answered' })\">More</button>
         <p id=more>Nothing</p>",
    );
    web.page(
        "/stream",
        "<h1>Stream</h1><script>fetch('/never'); setInterval(() => fetch('/never?'), 200)</script>",
    );
    web.page("/fades", FADES);
    web.reply("/never", Reply::Held(Box::new(Reply::Nothing)));
    web.reply("/never?", Reply::Held(Box::new(Reply::Nothing)));
    web
}

async fn driver(browser: &Browser) -> ChromeDriver {
    let id = browser.tabs().await.unwrap().remove(0).id;
    let tab = browser.attach(&id).await.unwrap();
    ChromeDriver::open(tab, &cx()).await.unwrap()
}

fn open(uri: &str) -> Value {
    json!({ "id": "open", "type": "open_uri", "params": { "uri": uri } })
}

fn click(text: &str) -> Value {
    json!({ "id": text, "type": "click", "params": { "matcher": { "textEquals": text } } })
}

/// Whether the last screen of a run has this text.
fn shows(report: &Report, text: &str) -> bool {
    let last = report.last.as_ref().unwrap();
    last.ids().any(|id| &*last.node(id).text == text)
}

fn is_unsettled(report: &Report) -> bool {
    let mut warnings = report.warnings.iter();
    warnings.any(|warning| warning.code == WarningCode::ScreenNotSettled)
}

#[tokio::test]
async fn pages_that_are_built_late_are_complete() {
    let chromium = chromium("settled").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let web = pages();
    let mut driver = driver(&browser).await;
    let mut half_drawn = Vec::new();
    for observe in ["screen", "diff"] {
        for (path, text, _) in LATE {
            let plan = patient_plan(
                json!([open(&web.url(path))]),
                Some(json!({ "observe": observe })),
            );
            let report = run(&mut driver, &plan).await;
            if !shows(&report, text) || is_unsettled(&report) {
                half_drawn.push((observe, path, report.warnings));
            }
        }
    }
    assert!(half_drawn.is_empty(), "{half_drawn:#?}");
}

#[tokio::test]
async fn dialogs_that_fade_in_are_complete() {
    let chromium = chromium("settled-fades").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let web = pages();
    let mut driver = driver(&browser).await;
    for observe in ["none", "diff"] {
        for kind in ["transition", "frames", "script"] {
            let page = Target::Uri(web.url("/fades"));
            let mut report = None;
            // On a busy computer, the frames of an animation may come later than the engine waits.
            for _ in 0..3 {
                driver.open(&cx(), &page).await.unwrap();
                let observed = Some(json!({ "observe": observe }));
                let plan = patient_plan(json!([click(kind)]), observed);
                let done = report.insert(run(&mut driver, &plan).await);
                if !is_unsettled(done) {
                    break;
                }
            }
            let report = report.unwrap();
            let step = &report.outcome.as_ref().unwrap().step_results[0];
            let seen = step.data.get("evidence").unwrap();
            assert_eq!(
                seen, "dialog \"Buy a card\" opened",
                "{kind}, observe {observe}"
            );
            if observe == "diff" {
                assert!(
                    shows(&report, "Pay") && !is_unsettled(&report),
                    "{kind}: {report:#?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn click_waits_for_the_page_that_it_opens_and_for_the_data_that_it_requests() {
    let chromium = chromium("settled-click").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let web = pages();
    let mut driver = driver(&browser).await;
    let observed = Some(json!({ "observe": "screen" }));
    for (link, text) in [("More", "Answered"), ("Orders", "Order 3")] {
        driver
            .open(&cx(), &Target::Uri(web.url("/links")))
            .await
            .unwrap();
        let report = run(
            &mut driver,
            &patient_plan(json!([click(link)]), observed.clone()),
        )
        .await;
        assert!(shows(&report, text), "{link}: {report:#?}");
    }
    let plan = patient_plan(
        json!([open(&web.url("/fetch")), { "id": "snap", "type": "snapshot_ui" }]),
        None,
    );
    let report = run(&mut driver, &plan).await;
    assert!(shows(&report, "Order 3"), "{report:#?}");
}

#[tokio::test]
async fn page_that_never_ends_loading_is_reported_with_the_reason() {
    let chromium = chromium("settled-never").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let web = pages();
    let mut driver = driver(&browser).await;
    let plan = plan(
        json!([open(&web.url("/stream"))]),
        Some(json!({ "observe": "screen", "timeoutMs": 60_000 })),
    );
    let report = run(&mut driver, &plan).await;
    assert!(shows(&report, "Stream"), "{report:#?}");
    let warning = report.warnings.first().unwrap();
    assert_eq!(warning.code, WarningCode::ScreenNotSettled);
    assert!(
        warning.message.ends_with("of its page had no answer"),
        "{}",
        warning.message
    );
}

const SLOW_APP: &str = r#"
app: com.example.slow
label: Slow
start: home
state: { ready: false }
screens:
  home:
    title: Slow
    timers: [ { after: 3s, do: [ { set: { ready: true } } ] } ]
    body:
      - progress: { visible: "!ready" }
      - text: { text: "Loaded", visible: ready }
      - button: { text: Endless, on_click: { push: endless } }
  endless:
    title: Endless
    body: [ { progress: {} }, { button: { text: Touch, on_click: [] } } ]
"#;

fn open_app(app: &str) -> Value {
    json!({ "id": "open", "type": "open_app", "params": { "applicationId": app } })
}

#[tokio::test(start_paused = true)]
async fn app_that_loads_slowly_is_complete() {
    let mut phone = phone([SLOW_APP].into_iter());
    let observed = Some(json!({ "observe": "screen" }));
    let report = run(
        &mut phone,
        &plan(json!([open_app("com.example.slow")]), observed),
    )
    .await;
    assert!(
        shows(&report, "Loaded") && !is_unsettled(&report),
        "{report:#?}"
    );
}

#[tokio::test(start_paused = true)]
async fn endless_progress_is_reported_once_and_then_ignored() {
    let mut phone = phone([SLOW_APP].into_iter());
    let observed = || Some(json!({ "observe": "diff" }));
    let steps = json!([open_app("com.example.slow"), click("Endless")]);
    let report = run(&mut phone, &plan(steps, observed())).await;
    assert!(is_unsettled(&report), "{report:#?}");
    let begun = Instant::now();
    let report = run(&mut phone, &plan(json!([click("Touch")]), observed())).await;
    assert!(!is_unsettled(&report), "{report:#?}");
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn short_deadline_leaves_time_to_answer() {
    let mut phone = phone([SLOW_APP].into_iter());
    let steps = json!([open_app("com.example.slow")]);
    let options = json!({ "observe": "screen", "timeoutMs": 1500 });
    let report = run(&mut phone, &plan(steps, Some(options))).await;
    assert!(
        report.outcome.is_ok() && is_unsettled(&report),
        "{report:#?}"
    );
    assert!(report.last.is_some());
}
