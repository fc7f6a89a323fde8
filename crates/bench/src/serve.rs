//! `serve` under load: plans that are refused, many simulated phones at once, many followers.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::mcp;
use crate::numbers::{ms, quantile};

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program.
    pub clawperator: PathBuf,
    /// How long each load lasts.
    pub lasting: Duration,
}

/// How many connections send plans that are refused.
const CONNECTIONS: usize = 16;
/// How many phones are driven at once, and how many actions each does in a second.
const PHONES: usize = 200;
const RATE: u32 = 10;
/// How many follow.
const FOLLOWERS: usize = 1_000;

/// One figure with its bar.
struct Figure {
    name: &'static str,
    value: f64,
    bar: f64,
    /// Whether more is better.
    least: bool,
    unit: &'static str,
}

impl Figure {
    fn holds(&self) -> bool {
        if self.least {
            self.value >= self.bar
        } else {
            self.value <= self.bar
        }
    }
}

/// The server, which ends with this.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn start(program: &PathBuf) -> Result<Self, String> {
        use std::io::BufRead;
        let mut child = Command::new(program)
            .args([
                "serve",
                "--port",
                "0",
                "--device",
                "sim",
                "--log-level",
                "error",
            ])
            .env(
                "CLAWPERATOR_LOG_DIR",
                std::env::temp_dir().join("clawperator-bench-log"),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let out = child.stdout.take().ok_or("the server says nothing")?;
        let mut line = String::new();
        let read = std::io::BufReader::new(out).read_line(&mut line);
        let mut served = Self {
            child,
            address: String::new(),
        };
        read.map_err(|error| error.to_string())?;
        let said: Value = serde_json::from_str(&line).map_err(|_| format!("it said {line:?}"))?;
        let url = said["url"].as_str().ok_or("the server names no url")?;
        url.trim_start_matches("http://")
            .clone_into(&mut served.address);
        Ok(served)
    }

    /// The memory that it has, in megabytes.
    fn memory(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }
}

/// A connection that sends one request after the other.
struct Client(BufReader<TcpStream>);

impl Client {
    async fn new(address: &str) -> Result<Self, String> {
        let stream = TcpStream::connect(address).await;
        let stream = stream.map_err(|error| error.to_string())?;
        stream
            .set_nodelay(true)
            .map_err(|error| error.to_string())?;
        Ok(Self(BufReader::new(stream)))
    }

