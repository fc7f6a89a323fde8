//! A run: all tools take turns in every round, so that other load affects them alike.

use std::path::PathBuf;
use std::time::Instant;

use cdp::{Connection, Endpoint};
use serde_json::json;
use testkit::web::Web;

use super::browser_page::{BrowserPage, Page};
use super::cli::{self, Cli};
use super::ours::InProcess;
use super::page::{question, sized};
use super::peers::{AgentBrowser, Playwright};
use super::raw;
use super::table::{Row, Table, Tool};
use crate::browser::Chrome;
use crate::inspect;
use crate::mcp_server::McpServer;
use crate::numbers::ms;
use crate::tab::Tab;
use crate::tokenizer::tokens;

#[derive(Clone, Debug)]
pub struct Options {
    pub rounds: usize,
    pub peers: PathBuf,
    /// The program to measure on its command line.
    pub clawperator: PathBuf,
}

const CLICKS: usize = 5;
/// The number of rounds that start browsers, which is slowest.
const STARTS: usize = 7;

/// Measures everything.
/// A peer that is missing or fails is skipped and reported.
pub async fn run(options: &Options) -> Result<Table, String> {
    let mut table = Table::default();
    if cfg!(debug_assertions) {
        let reason = "debug build: times are meaningless";
        table.skipped.push(reason.to_owned());
    }
    let web = Web::start();
    for elements in [1_500, 3_000, 10_000] {
        web.page(&format!("/{elements}"), &sized(elements));
    }
    let url = web.url("/1500");
    let raw_page = BrowserPage::open("raw", &url).await?;
    let session = raw_page.page.session().await?;
    let plus = raw::node(&session, "#plus").await?;
    let browser_page = BrowserPage::open("ours", &url).await?;
    let (mut ours, _) = InProcess::attach(browser_page.chrome.url()).await?;
    let inspect_pages = InspectPages::set(&web).await?;
    let mut peers = Peers::set(options, &web, &mut table).await;
    for round in 1..=options.rounds {
        for _ in 0..CLICKS {
            let took = raw::click(&session, plus).await?;
            table.add(Row::Click, Tool::Raw, took);
        }
        for _ in 0..CLICKS {
            let took = raw::click_in_turn(&session, plus).await?;
            table.add(Row::Click, Tool::RawInTurn, took);
        }
        for _ in 0..CLICKS {
            let took = raw::find_and_click(&session, "#plus").await?;
            table.add(Row::ClickBySelector, Tool::Raw, took);
        }
        if round <= STARTS {
            let started = Instant::now();
            let browser_page = BrowserPage::open("raw-first-page", &url).await?;
            table.add(Row::FirstPage, Tool::Raw, ms(started.elapsed()));
            browser_page.chrome.close().await?;
        }
        round_of_ours(&mut ours, &browser_page, &web, round, &mut table).await?;
        table.add(Row::Tree, Tool::InProcess, ours.tree().await?.0);
        inspect_pages.round(round, &mut table).await?;
        peers.round(round, &web, &mut table).await;
    }
    let clicks = options.rounds * CLICKS;
    // Every click was made twice: on a known element and by selector; with the bare protocol also in two ways.
    for (page, tool, each) in [
        (&raw_page.page, Tool::Raw, 3),
        (&browser_page.page, Tool::InProcess, 2),
    ] {
        page.check_click_count(tool, each * clicks).await?;
    }
    // Peers return the whole page regardless of scrolling, ours only the visible part.
    browser_page.page.fit_viewport().await?;
    table.add_tokens(Tool::InProcess, tokens(&ours.tree().await?.1));
    drop(ours);
    peers.end(clicks, &mut table).await;
    inspect_pages.end().await?;
    for browser_page in [raw_page, browser_page] {
        browser_page.chrome.close().await?;
    }
    Ok(table)
}

