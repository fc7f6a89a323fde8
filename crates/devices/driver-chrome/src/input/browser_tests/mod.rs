//! Input to test pages in a real browser: the events that the page records.
#![expect(clippy::panic, reason = "a test that cannot go on has failed")]

mod chords;
mod clicks;
mod fields;
mod mouse;

use std::time::Duration;

use cdp::protocol::BackendNodeId;
use cdp::protocol::dom::{DescribeNode, NodeRef};
use cdp::protocol::emulation::SetFocusEmulationEnabled;
use cdp::protocol::page::Navigate;
use cdp::protocol::runtime::Evaluate;
use driver::{Cx, Result};
use serde_json::Value;
use testkit::web::Web;
use testkit::{Watch, browser_profile};
use tokio_util::sync::CancellationToken;

use super::{
    ClickOutcome, CssPoint, Element, ElementTarget, EntryMode, MouseEnd, PageInput, PressLength,
    Realm, Worlds, chord_events,
};
use crate::browser::{Browser, Launch, ProgramSearch, Sandbox, Tab, Window};

/// A browser with one tab, and the server of its pages.
struct TestPage {
    browser: Browser,
    tab: Tab,
    web: Web,
    worlds: Worlds,
    cx: Cx,
    _watch: Option<Watch>,
}

impl TestPage {
    /// A tab of 1200 by 900 that shows this page.
    async fn open(html: &str) -> Self {
        let profile = browser_profile("input");
        let launch = Launch {
            program: ProgramSearch::from_env().find().unwrap(),
            profile: profile.clone(),
            window: Window::Headless,
            sandbox: Sandbox::Off,
            port: None,
            size: (1200, 900),
            flags: Vec::new(),
        };
        let started = launch.start().await.unwrap();
        let pid = started.child.id();
        let browser = Browser::connect(&started.endpoint).await.unwrap();
        let tab = browser.tabs().await.unwrap().remove(0);
        let tab = browser.attach(&tab.id).await.unwrap();
        let emulate = SetFocusEmulationEnabled { enabled: true };
        tab.session().call(&emulate).await.unwrap();
        let page = Self {
            browser,
            tab,
            web: Web::start(),
            worlds: Worlds::default(),
            cx: Cx::new(Duration::from_secs(30), CancellationToken::new()),
            _watch: pid.map(|pid| Watch::over(pid, profile)),
        };
        page.load(html).await;
        page
    }

    /// Shows another page in the same tab.
    async fn load(&self, html: &str) {
        let head = "<!doctype html><meta charset=utf-8><script>window.log = []; window.note = (word) => { log.push(word) }</script>";
        self.web.page("/", &format!("{head}{html}"));
        let url = self.web.url("/");
        let navigate = Navigate {
            url,
            frame_id: None,
        };
        self.tab.session().call(&navigate).await.unwrap();
        self.evaluate("new Promise(done => document.readyState == 'complete' ? done() : addEventListener('load', done))")
            .await;
    }

    /// Evaluates an expression in the page.
    async fn evaluate(&self, expression: &str) -> Value {
        let evaluate = Evaluate {
            expression: expression.to_owned(),
            return_by_value: Some(true),
            await_promise: Some(true),
            ..Evaluate::default()
        };
        let evaluated = self.tab.session().call(&evaluate).await.unwrap();
        if let Some(thrown) = evaluated.exception_details {
            panic!("{expression}: {}", thrown.message());
        }
        evaluated.result.value
    }

    /// The events recorded by the page.
    async fn log(&self) -> String {
        let log = self.evaluate("log.splice(0).join(' ')").await;
        log.as_str().unwrap_or_default().to_owned()
    }

    /// The element that an expression returns.
    async fn target(&self, expression: &str) -> ElementTarget {
        let session = self.tab.session();
        let evaluate = Evaluate {
            expression: expression.to_owned(),
            ..Evaluate::default()
        };
        let found = session.call(&evaluate).await.unwrap();
        let Some(object) = found.result.object_id else {
            panic!("{expression} is not an element");
        };
        let describe = DescribeNode {
            node: NodeRef::from(&object),
            ..DescribeNode::default()
        };
        let node: BackendNodeId = session.call(&describe).await.unwrap().node.backend_node_id;
        ElementTarget {
            element: Element {
                realm: Realm::root(session),
                node,
            },
            frames: Vec::new(),
            last_center: None,
        }
    }

    fn input(&mut self) -> PageInput<'_> {
        PageInput::new(&self.cx, &self.tab, &mut self.worlds)
    }

    /// Clicks the element of an expression.
    async fn click(&mut self, expression: &str) -> Result<()> {
        let target = self.target(expression).await;
        let session = self.tab.session().clone();
        let pressed = self
            .input()
            .click(&session, &target, PressLength::Short)
            .await;
        pressed.map(|_| ())
    }

    /// Clicks the element of an expression; returns the recorded events, or the error.
    async fn click_log(&mut self, expression: &str) -> String {
        match self.click(expression).await {
            Ok(()) => self.log().await,
            Err(error) => {
                assert_eq!(self.log().await, "", "a refused click sends no event");
                format!("refused: {error}")
            }
        }
    }

    async fn enter(&mut self, expression: &str, mode: EntryMode, text: &str) -> Result<()> {
        let target = self.target(expression).await;
        self.input().enter(&target, mode, text).await.map(|_| ())
    }

    /// Enters text into the element of an expression; returns its value and the recorded events.
    async fn entry_log(&mut self, expression: &str, text: &str) -> String {
        let done = self.enter(expression, EntryMode::Set, text).await;
        let value = self
            .evaluate(&format!("{expression}.value ?? {expression}.innerText"))
            .await;
        let log = self.log().await;
        match done {
            Ok(()) => format!("{value} {log}"),
            Err(error) => format!("{value} {log}: {error}"),
        }
    }
}
