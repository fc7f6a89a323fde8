//! `daemon`: the browser daemon. Each command that starts a browser starts one.

use contract::ErrorBody;

use crate::background::DAEMON;
use crate::errors::missing;
use crate::output::Answer;
use crate::run::{block_on, interrupted, options};
use crate::table::{Arguments, Command, Globals, Group, Scope, Task};

pub(crate) static COMMAND: Command = Command {
    name: DAEMON,
    group: Group::Hidden,
    usage: &["daemon --cdp <url>"],
    summary: "Stay attached to a browser and drive its tabs for this user's commands; started with the browser",
    scopes: Scope::DEVICE,
    timeout: Some("Not used: it ends with the browser"),
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(url) = arguments.globals.cdp.clone() else {
        return Err(missing("daemon requires --cdp"));
    };
    Ok(Box::new(move |globals: &Globals| {
        let mut options = options(globals);
        // The browser has a record, and is selected like any other.
        options.chrome.endpoint = None;
        options.chrome.named_by_flag = false;
        block_on(service::chrome::run_daemon(&url, options, interrupted()))??;
        Ok(Answer::Done)
    }))
}
