//! `press_key`: presses a key of the device or of a keyboard.

use super::prelude::*;

params! {
    |reader|
    /// Presses a key, or a key with modifiers such as `ctrl+a`.
    pub struct PressKey {
        /// A key of the device, or of a keyboard: a visible ASCII character, `up`, `down`, `left`, `right`, `page_up`,
        /// `page_down`, `move_home`, `move_end`, `space`, `insert`, `forward_delete`, `f1` to `f12`. `ctrl`, `alt`, `shift` and
        /// `meta` come before the key of a keyboard, as in `ctrl+shift+z`. `delete` deletes before the cursor.
        key: KeyPress = reader.required(ParamKey::Key, ParamReader::key_press),
        /// Retry policy; preset `None`.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
    }
}

retry_policy!(PressKey: NONE);

impl ActionParams for PressKey {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["keycode", "button"], ParamKey::Key)],
        may_interrupt: true,
        ..KindFacts::new("key=back|enter|ctrl+a|…", r#"{"key":"back"}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        let known = matches!(
            self.key,
            KeyPress::Device(Key::Back | Key::Home | Key::Recents)
        );
        let gap = (ParamKey::Key, "the app supports back, home and recents");
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::Key(self.key)],
            needs_no_screen: matches!(
                self.key,
                KeyPress::Device(Key::Power | Key::VolumeUp | Key::VolumeDown)
            ),
            operator_gaps: (!known).then_some(gap).into_iter().collect(),
            ..StepFacts::default()
        }
    }
}
