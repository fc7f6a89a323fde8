//! One run: every way takes its turn in every round, so that what else the machine does falls on all of them alike.

use std::path::PathBuf;

use cdp::Connection;
use cdp::protocol::target::{AttachToTarget, GetTargets};
use serde_json::json;
use testkit::web::Web;

use super::page::sized;
use super::peers::{AgentBrowser, Playwright, Tokens};
use super::raw;
use super::table::{Row, Table, Who};
use crate::browser::Chrome;
use crate::tab::Tab;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// How often everything is measured.
    pub rounds: usize,
    /// Where the peers and the tokenizer lie.
    pub peers: PathBuf,
    /// The program that is measured by its command line.
    pub clawperator: PathBuf,
}

/// How many clicks a round has.
const CLICKS: usize = 5;

/// A browser with a page that a peer works on, and our own way to look at that page.
struct Stage {
    chrome: Chrome,
    connection: Connection,
}

impl Stage {
    /// A browser that shows `url` in its only tab.
    async fn set(name: &str, url: &str) -> Result<Self, String> {
        let chrome = Chrome::start(name).await?;
        let connection = chrome.connect().await?;
        let stage = Self { chrome, connection };
        stage.show(url).await?;
        Ok(stage)
    }

    /// A session of our own to the only tab.
    async fn session(&self) -> Result<cdp::Session, String> {
        let told = |error: cdp::Error| error.to_string();
        let browser = self.connection.browser();
        let targets = browser.call(&GetTargets {}).await.map_err(told)?;
        let page = targets.target_infos.iter().find(|info| info.kind == "page");
        let page = page.ok_or("the browser has no page")?;
        let attached = browser.call(&AttachToTarget::to(&page.target_id));
        let attached = attached.await.map_err(told)?;
        Ok(self.connection.session(&attached.session_id))
    }

    async fn show(&self, url: &str) -> Result<(), String> {
        Tab::over(self.session().await?)
            .await
            .map_err(|error| error.to_string())?
            .load(url)
            .await
    }

    /// Holds the number of clicks that the page has counted against those that were made.
    async fn counted(&self, who: Who, clicks: usize) -> Result<(), String> {
        let counted = raw::text(&self.session().await?, "#plus").await?;
        if counted == clicks.to_string() {
            return Ok(());
        }
        Err(format!(
            "{}: {clicks} clicks were made and {counted} came",
            who.as_str()
        ))
    }
}

/// Measures everything.
///
/// # Errors
///
/// In words, when something of ours fails. A peer that is not there or fails is left out, and told.
pub async fn run(options: &Options) -> Result<Table, String> {
    let mut table = Table::default();
    let web = Web::start();
    for elements in [1_500, 3_000] {
        web.page(&format!("/{elements}"), &sized(elements));
    }
    let url = web.url("/1500");
    let raw_stage = Stage::set("raw", &url).await?;
    let session = raw_stage.session().await?;
    let plus = raw::middle(&session, "#plus").await?;
    let mut peers = Peers::set(options, &url, &mut table).await;
    for _ in 0..options.rounds {
        for _ in 0..CLICKS {
            let took = raw::click(&session, plus).await?;
            table.add(Row::Click, Who::Raw, took);
        }
        peers.round(&mut table).await;
    }
    let clicks = options.rounds * CLICKS;
    raw_stage.counted(Who::Raw, clicks).await?;
    peers.end(clicks, &mut table).await;
    raw_stage.chrome.close().await?;
    Ok(table)
}

/// The peers that are there.
struct Peers {
    playwright: Option<(Playwright, Stage)>,
    agent: Option<(AgentBrowser, Stage)>,
    tokens: Option<Tokens>,
}

impl Peers {
    async fn set(options: &Options, url: &str, table: &mut Table) -> Self {
        let mut keep = |reason: String| {
            table.skipped.push(reason);
        };
        let playwright = playwright(options, url).await.map_err(&mut keep).ok();
        let agent = agent(options, url).await.map_err(&mut keep).ok();
        let tokens = Tokens::start(&options.peers).map_err(&mut keep).ok();
        Self {
            playwright,
            agent,
            tokens,
        }
    }

    /// One round of every peer. One that fails is not asked again.
    async fn round(&mut self, table: &mut Table) {
        if let Some((playwright, _)) = &mut self.playwright
            && let Err(error) = round_of_playwright(playwright, &mut self.tokens, table).await
        {
            table.skipped.push(error);
            self.playwright = None;
        }
        if let Some((agent, _)) = &self.agent
            && let Err(error) = round_of_agent(agent, &mut self.tokens, table).await
        {
            table.skipped.push(error);
            self.agent = None;
        }
    }

    async fn end(self, clicks: usize, table: &mut Table) {
        let mut ended = Vec::new();
        if let Some((playwright, stage)) = self.playwright {
            ended.push(stage.counted(Who::Playwright, clicks).await);
            ended.push(playwright.end().await);
            ended.push(stage.chrome.close().await);
        }
        if let Some((agent, stage)) = self.agent {
            ended.push(stage.counted(Who::AgentBrowser, clicks).await);
            ended.push(agent.run(&["close"]).await.map(|_| ()));
            ended.push(stage.chrome.close().await);
        }
        if let Some(tokens) = self.tokens {
            ended.push(tokens.end().await);
        }
        let problems = ended.into_iter().filter_map(Result::err);
        table.skipped.extend(problems);
    }
}

async fn playwright(options: &Options, url: &str) -> Result<(Playwright, Stage), String> {
    let mut playwright = Playwright::start(&options.peers)?;
    let stage = Stage::set("playwright", url).await?;
    playwright.attach(stage.chrome.url()).await?;
    Ok((playwright, stage))
}

async fn agent(options: &Options, url: &str) -> Result<(AgentBrowser, Stage), String> {
    let stage = Stage::set("agent-browser", url).await?;
    let program = Chrome::program()?;
    let session = format!("clawperator-bench-{}", std::process::id());
    let endpoint = Some(stage.chrome.url());
    let agent = AgentBrowser::new(&options.peers, &session, endpoint, program.path())?;
    // The first command starts its process.
    agent.run(&["get", "title"]).await?;
    Ok((agent, stage))
}

async fn round_of_playwright(
    playwright: &mut Playwright,
    tokens: &mut Option<Tokens>,
    table: &mut Table,
) -> Result<(), String> {
    for _ in 0..CLICKS {
        let click = json!({ "do": "click", "selector": "#plus" });
        table.add(Row::Click, Who::Playwright, playwright.run(click).await?.0);
    }
    let (took, tree) = playwright.run(json!({ "do": "tree" })).await?;
    table.add(Row::Tree, Who::Playwright, took);
    if let Some(tokens) = tokens {
        let count = tokens.count(tree.as_str().unwrap_or_default()).await?;
        table.add_tokens(Who::Playwright, count);
    }
    Ok(())
}

async fn round_of_agent(
    agent: &AgentBrowser,
    tokens: &mut Option<Tokens>,
    table: &mut Table,
) -> Result<(), String> {
    for _ in 0..CLICKS {
        table.add(
            Row::Click,
            Who::AgentBrowser,
            agent.run(&["click", "#plus"]).await?.0,
        );
    }
    let (took, tree) = agent.run(&["snapshot"]).await?;
    table.add(Row::Tree, Who::AgentBrowser, took);
    if let Some(tokens) = tokens {
        table.add_tokens(Who::AgentBrowser, tokens.count(&tree).await?);
    }
    Ok(())
}
