//! `press_key`: press one key once.

use contract::actions::PressKey;
use contract::{ErrorCode, StepData};
use driver::Key;

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &PressKey,
) -> Result<StepData, Failure> {
    let key = key_of(params.key);
    let name = params.key.as_str();
    let mut backoff = Backoff::of(&params.retry());
    while let Err(failure) = ctx.key(key).await {
        let failure = failure
            .recode(ErrorCode::GestureFailed, ErrorCode::GlobalActionFailed)
            .with_leading_data("key", name);
        ctx.back_off(failure, &mut backoff).await?;
    }
    let mut data = StepData::default();
    data.push("key", name);
    Ok(data)
}

/// The driver's key for a key of the contract.
pub(crate) const fn key_of(key: contract::Key) -> Key {
    match key {
        contract::Key::Back => Key::Back,
        contract::Key::Home => Key::Home,
        contract::Key::Recents => Key::Recents,
        contract::Key::Enter => Key::Enter,
        contract::Key::Delete => Key::Delete,
        contract::Key::Tab => Key::Tab,
        contract::Key::Escape => Key::Escape,
        contract::Key::VolumeUp => Key::VolumeUp,
        contract::Key::VolumeDown => Key::VolumeDown,
        contract::Key::Power => Key::Power,
        contract::Key::Menu => Key::Menu,
        contract::Key::Search => Key::Search,
    }
}
