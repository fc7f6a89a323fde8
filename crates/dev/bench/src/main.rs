//! `clawperator-bench`: measures the web side.

use std::path::PathBuf;
use std::process::ExitCode;

use bench::browser::Chrome;
use bench::suite::Suite;
use bench::{inspect, serve, web};

const USAGE: &str = "\
clawperator-bench inspect [options]    how often descriptions are understood
clawperator-bench web [options]        how long things take, beside others' tools
clawperator-bench serve [options]      what the servers bear: refused plans, 200 simulated phones, 1,000 followers, MCP

inspect:
  --pages FOLDER    ask the *.html of a folder, too
  --told FILE       ask instructions for these pages, a line of JSON each: {\"page\", \"query\", \"gold\": [css]}
  --suite NAMES     only these suites, parted by commas: name, name-role, dropped, joined, inflected, swapped,
                    under, ambiguous, negative, masked, miniwob, told
  --keep FOLDER     write every page as it was seen, with its questions, for work without a browser
  --failures        tell everything that was not answered rightly
  --miniwob FOLDER  where MiniWoB++ was unpacked (target/bench/miniwob)
web:
  --rounds N        how often everything is measured (20)
  --clawperator BIN the program to measure by its command line (target/release/clawperator)
serve:
  --seconds N       how long each load lasts (10); memory is compared from a tenth of it on, a minute at most
  --action WHAT     what the phones do: click, read or scroll (click)
  --rate N          how often each of them does it in a second (10)
  --only phones     nothing but the phones
  --clawperator BIN the program to measure (target/release/clawperator)
both:
  --peers FOLDER    where peers and tokenizer were installed (target/bench/peers)
  --json            JSON in place of a table

What is measured with and beside is brought by crates/dev/bench/fetch. The browser is found as clawperator finds it.";

/// The parsed command.
enum Command {
    Help,
    Inspect {
        options: inspect::run::Options,
        failures: Failures,
        format: Format,
    },
    Web {
        options: web::run::Options,
        format: Format,
    },
    Serve(serve::Options),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Failures {
    Counted,
    Instruction,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = match read(&arguments) {
        Ok(asked) => asked,
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let done = match runtime {
        Ok(runtime) => runtime.block_on(go(asked)),
        Err(error) => Err(error.to_string()),
    };
    match done {
        Ok(text) => {
            println!("{}", text.trim_end());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn go(asked: Command) -> Result<String, String> {
    match asked {
        Command::Help => Ok(USAGE.to_owned()),
        Command::Inspect {
            options,
            failures,
            format,
        } => {
            let chrome = Chrome::start("inspect").await?;
            let connection = chrome.connect().await?;
            let report = inspect::run::run(&options, &connection).await;
            chrome.close().await?;
            let report = report?;
            Ok(match (format, failures) {
                (Format::Json, _) => report.json().to_string(),
                (Format::Text, Failures::Counted) => report.table(),
                (Format::Text, Failures::Instruction) => {
                    format!("{}\n{}", report.failures(), report.table())
                }
            })
        }
        Command::Serve(options) => serve::run(&options).await,
        Command::Web { options, format } => {
            let table = web::run::run(&options).await?;
            Ok(match format {
                Format::Json => table.json().to_string(),
                Format::Text => table.text(),
            })
        }
    }
}

fn read(arguments: &[String]) -> Result<Command, String> {
    let mut arguments = arguments.iter();
    let command = arguments.next().map(String::as_str);
    let mut inspect = inspect::run::Options {
        miniwob: PathBuf::from("target/bench/miniwob"),
        peers: PathBuf::from("target/bench/peers"),
        ..inspect::run::Options::default()
    };
    let mut web = web::run::Options {
        rounds: 20,
        peers: inspect.peers.clone(),
        clawperator: PathBuf::from("target/release/clawperator"),
    };
    let mut serve = serve::Options::default();
    let (mut failures, mut format) = (Failures::Counted, Format::Text);
    while let Some(flag) = arguments.next() {
        let mut value = || {
            let value = arguments.next();
            value.ok_or_else(|| format!("{flag} takes a value"))
        };
        match (command, flag.as_str()) {
            (_, "--help" | "-h") => return Ok(Command::Help),
            (_, "--json") => format = Format::Json,
            (_, "--peers") => {
                inspect.peers = PathBuf::from(value()?);
                web.peers.clone_from(&inspect.peers);
            }
            (Some("inspect"), "--pages") => inspect.pages = Some(PathBuf::from(value()?)),
            (Some("inspect"), "--told") => inspect.told = Some(PathBuf::from(value()?)),
            (Some("inspect"), "--keep") => inspect.keep = Some(PathBuf::from(value()?)),
            (Some("inspect"), "--miniwob") => inspect.miniwob = PathBuf::from(value()?),
            (Some("inspect"), "--failures") => failures = Failures::Instruction,
            (Some("inspect"), "--suite") => {
                for name in value()?.split(',') {
                    let suite = Suite::parse(name.trim());
                    let suite =
                        suite.ok_or_else(|| format!("there is no suite called {name:?}"))?;
                    inspect.suites.push(suite);
                }
            }
            (Some("web"), "--rounds") => {
                let rounds = value()?.parse().ok().filter(|rounds| *rounds > 0);
                web.rounds = rounds.ok_or("--rounds takes a number above 0")?;
            }
            (Some("serve"), "--seconds") => {
                let given = value()?.parse().ok().filter(|seconds| *seconds > 0);
                let given = given.ok_or("--seconds takes a number above 0")?;
                serve.lasting = std::time::Duration::from_secs(given);
            }
            (Some("serve"), "--action") => {
                let given = serve::PhoneAction::parse(value()?);
                serve.doing = given.ok_or("--action takes click, read or scroll")?;
            }
            (Some("serve"), "--rate") => {
                let given = value()?.parse().ok().filter(|rate| *rate > 0);
                serve.rate = given.ok_or("--rate takes a number above 0")?;
            }
            (Some("serve"), "--only") => {
                serve.only = match value()?.as_str() {
                    "phones" => serve::LoadSelection::Phones,
                    _ => return Err("--only takes phones".to_owned()),
                };
            }
            (Some("web"), "--clawperator") => web.clawperator = PathBuf::from(value()?),
            (Some("serve"), "--clawperator") => serve.clawperator = PathBuf::from(value()?),
            (_, other) => return Err(format!("{other} is not known here")),
        }
    }
    match command {
        Some("inspect") => Ok(Command::Inspect {
            options: inspect,
            failures,
            format,
        }),
        Some("web") => Ok(Command::Web {
            options: web,
            format,
        }),
        Some("serve") => Ok(Command::Serve(serve)),
        None | Some("--help" | "-h") => Ok(Command::Help),
        Some(other) => Err(format!("there is no command called {other:?}")),
    }
}