async fn round_of_ours(
    ours: &mut InProcess,
    browser_page: &BrowserPage,
    web: &Web,
    round: usize,
    table: &mut Table,
) -> Result<(), String> {
    let plus = ours.look_up("#plus").await?;
    for _ in 0..CLICKS {
        table.add(Row::Click, Tool::InProcess, ours.click(plus).await?);
    }
    for _ in 0..CLICKS {
        let took = ours.find_and_click("#plus").await?;
        table.add(Row::ClickBySelector, Tool::InProcess, took);
    }
    let took = ours.settle("#next", &format!("Turn {round}")).await?;
    table.add(Row::Settle, Tool::InProcess, took);
    let (reattach, took) = InProcess::attach(browser_page.chrome.url()).await?;
    drop(reattach);
    table.add(Row::Attach, Tool::InProcess, took);
    if round <= STARTS {
        let took = InProcess::first_page(&web.url("/1500")).await?;
        table.add(Row::FirstPage, Tool::InProcess, took);
    }
    Ok(())
}

/// Pages on which elements are found by description.
struct InspectPages {
    chrome: Chrome,
    pages: Vec<(Row, cdp::Session)>,
    // The sessions exist as long as the connection.
    _connection: Connection,
}

impl InspectPages {
    async fn set(web: &Web) -> Result<Self, String> {
        let chrome = Chrome::start("inspect").await?;
        let connection = chrome.connect().await?;
        let mut pages = Vec::new();
        for (row, path) in [(Row::Inspect1500, "/1500"), (Row::Inspect3000, "/3000")] {
            let tab = Tab::open(&connection).await;
            let mut tab = tab.map_err(|error| error.to_string())?;
            tab.load(&web.url(path)).await?;
            pages.push((row, tab.session().clone()));
        }
        Ok(Self {
            chrome,
            pages,
            _connection: connection,
        })
    }

    async fn round(&self, round: usize, table: &mut Table) -> Result<(), String> {
        for (row, session) in &self.pages {
            let mut ours = inspect::ours::ProductSearch::open(session).await?;
            // The first observation includes setup; agents make many.
            ours.query("search").await?;
            let answer = ours.query(&question(round)).await?;
            table.add(*row, Tool::InProcess, ms(answer.took));
        }
        Ok(())
    }

    async fn end(self) -> Result<(), String> {
        drop(self.pages);
        self.chrome.close().await
    }
}

/// A measured tool other than our own in process, with its page.
enum Peer {
    Cli(Cli, Page),
    Mcp(McpServer, BrowserPage),
    /// Our program on a page of 10,000 elements, only to find.
    LargeMcp(McpServer, BrowserPage),
    Playwright(Playwright, BrowserPage),
    Agent(AgentBrowser, BrowserPage),
    AgentMcp(McpServer, AgentBrowser, BrowserPage),
}

/// The available peers, and our own program.
struct Peers(Vec<Peer>);

impl Peers {
    async fn set(options: &Options, web: &Web, table: &mut Table) -> Self {
        let url = &web.url("/1500");
        let large = mcp(options, "mcp-large", &web.url("/10000")).await;
        let mut peers = Vec::new();
        for started in [
            cli_with_page(options, url).await,
            (mcp(options, "mcp", url).await).map(|(server, page)| Peer::Mcp(server, page)),
            large.map(|(server, page)| Peer::LargeMcp(server, page)),
            playwright(options, url).await,
            (agent(options, url, "agent-browser").await)
                .map(|(agent, page)| Peer::Agent(agent, page)),
            agent_mcp(options, url).await,
        ] {
            match started {
                Ok(peer) => peers.push(peer),
                Err(reason) => table.skipped.push(reason),
            }
        }
        Self(peers)
    }

    /// A round of all peers. One that fails is skipped from then on.
    async fn round(&mut self, round: usize, web: &Web, table: &mut Table) {
        for mut peer in std::mem::take(&mut self.0) {
            match peer.round(round, web, table).await {
                Ok(()) => self.0.push(peer),
                Err(reason) => table.skipped.push(reason),
            }
        }
    }

    async fn end(self, clicks: usize, table: &mut Table) {
        let mut results = Vec::new();
        for peer in self.0 {
            peer.end(clicks, &mut results).await;
        }
        let problems = results.into_iter().filter_map(Result::err);
        table.skipped.extend(problems);
    }
}

