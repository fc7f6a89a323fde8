//! `chrome`: commands for browsers that keep running between commands.

pub(crate) mod broker;
pub(crate) mod console;
pub(crate) mod daemon;
pub(crate) mod list;

pub(crate) mod resize;
pub(crate) mod start;
pub(crate) mod state;
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
    summary: "Start, list and stop browsers; save and load their logins",
    notes: &[
        "A tab is a device. `--device chrome` is the tab used last; `--device chrome:<tab>` is the tab with this id or \
        title, or the only one whose URL or title contains it",
        "If no browser is running, `--device chrome` starts a headless one. It keeps running until `chrome stop`, so \
        the next command continues on the same page",
        "`--cdp <url>` connects to any browser started with --remote-debugging-port (`http://host:port` or `ws://…`), \
        or to one listed by `chrome list` (`unix://…`)",
    ],
    positional: Some(Positional {
        words: || TABLE.member_words(&COMMAND),
        ..Positional::new("<command>", "The subcommand")
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

/// A task on browsers with progress.
fn task<F>(work: F) -> Box<dyn Task>
where
    F: AsyncFnOnce(&ChromeSetup, &mut Progress) -> Result<Answer, ErrorBody> + 'static,
{
    Box::new(|globals: &Globals| block_on(work(&setup(globals), &mut Progress::open(globals)))?)
}

/// The browser options, with this program as their daemon.
fn setup(globals: &Globals) -> ChromeSetup {
    ChromeSetup {
        daemon: background::daemon(),
        ..globals.chrome()
    }
}
