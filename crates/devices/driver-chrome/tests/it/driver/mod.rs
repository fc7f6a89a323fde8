//! A tab as a device: the driver's reports compared with the page's reports to the server.

mod activity;
mod certainty;
mod click_css;
mod clicks;
mod closing;
mod dialogs;
mod downloads;
mod navigation;
mod reach;
mod tabs;

use std::time::Duration;

use driver::{
    Browser as _, Cx, Driver, DriverError, Key, NodeAct, NodeRef, Observation, Result, Target,
};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{Browser, Launch, LaunchedBrowser, ProgramSearch, Sandbox, Window};
use testkit::web::{Request, Web};
use testkit::{Watch, browser_profile};
use tokio_util::sync::CancellationToken;
use uitree::{NodeId, Query};

/// A browser of a test with its own profile; both are removed afterwards.
pub(crate) struct Running {
    pub(crate) started: LaunchedBrowser,
    _watch: Option<Watch>,
}

impl Running {
    pub(crate) async fn start() -> Self {
        Self::with(&[]).await
    }

    pub(crate) async fn with(flags: &[&str]) -> Self {
        let profile = browser_profile("driver");
        let found = ProgramSearch::from_env().find();
        let program = found.unwrap_or_else(|why| panic!("these tests need a browser: {why}"));
        let launch = Launch {
            program,
            profile: profile.clone(),
            window: Window::Headless,
            sandbox: Sandbox::WherePossible,
            port: None,
            size: (1200, 900),
            flags: flags.iter().map(Into::into).collect(),
        };
        let started = launch.start().await.unwrap();
        let pid = started.child.id();
        Self {
            _watch: pid.map(|pid| Watch::over(pid, profile)),
            started,
        }
    }

    /// A driver of its first tab.
    pub(crate) async fn driver(&self) -> ChromeDriver {
        let browser = Browser::connect(&self.started.endpoint).await.unwrap();
        let tab = browser.tabs().await.unwrap().remove(0).id;
        let tab = browser.attach(&tab).await.unwrap();
        ChromeDriver::open(tab, &cx()).await.unwrap()
    }
}

/// A generous deadline.
pub(crate) fn cx() -> Cx {
    Cx::new(Duration::from_secs(60), CancellationToken::new())
}

/// The beginning of every page: `note(word)` reports to the server and waits for its answer.
pub(crate) const NOTE: &str = "<!doctype html><meta charset=utf-8><script>
    window.note = (word) => { const request = new XMLHttpRequest(); request.open('POST', '{{own}}/note', false); request.send(word); };
    </script>";

/// A driven tab, and the server of its pages.
pub(crate) struct DrivenTab {
    pub(crate) driver: ChromeDriver,
    pub(crate) web: Web,
    pub(crate) running: Running,
}

impl DrivenTab {
    /// A tab that shows this page.
    pub(crate) async fn show(html: &str) -> Self {
        Self::on(Running::start().await, html).await
    }

    pub(crate) async fn on(running: Running, html: &str) -> Self {
        let driver = running.driver().await;
        let mut driven = Self {
            driver,
            web: Web::start(),
            running,
        };
        driven.page("/", html);
        driven.open("/").await.unwrap();
        driven
    }

    /// Serves this page at `path`.
    pub(crate) fn page(&self, path: &str, html: &str) {
        self.web.page(path, &format!("{NOTE}{html}"));
    }

    pub(crate) async fn open(&mut self, path: &str) -> Result<()> {
        let url = self.web.url(path);
        self.driver.open(&cx(), &Target::Uri(url)).await.map(drop)
    }

    pub(crate) async fn observe(&mut self) -> Observation {
        self.observe_by(&cx()).await
    }

    /// An observation before `end`.
    async fn observe_by(&mut self, end: &Cx) -> Observation {
        loop {
            match self.driver.observe(end).await {
                Ok(seen) => return seen,
                // On a loaded machine a page may not answer in time; the caller tries again.
                Err(DriverError::Incomplete(_)) => {}
                Err(error) => panic!("{error}: {:?}", self.driver.tab().map(|tab| tab.state())),
            }
        }
    }

    /// Waits until something is on the screen.
    pub(crate) async fn find(&mut self, query: Query) -> (Observation, NodeId) {
        let end = cx();
        loop {
            let seen = self.observe_by(&end).await;
            if let Some(node) = seen.tree.find(&query) {
                return (seen, node);
            }
            if let Err(error) = self.driver.changed(&end, seen.revision).await {
                panic!(
                    "{query} did not appear ({error}):\n{}",
                    seen.tree.to_notation()
                );
            }
        }
    }

    /// Acts on the match of a query.
    pub(crate) async fn act(&mut self, query: Query, act: &NodeAct) -> Result<()> {
        let (seen, node) = self.find(query).await;
        let node: NodeRef = seen.node_ref(node);
        self.driver_act(node, act).await
    }

    /// The match of a selector, as a node of a new observation.
    pub(crate) async fn hit(&mut self, css: &str) -> NodeRef {
        let end = cx();
        self.driver.watch_selectors(&[css]).unwrap();
        loop {
            let seen = self.observe_by(&end).await;
            if let [mark] = seen.tree.marks()
                && let [only] = mark.nodes.as_slice()
            {
                self.driver.watch_selectors(&[]).unwrap();
                return seen.node_ref(*only);
            }
            if let Err(error) = self.driver.changed(&end, seen.revision).await {
                panic!(
                    "{css} never hit one ({error}):\n{}",
                    seen.tree.to_notation()
                );
            }
        }
    }

    /// Acts on a node.
    pub(crate) async fn driver_act(&mut self, node: NodeRef, act: &NodeAct) -> Result<()> {
        self.driver.act(&cx(), node, act).await.map(drop)
    }

    pub(crate) async fn key(&mut self, key: Key) -> Result<()> {
        self.driver.key(&cx(), key).await.map(drop)
    }

    pub(crate) async fn click(&mut self, id: &str) -> Result<()> {
        self.act(Query::new().id(id), &NodeAct::Click).await
    }

    /// The words that the page has reported.
    pub(crate) fn noted(&self) -> Vec<String> {
        self.web.posted("/note")
    }

    /// Waits until the page has reported this word.
    pub(crate) async fn until_noted(&self, word: &str) {
        let noted = word.to_owned();
        let is_noted =
            move |requests: &[Request]| requests.iter().any(|request| request.body == noted);
        self.web.until(is_noted).await;
    }

    /// The host of the page in front.
    pub(crate) async fn front(&mut self) -> String {
        let front = self.driver.foreground(&cx()).await.unwrap();
        front.app.unwrap_or_default()
    }
}
