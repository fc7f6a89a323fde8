//! What tasks of several steps cost an agent that works over MCP with references, in tokens.

mod session;
mod task;

use service::Options;
use service::chrome::ChromeSetup;
use service::device_pool::{DevicePool, PoolOptions};
use testkit::web::Web;

use crate::browser::Chrome;
use session::Session;
use task::{ObservePolicy, Task};

/// The pages of the tasks, which behave like those of real apps.
const PAGES: [(&str, &str); 3] = [
    ("/orders.html", include_str!("../../tasks/orders.html")),
    ("/people.html", include_str!("../../tasks/people.html")),
    ("/profile.html", include_str!("../../tasks/profile.html")),
];

/// How many steps the session has whose costs are added.
const SESSION: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskSelection {
    All,
    /// Those on the simulated phone, which need no browser.
    Phone,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// A row for each task: its name, its steps, and the mean tokens of a reply without and with a difference.
    pub tasks: Vec<(String, usize, usize, usize)>,
    /// The mean tokens of a reply without a screen.
    pub line: usize,
    /// The mean tokens of a reply with what changed.
    pub difference: usize,
    /// The tokens of a session of 20 steps, the list of tools included, that asks for changes where it needs them.
    pub session: usize,
}

/// Runs the tasks and checks how each ends.
pub async fn run(selection: TaskSelection) -> Result<Costs, String> {
    let tasks = task::all()?;
    let is_selected = |task: &&Task| selection == TaskSelection::All || !task.is_page();
    let tasks: Vec<&Task> = tasks.iter().filter(is_selected).collect();
    let web = Web::start();
    for (path, html) in PAGES {
        web.page(path, html);
    }
    let chrome = match selection {
        TaskSelection::All => Some(Chrome::start("tasks").await?),
        TaskSelection::Phone => None,
    };
    let endpoint = chrome.as_ref().map(|chrome| chrome.url().to_owned());
    let ran = run_each(&tasks, &web, endpoint).await;
    if let Some(chrome) = chrome {
        chrome.close().await?;
    }
    ran
}

async fn run_each(tasks: &[&Task], web: &Web, endpoint: Option<String>) -> Result<Costs, String> {
    let mut costs = Costs::default();
    let (mut lines, mut differences) = (Vec::new(), Vec::new());
    let mut thrifty_steps = Vec::new();
    for task in tasks {
        let named = |error: String| format!("{}: {error}", task.name);
        let mut session = Session::start(pool(task, endpoint.clone())).await?;
        let replies = task
            .run(&mut session, web, ObservePolicy::Always)
            .await
            .map_err(named)?;
        session.end().await?;
        let steps = &replies[1..];
        let mean_line = mean(steps.iter().map(|reply| reply.line));
        let mean_difference = mean(steps.iter().map(|reply| reply.whole));
        costs
            .tasks
            .push((task.name.clone(), steps.len(), mean_line, mean_difference));
        lines.extend(steps.iter().map(|reply| reply.line));
        differences.extend(steps.iter().map(|reply| reply.whole));
        if thrifty_steps.len() < SESSION {
            let mut session = Session::start(pool(task, endpoint.clone())).await?;
            if thrifty_steps.is_empty() {
                costs.session = session.tokens_of_tools().await?;
            }
            let replies = task
                .run(&mut session, web, ObservePolicy::WhereNeeded)
                .await
                .map_err(named)?;
            session.end().await?;
            thrifty_steps.extend(replies.iter().map(|reply| reply.whole));
        }
    }
    costs.line = mean(lines.into_iter());
    costs.difference = mean(differences.into_iter());
    costs.session += thrifty_steps.iter().take(SESSION).sum::<usize>();
    Ok(costs)
}

fn pool(task: &Task, endpoint: Option<String>) -> DevicePool {
    let service = Options {
        chrome: ChromeSetup {
            endpoint,
            ..ChromeSetup::default()
        },
        ..Options::default()
    };
    let device = if task.is_page() { "chrome" } else { "sim" };
    DevicePool::new(PoolOptions {
        service,
        device: Some(device.to_owned()),
        ..PoolOptions::default()
    })
}

fn mean(values: impl ExactSizeIterator<Item = usize>) -> usize {
    let count = values.len().max(1);
    values.sum::<usize>() / count
}

impl Costs {
    pub fn table(&self) -> String {
        let mut table = String::from("tokens of a reply       steps    line  with changes\n");
        for (name, steps, line, difference) in &self.tasks {
            table.push_str(&format!(
                "{name:<24} {steps:>4} {line:>7} {difference:>13}\n"
            ));
        }
        table.push_str(&format!(
            "mean                     {:>11} {:>13}\n",
            self.line, self.difference
        ));
        table.push_str(&format!(
            "session of {SESSION} steps with the list of tools: {}\n",
            self.session
        ));
        table
    }
}
