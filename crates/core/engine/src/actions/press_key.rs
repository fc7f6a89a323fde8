//! `press_key`: one key, pressed once.

use contract::actions::PressKey;
use contract::{ErrorCode, StepData};
use driver::Key;

use crate::failure::Failure;
use crate::patience::Pauses;
use crate::stage::Stage;

pub(super) async fn perform(stage: &mut Stage<'_>, params: &PressKey) -> Result<StepData, Failure> {
    let key = driver_key(params.key);
    let name = params.key.as_str();
    let mut pauses = Pauses::of(&params.retry());
    while let Err(failure) = stage.key(key).await {
        let failure = failure
            .recode(ErrorCode::GestureFailed, ErrorCode::GlobalActionFailed)
            .before("key", name);
        stage.pause_after(failure, &mut pauses).await?;
    }
    let mut data = StepData::default();
    data.push("key", name);
    Ok(data)
}

/// A key of the contract as a driver takes it.
const fn driver_key(key: contract::Key) -> Key {
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
