//! Global flags that have no effect on the command or the device.

use contract::ErrorBody;
use service::{Clock, clock_of, is_web};

use crate::errors::usage;
use crate::table::{Arguments, Command, Scope};

/// Rejects the first such flag.
///
/// # Errors
///
/// The flag, with the reason.
pub(super) fn reject(command: &Command, arguments: &Arguments) -> Result<(), ErrorBody> {
    let idle = command.scopes_need.is_some_and(|flag| !arguments.has(flag));
    for (global, name) in &arguments.globals.named {
        if idle || !command.uses(global.scope) {
            return Err(unused(command, arguments, global.scope, name));
        }
        reject_on_device(command, arguments, global.scope, name)?;
    }
    Ok(())
}

fn unused(command: &Command, arguments: &Arguments, scope: Scope, name: &str) -> ErrorBody {
    let positional = command.positional.as_ref();
    let takes_endpoint = positional.is_some_and(|positional| positional.name == "<endpoint>");
    let why = match scope {
        Scope::Transport | Scope::Wake => "it runs no plan",
        Scope::Observe if command.uses(Scope::Device) => {
            "it changes nothing on the screen, so there is nothing to observe"
        }
        Scope::Browser if takes_endpoint => "pass the endpoint as its argument",
        _ if command.serves() => "each request sets its own timeoutMs",
        _ => "it does not use a device",
    };
    let error = usage(format!(
        "{} does not accept {name}: {why}",
        arguments.spelled
    ));
    // The command may have its own time flag.
    let within_flag = command.flag("--within");
    match within_flag.filter(|_| scope == Scope::Timeout) {
        Some(within_flag) => error.with_hint(format!("{}: {}", within_flag.name, within_flag.help)),
        None => error,
    }
}

fn reject_on_device(
    command: &Command,
    arguments: &Arguments,
    scope: Scope,
    name: &str,
) -> Result<(), ErrorBody> {
    let device = arguments.globals.device.as_deref();
    let of_a_tab = device.is_none_or(is_web);
    let web = arguments.globals.cdp.is_some() || device.is_some_and(is_web);
    let embedded = clock_of(device) == Clock::Virtual;
    let spelled = &arguments.spelled;
    let message = match scope {
        Scope::Browser if !of_a_tab => format!(
            "{name} selects a browser, but --device is not a browser tab; omit --device, or use `chrome` or `chrome:<tab>`"
        ),
        Scope::Downloads if !of_a_tab && !command.serves() => {
            format!("{name} applies only to web pages, and --device is not one")
        }
        Scope::Wake if web => {
            format!("{spelled} does not accept {name} here: a web page has no screen to wake")
        }
        Scope::Operator | Scope::Transport if web => format!(
            "{spelled} does not accept {name} here: the Operator app is for Android phones, and --device is a web page"
        ),
        Scope::Operator | Scope::Transport if embedded && !command.serves() => format!(
            "{spelled} does not accept {name} here: the embedded phone has no Operator app; `sim start --operator` \
            starts a phone that has it"
        ),
        // Without a device the command starts a phone.
        Scope::Simulator if !embedded && !command.serves() && command.uses(Scope::Device) => {
            format!("{name} applies only to the embedded phone; add --device sim")
        }
        _ => return Ok(()),
    };
    Err(usage(message))
}
