//! What a press brings late is on the screen after the last step, and its effect is that of this screen.

use std::time::Duration;

use contract::WarningCode;
use driver::{Driver, Target};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::Browser;
use engine::Report;
use serde_json::{Value, json};
use testkit::web::{Reply, ResponseFn, Web};

use crate::phone::{patient_plan, run};
use crate::web::{Chromium, chromium, cx};

/// Pages on which a press of `Go` brings this text late.
const LATE: [(&str, &str, &str); 8] = [
    (
        "/text",
        "Coupon expired",
        "<button onclick=\"o.textContent = 'Checking coupon…'; setTimeout(() => { o.textContent = 'Coupon expired' }, 2000)\">Go</button><p id=o>idle</p>",
    ),
    (
        "/button",
        "Saved",
        "<button onclick=\"this.textContent = 'Saving...'; setTimeout(() => { this.textContent = 'Saved' }, 2000)\">Go</button>",
    ),
    (
        "/percent",
        "Uploaded",
        "<button onclick=\"let at = 0; const step = () => { o.textContent = at < 100 ? `Uploading ${at}%` : 'Uploaded'; at += 40; if (at < 160) setTimeout(step, 700) }; step()\">Go</button><p id=o></p>",
    ),
    (
        "/progress",
        "Report",
        "<button onclick=\"o.innerHTML = '<div role=progressbar style=\\'height: 40px\\'>Loading</div>'; setTimeout(() => { o.innerHTML = '<p>Report</p>' }, 2000)\">Go</button><div id=o></div>",
    ),
    (
        "/spinner",
        "Report",
        "<style>@keyframes r { to { transform: rotate(360deg) } } .spinner { width: 40px; height: 40px; animation: r 1s linear infinite }</style>
         <button onclick=\"o.innerHTML = '<div class=spinner></div>'; setTimeout(() => { o.innerHTML = '<p>Report</p>' }, 2000)\">Go</button><div id=o></div>",
    ),
    (
        "/value",
        "Main Street",
        "<button onclick=\"setTimeout(() => { o.value = 'Main Street' }, 100)\">Go</button><input id=o aria-label=Street>",
    ),
    (
        "/value-and-text",
        "Springfield",
        "<button onclick=\"t.textContent = 'Found'; setTimeout(() => { o.value = 'Springfield' }, 120)\">Go</button><p id=t></p><input id=o aria-label=City>",
    ),
    (
        "/second",
        "Card declined",
        "<button onclick=\"this.textContent = 'Paid'; setTimeout(() => { this.textContent = 'Go'; o.textContent = 'Card declined' }, 350)\">Go</button><p id=o></p>",
    ),
];

struct Page {
    web: Web,
    driver: ChromeDriver,
    _chromium: Chromium,
}

impl Page {
    async fn start(name: &str) -> Self {
        let chromium = chromium(name).await;
        let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
        let id = browser.tabs().await.unwrap().remove(0).id;
        let tab = browser.attach(&id).await.unwrap();
        Self {
            web: Web::start(),
            driver: ChromeDriver::open(tab, &cx()).await.unwrap(),
            _chromium: chromium,
        }
    }

    async fn open(&mut self, path: &str, html: &str) {
        self.web
            .page(path, &format!("<!doctype html><meta charset=utf-8>{html}"));
        let page = Target::Uri(self.web.url(path));
        self.driver.open(&cx(), &page).await.unwrap();
    }

    async fn run(&mut self, actions: Value, observe: &str) -> Report {
        let options = json!({ "observe": observe });
        run(&mut self.driver, &patient_plan(actions, Some(options))).await
    }

    async fn click(&mut self, text: &str) -> Report {
        self.run(json!([click(text)]), "screen").await
    }
}

fn click(text: &str) -> Value {
    json!({ "id": text, "type": "click", "params": { "matcher": { "textEquals": text } } })
}

/// Whether the last screen of a run has this text.
fn shows(report: &Report, text: &str) -> bool {
    let last = report.last.as_ref().unwrap();
    last.ids().any(|id| &*last.node(id).text == text)
}

