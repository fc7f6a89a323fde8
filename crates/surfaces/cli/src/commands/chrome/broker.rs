//! `broker`: the process that holds the pipe to a browser. Each command that starts a browser starts one.

use contract::ErrorBody;

use crate::background::BROKER;
use crate::output::Answer;
use crate::run::{block_on, interrupted};
use crate::table::{Arguments, Command, Globals, Group, Scope, Task};

pub(crate) static COMMAND: Command = Command {
    name: BROKER,
    group: Group::Hidden,
    usage: &["broker"],
    summary: "Start the browser described on standard input and share it on a Unix socket; started by `chrome start`",
    scopes: Scope::DEVICE,
    timeout: Some("Not used: it ends with the browser"),
    ..Command::new(build)
};

fn build(_: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    Ok(Box::new(|globals: &Globals| {
        let setup = super::setup(globals);
        block_on(service::chrome::run_broker(setup, interrupted()))??;
        Ok(Answer::Done)
    }))
}
