//! `chrome`: the commands for browsers that stay between commands.

#[cfg(unix)]
pub(crate) mod broker;
pub(crate) mod list;
pub(crate) mod resident;
pub(crate) mod start;
pub(crate) mod stop;

use contract::ErrorBody;

use super::Job;
use crate::account::Account;
use crate::fault;
use crate::output::Answer;
use crate::parse::{Arguments, Globals};
use crate::table::{Command, Group, Positional};

pub(crate) static COMMAND: Command = Command {
    name: "chrome",
    synonyms: &[],
    group: Group::Browser,
    usage: &["chrome <command>"],
    summary: "Start, list and end browsers whose pages are devices",
    notes: &[
        "A page is a device: `--device chrome` is the tab that was driven last, `--device chrome:<tab>` the one of this id or title, or the only one whose url or title has this in it",
        "Where no browser runs, `--device chrome` starts one without windows, which stays until `chrome stop`: the next command finds the page as this one left it",
        "`--cdp <url>` means the pages of any browser that was started with --remote-debugging-port, `http://host:port` or `ws://…`, or of one that `chrome list` names, `unix://…`",
    ],
    positional: Some(Positional {
        name: "<command>",
        help: "What to do",
        words: || COMMAND.member_words(),
    }),
    flags: &[],
    timeout: None,
    examples: &[
        "chrome start",
        "open https://example.com --device chrome",
        "snapshot --device chrome:example.com",
    ],
    build,
};

fn build(arguments: &Arguments) -> Result<Job, ErrorBody> {
    Err(super::no_member(&COMMAND, arguments))
}

/// What is to be done with browsers.
pub(crate) enum Task {
    /// Start one, or find the one that runs.
    Start(service::chrome::StartOptions),
    /// List those that run.
    List,
    /// End some.
    Stop(service::chrome::StopTarget),
    /// Stay beside the one at this url.
    Attend(String),
    /// Start one, and hold the pipe to it.
    #[cfg(unix)]
    HoldPipe,
}

impl Task {
    /// Does it.
    pub(crate) fn perform(self, globals: &Globals) -> Result<Answer, ErrorBody> {
        let mut people = Account::open(globals);
        let mut good = |line: String| {
            if let Some(account) = &mut people {
                account.remark(Ok(&line));
            }
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(fault::internal)?;
        let mut setup = globals.chrome();
        setup.daemon = resident::by_this_program();
        match self {
            Self::Start(starting) => runtime.block_on(start::perform(&setup, &starting, &mut good)),
            Self::List => runtime.block_on(list::perform(&setup, &mut good)),
            Self::Stop(which) => runtime.block_on(stop::perform(&setup, &which, &mut good)),
            Self::Attend(url) => runtime
                .block_on(resident::perform(&url, globals))
                .map(|()| Answer::Said),
            #[cfg(unix)]
            Self::HoldPipe => {
                let ends = crate::commands::sim::start::interrupted();
                let held = runtime.block_on(service::chrome::run_broker(setup, ends));
                held.map(|()| Answer::Said)
            }
        }
    }
}
