//! Refuses plans that the device cannot run, before anything is done.

use contract::{DeviceKind, ErrorBody, ErrorCode, Execution};
use driver::{DeviceInfo, Platform};
use uitree::Role;

use crate::describe::quoted;

/// The first part of a plan that the device does not support.
pub fn refuse_unsupported(execution: &Execution, device: &DeviceInfo) -> Result<(), ErrorBody> {
    refuse_for_platform(execution, device.platform)?;
    refuse_interrupts(execution, device)
}

/// The first action of a plan that no device of this platform supports.
pub fn refuse_for_platform(execution: &Execution, platform: Platform) -> Result<(), ErrorBody> {
    for (index, action) in execution.actions().iter().enumerate() {
        let required = action.params().facts().requirements;
        let missing = required
            .into_iter()
            .find(|requirement| platform_of(requirement.device) != platform);
        if let Some(missing) = missing {
            let path = format!("actions.{index}.{}", missing.path);
            let problem = format!("is not supported by this device: {}", missing.what);
            return Err(refused(ErrorCode::ActionNotSupportedHere, path, &problem));
        }
    }
    Ok(())
}

/// Checks every matcher of the interruption rules: a rule that can never match would go unnoticed.
fn refuse_interrupts(execution: &Execution, device: &DeviceInfo) -> Result<(), ErrorBody> {
    for (index, rule) in execution.interrupts().iter().enumerate() {
        for (matcher_path, matcher) in rule.matchers() {
            let path = format!("interrupts.{index}.{matcher_path}");
            if let Some(css) = &matcher.css
                && !device.capabilities.css
            {
                let problem = format!(
                    "has the CSS selector {}, and this device shows no web page",
                    quoted(css)
                );
                return Err(refused(ErrorCode::SelectorNotSupported, path, &problem));
            }
            if let Some(role) = &matcher.role
                && Role::parse(role).is_none()
            {
                let problem = format!("has the role {}, which does not exist", quoted(role));
                return Err(
                    refused(ErrorCode::ExecutionValidationFailed, path, &problem).with_hint(
                        "Use a role of a text view of the screen, such as button or dialog",
                    ),
                );
            }
        }
    }
    Ok(())
}

fn refused(code: ErrorCode, path: String, problem: &str) -> ErrorBody {
    ErrorBody::new(code, format!("{path} {problem}; nothing was done"))
        .with_detail("path", path)
        .with_hint(code.hint())
}

const fn platform_of(device: DeviceKind) -> Platform {
    match device {
        DeviceKind::Phone => Platform::Android,
        DeviceKind::Page => Platform::Web,
    }
}
