//! Measures `serve` under load: refused plans, many simulated phones, many followers.

mod client;
mod followers;
mod phones;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;

use crate::mcp;
use crate::numbers::quantile;
use client::{Client, ServerProcess, post};
use phones::Load;

pub use phones::PhoneAction;

#[derive(Clone, Debug)]
pub struct Options {
    pub clawperator: PathBuf,
    pub duration: Duration,
    pub action: PhoneAction,
    /// Its rate per second on each phone.
    pub rate: u32,
    pub only: LoadSelection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadSelection {
    Everything,
    /// Only the phones.
    Phones,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clawperator: PathBuf::from("target/release/clawperator"),
            duration: Duration::from_secs(10),
            action: PhoneAction::Click,
            rate: phones::RATE,
            only: LoadSelection::Everything,
        }
    }
}

/// The number of connections that send refused plans.
const CONNECTIONS: usize = 16;

struct Figure {
    name: &'static str,
    value: f64,
    target: f64,
    minimum: bool,
    unit: &'static str,
}

impl Figure {
    fn holds(&self) -> bool {
        if self.minimum {
            self.value >= self.target
        } else {
            self.value <= self.target
        }
    }
}

/// Measures everything, and reports which targets hold.
pub async fn run(options: &Options) -> Result<String, String> {
    let apps = std::env::temp_dir().join("clawperator-bench-apps");
    phones::write_app(&apps)?;
    let mut figures = Vec::new();
    let mut notes = Vec::new();
    if options.only == LoadSelection::Everything {
        let served = ServerProcess::start(&options.clawperator, &apps)?;
        let rate = refused_per_second(&served, options.duration).await?;
        figures.push(figure("plans refused", rate, 18_000.0, true, "/s"));
        figures.push(figure(
            "memory after that",
            served.memory(),
            25.0,
            false,
            "MB",
        ));
    }
    {
        let served = ServerProcess::start(&options.clawperator, &apps)?;
        let load = Load {
            action: options.action,
            phones: phones::PHONES,
            rate: options.rate,
            duration: options.duration,
        };
        let driven = phones::drive(&served, load).await?;
        let expected_rate = f64::from(load.phones) * f64::from(load.rate) * 0.99;
        let p99 = quantile(&driven.times, 0.99).unwrap_or(f64::NAN);
        let [opened, warm, end] = driven.memory;
        figures.extend([
            figure(
                "actions answered on 200 phones",
                driven.answered_per_second(),
                expected_rate,
                true,
                "/s",
            ),
            figure("lost or doubled", driven.wrong as f64, 0.0, false, ""),
            figure("p99 of an action", p99, 50.0, false, "ms"),
            figure("growth while it lasts", end / warm, 1.15, false, "x"),
        ]);
        let median = quantile(&driven.times, 0.5).unwrap_or(f64::NAN);
        notes.push(format!(
            "phones: an action is a {}, one run of its own; {} were requested, {} completed in {:.1} s, {} of them before the next was due; median {median:.1} ms, {:.3} ms of CPU time each",
            load.action.as_str(),
            driven.requested,
            driven.times.len(),
            driven.took.as_secs_f64(),
            driven.in_time,
            driven.cpu_seconds,
        ));
        notes.push(format!(
            "phones: {opened:.1} MB once all are open, {warm:.1} MB when what is kept for later has filled its bounds, {end:.1} MB at the end"
        ));
    }
    if options.only == LoadSelection::Everything {
        let served = ServerProcess::start(&options.clawperator, &apps)?;
        let followed = followers::follow(&served).await?;
        let [opened, warm, end] = followed.memory;
        figures.extend([
            figure(
                "events that 1,000 followers missed",
                followed.missed as f64,
                0.0,
                false,
                "",
            ),
            figure("growth while they follow", end / warm, 1.15, false, "x"),
        ]);
        notes.push(format!(
            "followers: {opened:.1} MB once all follow, {warm:.1} MB when warm, {end:.1} MB at the end; {:.2} us of processor time for one event of one follower",
            followed.cpu_seconds,
        ));
        let mcp = mcp::measure(&options.clawperator).await?;
        figures.extend([
            figure("MCP: startup", mcp.startup, 10.0, false, "ms"),
            figure("MCP: memory then", mcp.memory, 15.0, false, "MB"),
            figure(
                "MCP: a click over the engine's own",
                mcp.click - mcp.engine,
                2.0,
                false,
                "ms",
            ),
        ]);
    }
    let mut text = String::new();
    for figure in &figures {
        let bound = if figure.minimum {
            "at least"
        } else {
            "at most"
        };
        let held = if figure.holds() { "held" } else { "BROKEN" };
        text.push_str(&format!(
            "{:<36} {:>10.2} {:<3} {bound} {:>8} {held}\n",
            figure.name, figure.value, figure.unit, figure.target
        ));
    }
    for note in notes {
        text.push_str(&note);
        text.push('\n');
    }
    Ok(text)
}

fn figure(
    name: &'static str,
    value: f64,
    target: f64,
    minimum: bool,
    unit: &'static str,
) -> Figure {
    Figure {
        name,
        value,
        target,
        minimum,
        unit,
    }
}

/// Sends invalid plans as fast as they are answered; returns the number per second.
async fn refused_per_second(served: &ServerProcess, duration: Duration) -> Result<f64, String> {
    let body = json!({ "execution": testkit::plan("bad", json!([{"id": "a", "type": "click"}])) });
    let request = Arc::new(post("/execute", &body));
    let mut clients = JoinSet::new();
    let until = Instant::now() + duration;
    for _ in 0..CONNECTIONS {
        let mut client = Client::new(&served.address).await?;
        let request = Arc::clone(&request);
        clients.spawn(async move {
            let mut count = 0_u64;
            while Instant::now() < until {
                match client.request(&request).await {
                    Ok((400, _)) => count += 1,
                    other => return Err(format!("{other:?}")),
                }
            }
            Ok(count)
        });
    }
    let mut total = 0;
    while let Some(done) = clients.join_next().await {
        total += done.map_err(|error| error.to_string())??;
    }
    Ok(total as f64 / duration.as_secs_f64())
}