impl Peer {
    async fn round(&mut self, round: usize, web: &Web, table: &mut Table) -> Result<(), String> {
        match self {
            Self::Cli(cli, _) => {
                for _ in 0..CLICKS {
                    let took = cli.run(&["click", "--css", "#plus"]).await?.0;
                    table.add(Row::ClickBySelector, Tool::OursCli, took);
                }
                let took = cli.run(&["inspect", &question(round)]).await?.0;
                table.add(Row::Inspect1500, Tool::OursCli, took);
                Ok(())
            }
            Self::Mcp(server, _) => {
                let click =
                    json!({ "actions": [{ "type": "click", "matcher": { "css": "#plus" } }] });
                for _ in 0..CLICKS {
                    let took = server.call("act", &click)?;
                    table.add(Row::ClickBySelector, Tool::OursMcp, took);
                }
                inspect_by_mcp(server, round, Row::Inspect1500, table)
            }
            Self::LargeMcp(server, _) => inspect_by_mcp(server, round, Row::Inspect10000, table),
            Self::Playwright(playwright, page) => {
                round_of_playwright(playwright, page, web, round, table).await
            }
            Self::Agent(agent, _) => round_of_agent(agent, web, round, table).await,
            Self::AgentMcp(server, agent, _) => {
                let click = json!({ "selector": "#plus", "session": agent.session() });
                for _ in 0..CLICKS {
                    let took = server.call("agent_browser_click", &click)?;
                    table.add(Row::ClickBySelector, Tool::AgentBrowserMcp, took);
                }
                Ok(())
            }
        }
    }

    /// Compares the clicks, and stops the tool and its browser.
    async fn end(self, clicks: usize, results: &mut Vec<Result<(), String>>) {
        let (tool, browser_page) = match self {
            Self::Cli(cli, page) => {
                results.push(page.check_click_count(Tool::OursCli, clicks).await);
                return results.push(cli.end().await);
            }
            Self::LargeMcp(server, browser_page) => {
                drop(server);
                return results.push(browser_page.chrome.close().await);
            }
            Self::Mcp(server, browser_page) => {
                drop(server);
                (Tool::OursMcp, browser_page)
            }
            Self::Playwright(playwright, browser_page) => {
                results.push(playwright.stop().await);
                (Tool::Playwright, browser_page)
            }
            Self::Agent(agent, browser_page) => {
                results.push(agent.run(&["close"]).await.map(|_| ()));
                (Tool::AgentBrowser, browser_page)
            }
            Self::AgentMcp(server, agent, browser_page) => {
                drop(server);
                results.push(agent.run(&["close"]).await.map(|_| ()));
                (Tool::AgentBrowserMcp, browser_page)
            }
        };
        results.push(browser_page.page.check_click_count(tool, clicks).await);
        results.push(browser_page.chrome.close().await);
    }
}

async fn cli_with_page(options: &Options, url: &str) -> Result<Peer, String> {
    let (cli, endpoint) = Cli::start(&options.clawperator).await?;
    let connection = async {
        let endpoint = Endpoint::parse(&endpoint).map_err(|error| error.to_string())?;
        let url = endpoint.connection_url().await;
        let url = url.map_err(|error| error.to_string())?;
        let connection = Connection::open(&url).await;
        connection.map_err(|error| error.to_string())
    };
    let page = Page::open(connection.await?, url).await?;
    Ok(Peer::Cli(cli, page))
}

async fn mcp(options: &Options, name: &str, url: &str) -> Result<(McpServer, BrowserPage), String> {
    let browser_page = BrowserPage::open(name, url).await?;
    let mut command = cli::mcp_command(&options.clawperator, browser_page.chrome.url())?;
    let mut tool = McpServer::start(&mut command)?;
    tool.initialize()?;
    Ok((tool, browser_page))
}

