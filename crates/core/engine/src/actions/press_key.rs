//! `press_key`: press one key, or one key with modifiers, once.

use contract::actions::PressKey;
use contract::{ChordKey, ErrorCode, KeyPress, Modifiers, StepData};
use driver::{ActOutcome, Key, KeyChord, KeyboardKey, Modifier};

use crate::backoff::Backoff;
use crate::click::record_refused_form;
use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &PressKey,
) -> Result<StepData, Failure> {
    let name = params.key.to_string();
    ctx.observe_before_blind_change().await;
    let mut backoff = Backoff::new(&params.retry());
    let pressed = loop {
        let failure = match ctx.press_keys(params.key).await {
            Ok(pressed) => break pressed,
            Err(failure) => failure,
        };
        let failure = failure
            .recode(ErrorCode::GestureFailed, ErrorCode::GlobalActionFailed)
            .with_leading_data("key", &*name);
        ctx.back_off(failure, &mut backoff).await?;
    };
    let mut data = StepData::default();
    data.push("key", name);
    record_refused_form(&pressed, &mut data);
    Ok(data)
}

impl StepContext<'_> {
    /// Presses keys once.
    pub(crate) async fn press_keys(&mut self, keys: KeyPress) -> Result<ActOutcome, Failure> {
        match keys {
            KeyPress::Device(key) => self.key(driver_key(key)).await,
            KeyPress::Keyboard(modifiers, key) => {
                self.begin_change().await;
                let (driver, cx) = self.device.driver();
                let done = driver.press_chord(cx, &chord(modifiers, key)).await;
                self.record_answer(done.map(|()| ActOutcome::default()))
            }
        }
    }
}

/// The driver's key for a key of the contract.
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

/// The driver's chord for keys of the contract.
fn chord(modifiers: Modifiers, key: ChordKey) -> KeyChord {
    let held = modifiers.iter().map(|modifier| match modifier {
        contract::Modifier::Ctrl => Modifier::Ctrl,
        contract::Modifier::Alt => Modifier::Alt,
        contract::Modifier::Shift => Modifier::Shift,
        contract::Modifier::Meta => Modifier::Meta,
    });
    KeyChord {
        modifiers: held.collect(),
        key: match key {
            ChordKey::Char(letter) => KeyboardKey::Char(letter),
            ChordKey::Named(key) => keyboard_key(key),
        },
    }
}

const fn keyboard_key(key: contract::KeyboardKey) -> KeyboardKey {
    use contract::KeyboardKey as Named;
    match key {
        Named::Enter => KeyboardKey::Enter,
        Named::Backspace => KeyboardKey::Backspace,
        Named::ForwardDelete => KeyboardKey::ForwardDelete,
        Named::Tab => KeyboardKey::Tab,
        Named::Escape => KeyboardKey::Escape,
        Named::Space => KeyboardKey::Space,
        Named::Insert => KeyboardKey::Insert,
        Named::Up => KeyboardKey::Up,
        Named::Down => KeyboardKey::Down,
        Named::Left => KeyboardKey::Left,
        Named::Right => KeyboardKey::Right,
        Named::PageUp => KeyboardKey::PageUp,
        Named::PageDown => KeyboardKey::PageDown,
        Named::MoveHome => KeyboardKey::MoveHome,
        Named::MoveEnd => KeyboardKey::MoveEnd,
        Named::F1 => KeyboardKey::Function(1),
        Named::F2 => KeyboardKey::Function(2),
        Named::F3 => KeyboardKey::Function(3),
        Named::F4 => KeyboardKey::Function(4),
        Named::F5 => KeyboardKey::Function(5),
        Named::F6 => KeyboardKey::Function(6),
        Named::F7 => KeyboardKey::Function(7),
        Named::F8 => KeyboardKey::Function(8),
        Named::F9 => KeyboardKey::Function(9),
        Named::F10 => KeyboardKey::Function(10),
        Named::F11 => KeyboardKey::Function(11),
        Named::F12 => KeyboardKey::Function(12),
    }
}
