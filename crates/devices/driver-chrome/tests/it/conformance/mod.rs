//! The driver conformance tests on a tab of a real browser. The driver connects through a relay that can
//! break; the page reports what happened to its server, and the browser over a separate connection.

mod relay;

use std::collections::BTreeSet;

use async_trait::async_trait;
use cdp::protocol::runtime::Evaluate;
use cdp::{Endpoint, TargetId};
use driver::{Driver, Key, Platform};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{Browser, Tab};
use serde_json::{Value, json};
use testkit::conformance::{
    Apps, Break, ClickMethod, Containers, Device, DeviceFactory, DriverTraits, KeyResult, Names,
    PAGE, Pictures, Scrolls, Text, conforms,
};
use testkit::web::{Reply, Web};

use self::relay::Relay;
use crate::driver::{Running, cx};

/// The host of the page in front.
const APP: &str = "conform.localhost";
/// The host of the page in the other tab.
const OTHER: &str = "other.localhost";

/// The text of links, as a browser writes it.
const WORDS: &[&str] = &[
    "tea",
    "a%20b",
    "it's",
    "$(reboot)",
    "x&y=z;id",
    "%60id%60",
    "back",
];

struct Page {
    driver: ChromeDriver,
    web: Web,
    relay: Relay,
    /// The connection of the checks.
    outside: Browser,
    app: Tab,
    /// Keeps the other page at the same size.
    _other: Tab,
}

async fn drive(relay: &Relay, tab: &TargetId) -> ChromeDriver {
    let endpoint = Endpoint::parse(relay.url()).unwrap();
    let browser = Browser::connect(&endpoint).await.unwrap();
    let tab = browser.attach(tab).await.unwrap();
    ChromeDriver::open(tab, &cx()).await.unwrap()
}

/// A tab of 1080 by 2340 that shows this URL.
async fn shown(browser: &Browser, url: &str) -> Tab {
    let id = browser.open_tab("about:blank").await.unwrap();
    let tab = browser.attach(&id).await.unwrap();
    let size = json!({"width": 1080, "height": 2340, "deviceScaleFactor": 1, "mobile": false});
    let sized = tab
        .session()
        .call_raw("Emulation.setDeviceMetricsOverride", &size);
    sized.await.unwrap();
    let going = tab
        .session()
        .call_raw("Page.navigate", &json!({"url": url}));
    going.await.unwrap();
    let loaded = |state: &driver_chrome::browser::TabState| {
        let document = state.document.as_ref();
        document.is_some_and(|document| {
            // The end of loading, which comes after the last document event, is a change of the screen.
            document.url == url
                && document.loading == driver_chrome::browser::LoadState::Complete
                && !state.busy
        })
    };
    tab.watch().wait_for(loaded).await.unwrap();
    tab
}

impl Page {
    /// The host of a page with its port.
    fn host(&self, name: &str) -> String {
        format!("{name}:{}", self.web.port())
    }

    fn url(&self, name: &str, path: &str) -> String {
        format!("http://{}{path}", self.host(name))
    }
}

#[async_trait]
impl Device for Page {
    fn driver(&mut self) -> &mut dyn Driver {
        &mut self.driver
    }

    fn abilities(&self) -> DriverTraits {
        DriverTraits {
            text: Text::Any,
            acts: ClickMethod::ByMouse,
            scrolls: Scrolls::OnNodes,
            apps: Apps::Tabs,
            platform: Platform::Web,
            containers: Containers::Native,
            pictures: Pictures::Taken,
        }
    }

    fn names(&self) -> Names {
        Names {
            app: self.host(APP),
            other: self.host(OTHER),
            ids: String::new(),
            link: self.url(APP, "/page/"),
        }
    }

    fn key(&self, key: Key) -> KeyResult {
        match key {
            Key::Tab | Key::Enter | Key::Delete | Key::Escape => KeyResult::Pressed,
            Key::Back => KeyResult::BackAStep,
            Key::Home
            | Key::Recents
            | Key::VolumeUp
            | Key::VolumeDown
            | Key::Power
            | Key::Menu
            | Key::Search => KeyResult::Unsupported,
        }
    }

    fn hostile_uris(&self) -> &'static [&'static str] {
        &[
            "javascript:document.getElementById('add').click()",
            "JavaScript:location='about:blank'",
            "file:///etc/passwd",
            "chrome://settings",
            "view-source:http://conform.localhost/",
            "devtools://devtools/bundled/inspector.html",
            "about:crash",
        ]
    }

    fn as_opened(&self, uri: &str) -> String {
        uri.replace('`', "%60")
    }

    async fn journal(&mut self) -> Vec<Value> {
        let tabs = self.outside.tabs().await.unwrap();
        let there = tabs.iter().any(|tab| tab.id == *self.app.id());
        if there {
            // Input reaches the page with its next frames, which a background page does not have.
            let frames = "new Promise(done => { setTimeout(done, 100);
                requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))); })";
            let settled = self.app.session().call(&Evaluate {
                expression: frames.to_owned(),
                await_promise: Some(true),
                ..Evaluate::default()
            });
            settled.await.unwrap();
        }
        let mut entries = Vec::new();
        for request in self.web.requests() {
            if request.path == "/journal" {
                entries.push(serde_json::from_str(&request.body).unwrap());
            } else if request.path.starts_with("/page/") {
                entries.push(json!({"kind": "uri", "uri": self.url(&request.host, &request.path)}));
            }
        }
        if !there {
            entries.push(json!({"kind": "stop", "app": self.host(APP)}));
        }
        entries
    }

    async fn break_next(&mut self, when: Break) {
        self.relay.break_next(when);
    }

    async fn repair(&mut self) {
        self.driver = drive(&self.relay, self.app.id()).await;
    }
}

struct Chromium {
    running: Running,
    outside: Browser,
}

#[async_trait]
impl DeviceFactory for Chromium {
    async fn device(&mut self) -> Box<dyn Device> {
        let before = self.outside.tabs().await.unwrap();
        let before: BTreeSet<TargetId> = before.into_iter().map(|tab| tab.id).collect();
        let web = Web::start();
        web.reply("/", Reply::Page(PAGE.replace("{{journal}}", "/journal")));
        web.page(
            "/other",
            "<!doctype html><title>Other</title><h1 id=other>Other</h1>",
        );
        for word in WORDS {
            let path = format!("/page/{word}");
            let page = format!("<!doctype html><title>Page</title><p id=word>This is {word}</p>");
            web.page(&path, &page);
        }
        let url = |host: &str, path: &str| format!("http://{host}:{}{path}", web.port());
        let other = shown(&self.outside, &url(OTHER, "/other")).await;
        let app = shown(&self.outside, &url(APP, "/")).await;
        for id in before {
            let browser = self.outside.clone();
            // A tab that a check has closed is gone already, and the others close in the background.
            tokio::spawn(async move { drop(browser.close_tab(&id).await) });
        }
        let relay = Relay::start(self.running.started.endpoint.url()).await;
        Box::new(Page {
            driver: drive(&relay, app.id()).await,
            web,
            relay,
            outside: self.outside.clone(),
            app,
            _other: other,
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browser_page_conforms() {
    let running = Running::start().await;
    let outside = Browser::connect(&running.started.endpoint).await.unwrap();
    conforms(&mut Chromium { running, outside }).await;
}