#[tokio::test]
async fn late_content_of_a_press_is_on_the_screen() {
    let mut page = Page::start("after-press").await;
    let mut missing = Vec::new();
    for (path, text, html) in LATE {
        page.open(path, html).await;
        let report = page.click("Go").await;
        let warned = report
            .warnings
            .iter()
            .any(|warning| warning.code == WarningCode::ScreenNotSettled);
        if warned || !shows(&report, text) {
            missing.push((path, report.warnings));
        }
        // The same in the plan that opens the page.
        let open =
            json!({ "id": "open", "type": "open_uri", "params": { "uri": page.web.url(path) } });
        let report = page.run(json!([open, click("Go")]), "screen").await;
        if !shows(&report, text) {
            missing.push((path, report.warnings));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The effect of the first step, and its evidence.
fn effect(report: &Report) -> (String, String) {
    let step = &report.outcome.as_ref().unwrap().step_results[0];
    let data = |key| step.data.get(key).unwrap_or_default().to_owned();
    (data("effect"), data("evidence"))
}

#[tokio::test]
async fn effect_is_that_of_the_settled_screen() {
    let mut page = Page::start("effect").await;
    let slow = |_: &_| {
        std::thread::sleep(Duration::from_millis(500));
        "late".to_owned()
    };
    page.web.reply("/slow", Reply::Made(ResponseFn::new(slow)));
    let focus = "button \"Go\" has the focus";
    for (path, html, word, evidence) in [
        (
            "/undone",
            "<button onclick=\"item.hidden = true; fetch('/slow').then(() => { item.hidden = false })\">Go</button><p id=item>Milk</p>",
            "reverted",
            "text \"Milk\" gone (+1 change), then back",
        ),
        ("/dead", "<button>Go</button>", "none", focus),
        (
            "/far",
            "<button onclick=\"far.textContent = 'wrong'\">Go</button><div style='height: 3000px'></div><p id=far>ok</p>",
            "observed",
            "1 change below",
        ),
        (
            "/field",
            "<button onclick=\"field.focus()\">Go</button><input id=field aria-label=Name>",
            "observed",
            "textfield \"Name\" has the focus",
        ),
    ] {
        page.open(path, html).await;
        let report = page.click("Go").await;
        assert_eq!(
            effect(&report),
            (word.to_owned(), evidence.to_owned()),
            "{path}: {report:#?}"
        );
    }
    // The second press does not even move the focus.
    page.open("/dead", "<button>Go</button>").await;
    page.click("Go").await;
    assert_eq!(
        effect(&page.click("Go").await),
        ("none".to_owned(), String::new())
    );
}

#[tokio::test]
async fn key_point_and_selector_have_an_effect_as_the_only_step() {
    let mut page = Page::start("blind").await;
    let html = "<p id=o>idle</p><script>onkeydown = () => { o.textContent = 'pressed' }; onclick = () => { o.textContent = 'clicked' }</script>";
    let key = json!({ "id": "key", "type": "press_key", "params": { "key": "ctrl+s" } });
    let point =
        json!({ "id": "point", "type": "click", "params": { "coordinate": { "x": 9, "y": 9 } } });
    let selector =
        json!({ "id": "css", "type": "click", "params": { "matcher": { "css": "#o" } } });
    for observe in ["screen", "diff"] {
        for (step, seen) in [
            (&key, "\"idle\" now \"pressed\""),
            (&point, "\"idle\" now \"clicked\""),
            (&selector, "\"idle\" now \"clicked\""),
        ] {
            page.open("/", html).await;
            let report = page.run(json!([step]), observe).await;
            assert_eq!(
                effect(&report),
                ("observed".to_owned(), seen.to_owned()),
                "{observe}"
            );
        }
    }
}

#[tokio::test]
async fn exception_of_a_press_is_reported_each_time() {
    let mut page = Page::start("exception").await;
    page.open("/", "<button onclick=\"throw Error('boom')\">Go</button>")
        .await;
    for press in 0..3 {
        let report = page.click("Go").await;
        let mut warnings = report.warnings.iter();
        let is_told = warnings.any(|warning| warning.code == WarningCode::PageErrors);
        assert!(is_told, "press {press}: {report:#?}");
    }
}

#[tokio::test]
async fn frame_of_another_site_is_waited_for_and_its_errors_are_reported() {
    let mut page = Page::start("other-site").await;
    let refused = |_: &_| {
        std::thread::sleep(Duration::from_millis(800));
        "no".to_owned()
    };
    page.web
        .reply("/pay", Reply::Made(ResponseFn::new(refused)));
    page.web.page(
        "/inner",
        "<!doctype html><meta charset=utf-8><button onclick=\"fetch('/pay').then(() => { o.textContent = 'declined'; throw Error('402') })\">Pay</button><p id=o>unpaid</p>",
    );
    page.web.page("/", "<!doctype html><meta charset=utf-8><iframe src='{{other}}/inner' width=500 height=200></iframe>");
    let open = json!({ "id": "open", "type": "open_uri", "params": { "uri": page.web.url("/") } });
    let report = page.run(json!([open]), "screen").await;
    let is_unsettled = |report: &Report| {
        let mut warnings = report.warnings.iter();
        warnings.any(|warning| warning.code == WarningCode::ScreenNotSettled)
    };
    assert!(
        shows(&report, "unpaid") && !is_unsettled(&report),
        "{report:#?}"
    );
    let report = page.click("Pay").await;
    assert!(shows(&report, "declined"), "{report:#?}");
    let mut warnings = report.warnings.iter();
    assert!(
        warnings.any(|warning| warning.code == WarningCode::PageErrors),
        "{report:#?}"
    );
}

#[tokio::test]
async fn list_that_is_loading_is_waited_for_before_it_is_scrolled() {
    let mut page = Page::start("late-list").await;
    let rows = |_: &_| {
        std::thread::sleep(Duration::from_millis(1200));
        (0..60).map(|row| format!("<p>Row {row}</p>")).collect()
    };
    page.web.reply("/rows", Reply::Made(ResponseFn::new(rows)));
    let html = "<h1>List</h1><div id=l style='height: 300px; overflow: auto'></div><script>fetch('/rows').then(async (reply) => { l.innerHTML = await reply.text() })</script>";
    for kind in ["scroll_until", "scroll_and_click"] {
        page.open("/list", html).await;
        let params = json!({ "matcher": { "textEquals": "Row 50" } });
        let report = page
            .run(
                json!([{ "id": "s", "type": kind, "params": params }]),
                "screen",
            )
            .await;
        assert!(
            report.outcome.as_ref().unwrap().is_success(),
            "{kind}: {report:#?}"
        );
    }
}

#[tokio::test]
async fn page_behind_a_link_is_waited_for_while_its_server_works() {
    let mut page = Page::start("slow-link").await;
    let slow = |_: &_| {
        std::thread::sleep(Duration::from_millis(2800));
        "Arrived".to_owned()
    };
    page.web.reply("/slow", Reply::Made(ResponseFn::new(slow)));
    page.open("/", "<a href=/slow>Go</a>").await;
    let report = page.click("Go").await;
    assert!(
        shows(&report, "Arrived") && report.warnings.is_empty(),
        "{report:#?}"
    );
}

/// A list that is filtered some time after its field was typed into, and says which row was followed.
const FILTER: &str = "<input id=q aria-label=Filter><p id=o>none</p><div id=list></div><script>
  const rows = ['Boston', 'San Francisco', 'Austin'];
  const draw = (text) => {
    list.replaceChildren(...rows.filter((row) => row.includes(text)).map((row) => {
      const line = document.createElement('div');
      line.innerHTML = `<span>${row}</span> <button>Follow</button>`;
      line.lastChild.onclick = () => { o.textContent = `followed ${row}` };
      return line;
    }));
  };
  let timer = 0;
  q.oninput = () => { clearTimeout(timer); timer = setTimeout(() => draw(q.value), 200) };
  draw('San');
</script>";

#[tokio::test]
async fn step_after_typing_uses_the_list_that_the_page_filters_after_a_pause() {
    let mut page = Page::start("filter").await;
    for observe in ["none", "diff"] {
        page.open("/filter", FILTER).await;
        let field = json!({ "css": "#q" });
        let text = json!({ "id": "type", "type": "enter_text", "params": { "matcher": field, "text": "Bos" } });
        let outcome =
            json!({ "id": "read", "type": "read_text", "params": { "matcher": { "css": "#o" } } });
        let report = page
            .run(json!([text, click("Follow"), outcome]), observe)
            .await;
        let steps = &report.outcome.as_ref().unwrap().step_results;
        let followed = steps.last().unwrap().data.get("text");
        assert_eq!(followed, Some("followed Boston"), "{observe}: {steps:#?}");
    }
}
