//! Preparing the launch of a browser, and cleaning up after one that failed.

use std::io;
use std::path::Path;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver_chrome::browser::{Launch, LaunchError, ProgramError, deny_downloads};

use super::{ChromeSetup, StartOptions, not_started};
use crate::runtime;

pub(super) struct PreparedLaunch {
    pub(super) launch: Launch,
    /// Whether the profile was made for the browser and is removed with it.
    pub(super) own_profile: bool,
}

/// Finds the program and makes a profile if none was named.
pub(super) fn prepare(
    setup: &ChromeSetup,
    starting: &StartOptions,
) -> Result<PreparedLaunch, ErrorBody> {
    let program = setup.places.find().map_err(|error| not_found(&error))?;
    let profile = match &starting.profile {
        Some(profile) => std::path::absolute(profile).unwrap_or_else(|_| profile.clone()),
        None => {
            let profile = runtime::new_profile()?;
            if let Err(error) = deny_downloads(&profile) {
                runtime::remove_profile(&profile);
                return Err(not_started(&LaunchError::NotRun {
                    program: program.path().display().to_string(),
                    message: error.to_string(),
                }));
            }
            profile
        }
    };
    Ok(PreparedLaunch {
        launch: Launch {
            program,
            profile,
            window: starting.window,
            sandbox: starting.sandbox,
            port: starting.port,
            size: starting.size.unwrap_or((1280, 800)),
            flags: setup.flags.clone(),
        },
        own_profile: starting.profile.is_none(),
    })
}

/// How often and at which interval to remove the profile of a browser that did not start.
const PROFILE_REMOVAL: (u32, Duration) = (20, Duration::from_millis(25));

/// Removes the profile of a browser that did not start. Helpers of the browser may write for a moment longer; what remains is
/// in the user's temporary folder.
pub(super) async fn discard(profile: &Path) {
    let (looks, pause) = PROFILE_REMOVAL;
    for _ in 0..looks {
        runtime::remove_profile(profile);
        tokio::time::sleep(pause).await;
    }
}

pub(super) fn not_recorded(why: &io::Error) -> ErrorBody {
    let message = format!("the record of the browser cannot be written: {why}");
    ErrorBody::new(ErrorCode::InternalError, message)
        .with_hint("Set XDG_RUNTIME_DIR to a writable folder")
}

fn not_found(error: &ProgramError) -> ErrorBody {
    ErrorBody::new(ErrorCode::ChromeNotFound, error.to_string()).with_default_hint()
}
