//! `mcp`: serves devices over the Model Context Protocol on standard input and output.

use std::io::IsTerminal;

use contract::{ErrorBody, ErrorCode};
use service::Roots;
use service::device_pool::{DevicePool, PoolOptions};

use super::folders::{AllowedDirs, SCREENSHOTS, SIM_APPS, UPLOADS};
use crate::internal_error;
use crate::output::{self, Answer};
use crate::table::{Arguments, Command, FlagSet, Globals, Group, Scope, Task};

pub(crate) static COMMAND: Command = Command {
    name: "mcp",
    group: Group::Servers,
    usage: &["mcp [--device <id>] [--screenshots <dir>] [--sim-apps <dir>] [--uploads <dir>]"],
    summary: "Serve devices to an agent over the Model Context Protocol, on standard input and output",
    notes: &[
        "An MCP client starts it: configure the command `clawperator` with the argument `mcp`",
        "Tools: devices, snapshot, inspect_element, act (any actions, in order) and screenshot. --device sets the default device",
        "Tools can name files only below the directories of --screenshots, --sim-apps and --uploads and below the client's roots; \
        a screenshot overwrites only PNG and JPEG images",
        "It exits when standard input ends, and cancels what is running",
    ],
    flags: &[FlagSet::new(
        "Options",
        &[&SCREENSHOTS, &SIM_APPS, &UPLOADS],
    )],
    scopes: Scope::SERVER,
    examples: &[
        "mcp",
        "mcp --device sim",
        "mcp --device chrome --screenshots shots",
    ],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let folders = AllowedDirs::from_arguments(arguments)?;
    Ok(Box::new(move |globals: &Globals| serve(&folders, globals)))
}

/// Serves until the client disconnects.
///
/// # Errors
/// `INTERNAL_ERROR` without a runtime; `USAGE` if standard input is not an MCP client.
fn serve(folders: &AllowedDirs, globals: &Globals) -> Result<Answer, ErrorBody> {
    let roots = Roots::default();
    let options = PoolOptions {
        service: folders.options(globals, &roots),
        device: globals.device.clone(),
        ..PoolOptions::default()
    };
    if std::io::stdin().is_terminal() {
        output::print_notice("waiting for an MCP client on standard input; Ctrl-D ends it");
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(internal_error::internal)?;
    let served =
        runtime.block_on(async { mcp_server::serve_stdio(DevicePool::new(options), roots).await });
    // Does not wait for the thread that reads standard input.
    runtime.shutdown_background();
    served.map_err(|why| {
        let message = format!("standard input is not an MCP client: {why}");
        ErrorBody::new(ErrorCode::Usage, message).with_hint(
            "`clawperator mcp` is started by an MCP client; for commands to run yourself see `clawperator --help`",
        )
    })?;
    Ok(Answer::Done)
}
