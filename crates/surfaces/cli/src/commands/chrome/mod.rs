//! `chrome`: the commands for browsers that stay between commands.

#[cfg(unix)]
pub(crate) mod broker;
pub(crate) mod list;
pub(crate) mod resident;
pub(crate) mod start;
pub(crate) mod stop;

use contract::ErrorBody;
use service::chrome::ChromeSetup;

use super::TABLE;
use crate::background;
use crate::output::Answer;
use crate::progress::Progress;
use crate::run::block_on;
use crate::table::{Arguments, Command, Globals, Group, Positional, Task};

pub(crate) static COMMAND: Command = Command {
    name: "chrome",
    group: Group::Browser,
    usage: &["chrome <command>"],
    summary: "Start, list and end browsers whose pages are devices",
    notes: &[
        "A page is a device: `--device chrome` is the tab that was driven last, `--device chrome:<tab>` the one of this id or title, or the only one whose url or title has this in it",
        "Where no browser runs, `--device chrome` starts one without windows, which stays until `chrome stop`: the next command finds the page as this one left it",
        "`--cdp <url>` means the pages of any browser that was started with --remote-debugging-port, `http://host:port` or `ws://…`, or of one that `chrome list` names, `unix://…`",
    ],
    positional: Some(Positional {
        words: || TABLE.member_words(&COMMAND),
        ..Positional::new("<command>", "What to do")
    }),
    examples: &[
        "chrome start",
        "open https://example.com --device chrome",
        "snapshot --device chrome:example.com",
    ],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    Err(super::no_member(&COMMAND, arguments))
}

/// A task that deals with browsers, and prints its progress.
fn task<F>(work: F) -> Box<dyn Task>
where
    F: AsyncFnOnce(&ChromeSetup, &mut Progress) -> Result<Answer, ErrorBody> + 'static,
{
    Box::new(|globals: &Globals| block_on(work(&setup(globals), &mut Progress::open(globals)))?)
}

/// The browsers that are meant, with this program as the process beside them.
fn setup(globals: &Globals) -> ChromeSetup {
    ChromeSetup {
        daemon: background::daemon(),
        ..globals.chrome()
    }
}