/// Finds an element by description. The first round includes setup and does not count.
fn inspect_by_mcp(
    tool: &mut McpServer,
    round: usize,
    row: Row,
    table: &mut Table,
) -> Result<(), String> {
    let description = json!({ "description": question(round) });
    let took = tool.call("inspect_element", &description)?;
    if round > 1 {
        table.add(row, Tool::OursMcp, took);
    }
    Ok(())
}

async fn playwright(options: &Options, url: &str) -> Result<Peer, String> {
    let mut playwright = Playwright::start(&options.peers)?;
    let browser_page = BrowserPage::open("playwright", url).await?;
    playwright.attach(browser_page.chrome.url()).await?;
    Ok(Peer::Playwright(playwright, browser_page))
}

async fn agent(
    options: &Options,
    url: &str,
    name: &str,
) -> Result<(AgentBrowser, BrowserPage), String> {
    let browser_page = BrowserPage::open(name, url).await?;
    let program = Chrome::program()?;
    let session = format!("clawperator-bench-{name}-{}", std::process::id());
    let endpoint = Some(browser_page.chrome.url());
    let agent = AgentBrowser::new(&options.peers, &session, endpoint, program.path())?;
    // The first command starts its process.
    agent.run(&["get", "title"]).await?;
    Ok((agent, browser_page))
}

async fn agent_mcp(options: &Options, url: &str) -> Result<Peer, String> {
    let (agent, browser_page) = agent(options, url, "agent-browser-mcp").await?;
    let mut server = McpServer::start(&mut agent.mcp_command())?;
    server.initialize()?;
    Ok(Peer::AgentMcp(server, agent, browser_page))
}

async fn round_of_playwright(
    playwright: &mut Playwright,
    browser_page: &BrowserPage,
    web: &Web,
    round: usize,
    table: &mut Table,
) -> Result<(), String> {
    for _ in 0..CLICKS {
        let click = json!({ "do": "click", "selector": "#plus" });
        let took = playwright.run(click).await?.0;
        table.add(Row::ClickBySelector, Tool::Playwright, took);
    }
    let shows = format!("text=Turn {round}");
    let settle = json!({ "do": "settle", "selector": "#next", "shows": shows });
    let took = playwright.run(settle).await?.0;
    table.add(Row::Settle, Tool::Playwright, took);
    let took = playwright.reattach(browser_page.chrome.url()).await?;
    table.add(Row::Attach, Tool::Playwright, took);
    if round <= STARTS {
        let program = Chrome::program()?;
        let launch = json!({
            "do": "launch",
            "executable": program.path().display().to_string(),
            "args": ["--no-sandbox", "--disable-gpu"],
            "url": web.url("/1500"),
        });
        let took = playwright.run(launch).await?.0;
        table.add(Row::FirstPage, Tool::Playwright, took);
    }
    let (took, tree) = playwright.run(json!({ "do": "tree" })).await?;
    table.add(Row::Tree, Tool::Playwright, took);
    table.add_tokens(Tool::Playwright, tokens(tree.as_str().unwrap_or_default()));
    Ok(())
}

async fn round_of_agent(
    agent: &AgentBrowser,
    web: &Web,
    round: usize,
    table: &mut Table,
) -> Result<(), String> {
    for _ in 0..CLICKS {
        let took = agent.run(&["click", "#plus"]).await?.0;
        table.add(Row::ClickBySelector, Tool::AgentBrowser, took);
    }
    let shows = format!("Turn {round}");
    let clicked = agent.run(&["click", "#next"]).await?.0;
    let waited = agent.run(&["wait", "--text", &shows]).await?.0;
    table.add(Row::Settle, Tool::AgentBrowser, clicked + waited);
    if round <= STARTS {
        let took = agent.first_page(&web.url("/1500")).await?;
        table.add(Row::FirstPage, Tool::AgentBrowser, took);
    }
    let (took, tree) = agent.run(&["snapshot"]).await?;
    table.add(Row::Tree, Tool::AgentBrowser, took);
    table.add_tokens(Tool::AgentBrowser, tokens(&tree));
    Ok(())
}