    async fn ask(&mut self, request: &[u8]) -> std::io::Result<(u16, Vec<u8>)> {
        self.0.get_mut().write_all(request).await?;
        let mut line = String::new();
        self.0.read_line(&mut line).await?;
        let status = line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let mut length = 0;
        loop {
            line.clear();
            self.0.read_line(&mut line).await?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(said) = line.strip_prefix("content-length: ") {
                length = said.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await?;
        Ok((status.unwrap_or(0), body))
    }
}

fn post(path: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn plan(name: &str, actions: Value) -> Value {
    json!({
        "commandId": name, "taskId": "bench", "source": "bench",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions,
    })
}

/// Measures, and says which bars hold.
///
/// # Errors
/// The program cannot be started, or does not answer.
pub async fn run(options: &Options) -> Result<String, String> {
    let mut figures = Vec::new();
    {
        let served = Served::start(&options.clawperator)?;
        let rate = refused(&served, options.lasting).await?;
        figures.push(figure("plans refused", rate, 18_000.0, true, "/s"));
        let memory = served.memory().unwrap_or(f64::NAN);
        figures.push(figure("memory after that", memory, 25.0, false, "MB"));
    }
    {
        let served = Served::start(&options.clawperator)?;
        let driven = phones(&served, options.lasting).await?;
        let asked = driven.asked as f64;
        let wrong = driven.wrong as f64;
        let times = driven.times;
        let seconds = options.lasting.as_secs_f64();
        let wanted = PHONES as f64 * f64::from(RATE) * 0.99;
        figures.push(figure(
            "actions on 200 phones",
            asked / seconds,
            wanted,
            true,
            "/s",
        ));
        figures.push(figure("lost or doubled", wrong, 0.0, false, ""));
        let p99 = quantile(&times, 0.99).unwrap_or(f64::NAN);
        figures.push(figure("p99 of an action", p99, 50.0, false, "ms"));
        figures.push(figure(
            "growth while it lasts",
            driven.growth,
            1.15,
            false,
            "x",
        ));
    }
    {
        let served = Served::start(&options.clawperator)?;
        let (missed, growth) = followers(&served).await?;
        figures.push(figure(
            "events that 1,000 followers missed",
            missed,
            0.0,
            false,
            "",
        ));
        figures.push(figure("growth while they follow", growth, 1.15, false, "x"));
    }
    let mcp = mcp::measure(&options.clawperator).await?;
    figures.extend([
        figure("MCP: until it greets", mcp.greeting, 10.0, false, "ms"),
        figure("MCP: memory then", mcp.memory, 15.0, false, "MB"),
        figure(
            "MCP: a click over the engine's own",
            mcp.click - mcp.engine,
            2.0,
            false,
            "ms",
        ),
    ]);
    let mut text = String::new();
    for figure in &figures {
        let bar = if figure.least { "at least" } else { "at most" };
        let held = if figure.holds() { "held" } else { "BROKEN" };
        text.push_str(&format!(
            "{:<36} {:>10.1} {:<3} {bar} {:>8} {held}\n",
            figure.name, figure.value, figure.unit, figure.bar
        ));
    }
    Ok(text)
}

fn figure(name: &'static str, value: f64, bar: f64, least: bool, unit: &'static str) -> Figure {
    Figure {
        name,
        value,
        bar,
        least,
        unit,
    }
}

/// Plans that break a rule, as fast as they are answered; how many in a second.
async fn refused(served: &Served, lasting: Duration) -> Result<f64, String> {
    let body = json!({ "execution": plan("bad", json!([{"id": "a", "type": "click"}])) });
    let request = Arc::new(post("/execute", &body));
    let mut clients = JoinSet::new();
    let until = Instant::now() + lasting;
    for _ in 0..CONNECTIONS {
        let mut client = Client::new(&served.address).await?;
        let request = Arc::clone(&request);
        clients.spawn(async move {
            let mut count = 0_u64;
            while Instant::now() < until {
                match client.ask(&request).await {
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
    Ok(total as f64 / lasting.as_secs_f64())
}

/// What came of driving phones.
struct Driven {
    asked: u64,
    wrong: u64,
    times: Vec<f64>,
    growth: f64,
}

/// Every phone at its own pace: each action is asked for at its moment, and late answers make none of them wait less.
async fn phones(served: &Served, lasting: Duration) -> Result<Driven, String> {
    let open = json!([{"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}}]);
    let mut clients = Vec::new();
    for phone in 0..PHONES {
        let mut client = Client::new(&served.address).await?;
        let device = format!("sim#{phone}");
        let body = json!({ "deviceId": device, "execution": plan("open", open.clone()) });
        let opened = client.ask(&post("/execute", &body)).await;
        let (status, said) = opened.map_err(|error| error.to_string())?;
        if status != 200 {
            return Err(String::from_utf8_lossy(&said).into_owned());
        }
        clients.push((device, client));
    }
    let before = served.memory().unwrap_or(f64::NAN);
    let mut driving = JoinSet::new();
    let begun = Instant::now();
    for (place, (device, mut client)) in clients.into_iter().enumerate() {
        driving.spawn(async move {
            let pause = Duration::from_secs(1) / RATE;
            // They do not all begin at the same moment.
            let offset = pause * u32::try_from(place).unwrap_or(0) / PHONES as u32;
            let (mut times, mut wrong, mut number) = (Vec::new(), 0, 0);
            while pause * number < lasting {
                let moment = begun + offset + pause * number;
                tokio::time::sleep_until(moment.into()).await;
                let name = format!("{device}-{number}");
                let click = json!([{"id": "s", "type": "scroll", "params": {"direction": if number % 2 == 0 { "down" } else { "up" }, "settleDelayMs": 0}}]);
                let body = json!({ "deviceId": device, "execution": plan(&name, click) });
                let answer = client.ask(&post("/execute", &body)).await;
                times.push(ms(moment.elapsed()));
                let (status, said) = answer.unwrap_or_default();
                let said: Value = serde_json::from_slice(&said).unwrap_or_default();
                let steps = said["envelope"]["stepResults"].as_array().map_or(0, Vec::len);
                let right = status == 200
                    && said["envelope"]["commandId"] == name.as_str()
                    && said["deviceId"] == device.as_str()
                    && said["envelope"]["status"] == "success"
                    && steps == 1;
                wrong += u64::from(!right);
                number += 1;
            }
            (times, wrong)
        });
    }
    let (mut times, mut wrong) = (Vec::new(), 0);
    while let Some(done) = driving.join_next().await {
        let (its, missed) = done.map_err(|error| error.to_string())?;
        times.extend(its);
        wrong += missed;
    }
    Ok(Driven {
        asked: times.len() as u64,
        wrong,
        times,
        growth: served.memory().unwrap_or(f64::NAN) / before,
    })
}

/// Runs while many follow; how many events they missed, and how the server grew.
async fn followers(served: &Served) -> Result<(f64, f64), String> {
    const RUNS: usize = 100;
    let mut following = JoinSet::new();
    for _ in 0..FOLLOWERS {
        let mut client = Client::new(&served.address).await?;
        let request = b"GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n";
        let sent = client.0.get_mut().write_all(request).await;
        sent.map_err(|error| error.to_string())?;
        let mut line = String::new();
        while !line.contains("CONNECTED") {
            line.clear();
            let read = client.0.read_line(&mut line).await;
            read.map_err(|error| error.to_string())?;
        }
        following.spawn(async move {
            let mut seen: HashMap<String, usize> = HashMap::new();
            let mut line = String::new();
            while seen.get("clawperator:execution").copied().unwrap_or(0) < RUNS {
                line.clear();
                if !matches!(client.0.read_line(&mut line).await, Ok(count) if count > 0) {
                    break;
                }
                if let Some(name) = line.strip_prefix("event: ") {
                    *seen.entry(name.trim().to_owned()).or_default() += 1;
                }
            }
            let kinds = ["started", "step", "result", "execution"];
            let missed = kinds.map(|kind| {
                let seen = seen.get(&format!("clawperator:{kind}")).copied();
                RUNS.abs_diff(seen.unwrap_or(0))
            });
            missed.iter().sum::<usize>()
        });
    }
    let before = served.memory().unwrap_or(f64::NAN);
    let mut client = Client::new(&served.address).await?;
    for run in 0..RUNS {
        let actions = json!([{"id": "s", "type": "sleep", "params": {"durationMs": 1}}]);
        let body = json!({ "execution": plan(&format!("run-{run}"), actions) });
        let answer = client.ask(&post("/execute", &body)).await;
        answer.map_err(|error| error.to_string())?;
    }
    let mut missed = 0;
    while let Some(done) = following.join_next().await {
        missed += done.map_err(|error| error.to_string())?;
    }
    let growth = served.memory().unwrap_or(f64::NAN) / before;
    Ok((missed as f64, growth))
}
