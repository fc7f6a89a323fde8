//! clawperator in process: a tab driven as by the engine.

use std::time::{Duration, Instant};

use cdp::Endpoint;
use driver::{Browser as _, Cx, Driver, NodeAct, NodeRef, Target};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{Browser, LoadState, TabState};
use tokio_util::sync::CancellationToken;
use uitree::NodeId;

use crate::browser::Chrome;
use crate::numbers::ms;

const TIMEOUT: Duration = Duration::from_secs(30);

pub struct InProcess {
    driver: ChromeDriver,
}

impl InProcess {
    /// Attaches to the only tab of a browser; also returns the duration.
    pub async fn attach(url: &str) -> Result<(Self, f64), String> {
        let endpoint = Endpoint::parse(url).map_err(words)?;
        let started = Instant::now();
        let browser = Browser::connect(&endpoint).await.map_err(words)?;
        let tabs = browser.tabs().await.map_err(words)?;
        let first = tabs.first().ok_or("the browser has no tab")?;
        let tab = browser.attach(&first.id).await.map_err(words)?;
        let driver = ChromeDriver::open(tab, &cx()).await.map_err(words)?;
        Ok((Self { driver }, ms(started.elapsed())))
    }

    /// Starts a browser and loads a page in it; returns the duration.
    pub async fn first_page(url: &str) -> Result<f64, String> {
        let started = Instant::now();
        let chrome = Chrome::start("first-page").await?;
        let (mut ours, _) = Self::attach(chrome.url()).await?;
        let opened = ours.driver.open(&cx(), &Target::Uri(url.to_owned())).await;
        opened.map_err(words)?;
        let tab = ours.driver.tab().ok_or("the tab is gone")?;
        let loaded = |state: &TabState| {
            let document = state.document.as_ref();
            document.is_some_and(|document| {
                document.url == url && document.loading == LoadState::Complete
            })
        };
        let mut states = tab.watch();
        let waited = tokio::time::timeout(TIMEOUT, states.wait_for(loaded)).await;
        let took = ms(started.elapsed());
        let Ok(waited) = waited else {
            return Err(format!("{url} does not load: {:?}", tab.state().document));
        };
        drop(waited.map_err(words)?);
        drop(ours);
        chrome.close().await?;
        Ok(took)
    }

    /// Looks up the element that `css` matches.
    pub async fn look_up(&mut self, css: &str) -> Result<NodeRef, String> {
        self.driver.watch_selectors(&[css]).map_err(words)?;
        let seen = self.driver.observe(&cx()).await.map_err(words)?;
        let hit = seen.tree.marks().iter().find(|mark| &*mark.selector == css);
        let node = hit.and_then(|mark| mark.nodes.first().copied());
        let node: NodeId = node.ok_or_else(|| format!("{css} hits nothing"))?;
        Ok(seen.node_ref(node))
    }

    /// Clicks a known element; returns the duration.
    pub async fn click(&mut self, node: NodeRef) -> Result<f64, String> {
        let started = Instant::now();
        let clicked = self.driver.act(&cx(), node, &NodeAct::Click).await;
        clicked.map_err(words)?;
        Ok(ms(started.elapsed()))
    }

    /// Clicks the match of a selector as the engine does: directly if possible, otherwise after an
    /// observation. Returns the duration.
    pub async fn find_and_click(&mut self, css: &str) -> Result<f64, String> {
        let started = Instant::now();
        let clicked = self.driver.click_css(&cx(), css).await.map_err(words)?;
        if clicked.is_none() {
            let node = self.look_up(css).await?;
            self.click(node).await?;
        }
        Ok(ms(started.elapsed()))
    }

    /// Clicks an element, and waits until `shows` appears on the page.
    pub async fn settle(&mut self, css: &str, shows: &str) -> Result<f64, String> {
        let started = Instant::now();
        self.find_and_click(css).await?;
        let cx = cx();
        loop {
            let seen = self.driver.observe(&cx).await.map_err(words)?;
            let mut nodes = seen.tree.nodes().iter();
            if nodes.any(|node| *node.text == *shows || *node.label == *shows) {
                return Ok(ms(started.elapsed()));
            }
            self.driver
                .changed(&cx, seen.revision)
                .await
                .map_err(words)?;
        }
    }

    /// The page as an agent reads it, and the duration.
    pub async fn tree(&mut self) -> Result<(f64, String), String> {
        let started = Instant::now();
        let seen = self.driver.observe(&cx()).await.map_err(words)?;
        let tree = seen.tree.to_compact();
        Ok((ms(started.elapsed()), tree))
    }
}

fn cx() -> Cx {
    Cx::new(TIMEOUT, CancellationToken::new())
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
