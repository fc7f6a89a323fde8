//! `set_orientation`: turn the screen of a phone.

use std::time::Duration;

use contract::actions::SetOrientation;
use contract::{ErrorCode, Orientation, StepData};
use tokio::time::Instant;
use uitree::Size;

use crate::context::StepContext;
use crate::describe::quoted;
use crate::device_session::ChangeWait;
use crate::failure::Failure;

/// How long a screen may take to turn.
const TURN_LIMIT: Duration = Duration::from_secs(3);

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &SetOrientation,
) -> Result<StepData, Failure> {
    let requested = params.orientation;
    ctx.begin_change().await;
    let (driver, cx) = ctx.device.driver();
    let done = driver
        .set_orientation(cx, driver_orientation(requested))
        .await;
    ctx.record_answer(done).map_err(|failure| {
        failure.recode(ErrorCode::GestureFailed, ErrorCode::OrientationNotSet)
    })?;
    let actual = wait_for(ctx, requested).await?;
    let mut data = StepData::default();
    data.push("orientation", actual.as_str());
    Ok(data)
}

const fn driver_orientation(orientation: Orientation) -> driver::Orientation {
    match orientation {
        Orientation::Portrait => driver::Orientation::Portrait,
        Orientation::Landscape => driver::Orientation::Landscape,
        Orientation::Auto => driver::Orientation::Auto,
    }
}

/// Waits until the screen has the orientation; returns its orientation.
async fn wait_for(
    ctx: &mut StepContext<'_>,
    requested: Orientation,
) -> Result<Orientation, Failure> {
    let until = ctx.device.wait_deadline(TURN_LIMIT);
    loop {
        let seen = ctx.observe_when_readable().await?;
        let actual = screen_orientation(seen.tree.screen());
        if requested == Orientation::Auto || requested == actual {
            return Ok(actual);
        }
        if ctx.device.wait_for_change(&seen, until).await? == ChangeWait::TimedOut
            || Instant::now() >= until
        {
            let message = not_turned(actual, seen.foreground.as_deref());
            return Err(Failure::new(ErrorCode::OrientationNotSet, message)
                .with_data("orientation", actual.as_str()));
        }
    }
}

/// Why the screen did not turn, and that the request remains.
fn not_turned(actual: Orientation, app: Option<&str>) -> String {
    let app = app.map_or_else(|| "the app".to_owned(), quoted);
    format!(
        "the screen is still in {actual} orientation; {app} in front decides whether it turns; \
         the request stays, so that the screen turns with the next app that allows it; `auto` withdraws it"
    )
}

const fn screen_orientation(screen: Size) -> Orientation {
    match screen.width > screen.height {
        true => Orientation::Landscape,
        false => Orientation::Portrait,
    }
}
