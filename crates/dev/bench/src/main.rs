//! `clawperator-bench`: measures the web side.

use std::path::PathBuf;
use std::process::ExitCode;

use bench::browser::Chrome;
use bench::suite::Suite;
use bench::{inspect, serve, tasks, views, web};

const USAGE: &str = "\
clawperator-bench inspect [options]    accuracy of element search by description
clawperator-bench phones [options]     accuracy of element search on saved phone screens
clawperator-bench web [options]        speed on web pages, compared with other tools
clawperator-bench serve [options]      load of the servers: refused plans, 200 simulated phones, 1,000 followers, MCP
clawperator-bench tasks                tokens of tasks that an agent does over MCP with references
clawperator-bench views [options]      tokens of the text views of recorded and simulated screens

inspect:
  --pages FOLDER       add the *.html files of a folder
  --instructions FILE  instructions for these pages by one author, a line of JSON each: {\"page\", \"query\",
                       \"gold\": [css]}; may be given several times
  --suite NAMES        only these suites, comma-separated: name, name-role, dropped, joined, inflected, swapped,
                       under, ambiguous, negative, masked, miniwob, instructions
  --keep FOLDER        save every page with its cases, for development without a browser
  --failures           print every wrong answer
  --miniwob FOLDER     folder of the unpacked MiniWoB++ (target/bench/miniwob)
phones:
  --screens FOLDER     dumps of the screens
  --expressions FILE   expressions by one author, a line of JSON each: {\"screen\", \"query\", \"gold\": [left, top,
                       right, bottom]}; may be given several times
  --keep FOLDER        save every screen with its cases
  --failures           print every wrong answer
web:
  --rounds N           number of rounds (20)
  --clawperator BIN    program to measure on its command line (target/release/clawperator)
  --peers FOLDER       folder of the peers (target/bench/peers)
serve:
  --seconds N          duration of each load (10); memory is compared from a tenth of it on, at most a minute
  --action WHAT        action of the phones: click, read or scroll (click)
  --rate N             actions per second on each phone (10)
  --only phones        only the phones
  --clawperator BIN    program to measure (target/release/clawperator)
views:
  --screens FOLDER     folder of dumps (crates/core/uitree/testdata/screens)
  --keep FOLDER        save both views of every screen
inspect and web:
  --json               print JSON instead of a table

crates/dev/bench/fetch downloads the peers and MiniWoB++. The browser is found as clawperator finds it.";

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
    Phones {
        options: inspect::phones::Options,
        failures: Failures,
        format: Format,
    },
    Serve(serve::Options),
    Views(views::Options),
    Tasks,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Failures {
    Count,
    Instruction,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let command = match parse_arguments(&arguments) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let done = match runtime {
        Ok(runtime) => runtime.block_on(run(command)),
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

async fn run(command: Command) -> Result<String, String> {
    match command {
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
            Ok(print(&report?, failures, format))
        }
        Command::Phones {
            options,
            failures,
            format,
        } => Ok(print(&inspect::phones::run(&options)?, failures, format)),
        Command::Serve(options) => serve::run(&options).await,
        Command::Views(options) => views::run(&options),
        Command::Tasks => Ok(tasks::run(tasks::TaskSelection::All).await?.table()),
        Command::Web { options, format } => {
            let table = web::run::run(&options).await?;
            Ok(match format {
                Format::Json => table.json().to_string(),
                Format::Text => table.text(),
            })
        }
    }
}

fn print(report: &inspect::report::Report, failures: Failures, format: Format) -> String {
    match (format, failures) {
        (Format::Json, _) => report.json().to_string(),
        (Format::Text, Failures::Count) => report.table(),
        (Format::Text, Failures::Instruction) => {
            format!("{}\n{}", report.failures(), report.table())
        }
    }
}

fn parse_arguments(arguments: &[String]) -> Result<Command, String> {
    let mut arguments = arguments.iter();
    let command = arguments.next().map(String::as_str);
    let mut inspect = inspect::run::Options {
        miniwob: PathBuf::from("target/bench/miniwob"),
        ..inspect::run::Options::default()
    };
    let mut web = web::run::Options {
        rounds: 20,
        peers: PathBuf::from("target/bench/peers"),
        clawperator: PathBuf::from("target/release/clawperator"),
    };
    let mut serve = serve::Options::default();
    let mut views = views::Options {
        screens: PathBuf::from("crates/core/uitree/testdata/screens"),
        keep: None,
    };
    let mut phones = inspect::phones::Options::default();
    let (mut failures, mut format) = (Failures::Count, Format::Text);
    while let Some(flag) = arguments.next() {
        let mut value = || {
            let value = arguments.next();
            value.ok_or_else(|| format!("{flag} takes a value"))
        };
        match (command, flag.as_str()) {
            (_, "--help" | "-h") => return Ok(Command::Help),
            (_, "--json") => format = Format::Json,
            (Some("web"), "--peers") => web.peers = PathBuf::from(value()?),
            (Some("inspect"), "--pages") => inspect.pages = Some(PathBuf::from(value()?)),
            (Some("inspect"), "--instructions") => {
                inspect.instructions.push(PathBuf::from(value()?))
            }
            (Some("inspect"), "--keep") => inspect.keep = Some(PathBuf::from(value()?)),
            (Some("inspect"), "--miniwob") => inspect.miniwob = PathBuf::from(value()?),
            (Some("phones"), "--screens") => phones.screens = PathBuf::from(value()?),
            (Some("phones"), "--expressions") => phones.expressions.push(PathBuf::from(value()?)),
            (Some("phones"), "--keep") => phones.keep = Some(PathBuf::from(value()?)),
            (Some("inspect" | "phones"), "--failures") => failures = Failures::Instruction,
            (Some("inspect"), "--suite") => {
                for name in value()?.split(',') {
                    let suite = Suite::parse(name.trim());
                    let suite = suite.ok_or_else(|| format!("unknown suite {name:?}"))?;
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
                serve.duration = std::time::Duration::from_secs(given);
            }
            (Some("serve"), "--action") => {
                let given = serve::PhoneAction::parse(value()?);
                serve.action = given.ok_or("--action takes click, read or scroll")?;
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
            (Some("views"), "--screens") => views.screens = PathBuf::from(value()?),
            (Some("views"), "--keep") => views.keep = Some(PathBuf::from(value()?)),
            (Some("web"), "--clawperator") => web.clawperator = PathBuf::from(value()?),
            (Some("serve"), "--clawperator") => serve.clawperator = PathBuf::from(value()?),
            (_, other) => return Err(format!("unknown option {other}")),
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
        Some("phones") => Ok(Command::Phones {
            options: phones,
            failures,
            format,
        }),
        Some("serve") => Ok(Command::Serve(serve)),
        Some("tasks") => Ok(Command::Tasks),
        Some("views") => Ok(Command::Views(views)),
        None | Some("--help" | "-h") => Ok(Command::Help),
        Some(other) => Err(format!("unknown command {other:?}")),
    }
}
