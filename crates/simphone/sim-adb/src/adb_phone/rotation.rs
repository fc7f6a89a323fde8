//! How the screen is turned. As on Android, two settings say it, and programs write them.

use driver_sim::Rotation;

use super::AdbPhone;

/// The table of both settings.
const TABLE: &str = "system";
/// Whether the screen follows how the phone is held.
const FOLLOWS: &str = "accelerometer_rotation";
/// The quarter turns of a screen that does not follow.
const TURNS: &str = "user_rotation";

/// Whether a setting says how the screen is turned.
pub(crate) fn turns_screen(table: &str, key: &str) -> bool {
    table == TABLE && [FOLLOWS, TURNS].contains(&key)
}

impl AdbPhone {
    /// Turns the screen as the settings say.
    pub(crate) async fn turn_screen(&self) {
        let number = |key| {
            self.setting(TABLE, key)
                .and_then(|value| value.parse().ok())
        };
        let follows = number(FOLLOWS) == Some(1);
        let turns = number(TURNS).unwrap_or(0);
        let mut driver = self.driver().await;
        if follows {
            driver.phone_mut().set_auto_rotate(true);
        } else {
            let rotation = Rotation::of_quarter_turns(turns);
            driver.phone_mut().lock_rotation(rotation);
        }
    }

    /// Turns the screen by these quarter turns; `None` has it follow how the phone is held.
    pub(crate) async fn set_rotation(&self, turns: Option<u8>) {
        let put = |key: &str, value: u8| {
            let place = (TABLE.to_owned(), key.to_owned());
            self.state().settings.insert(place, value.to_string());
        };
        put(FOLLOWS, u8::from(turns.is_none()));
        if let Some(turns) = turns {
            put(TURNS, turns);
        }
        self.turn_screen().await;
    }

    /// The quarter turns of a screen that does not follow how the phone is held.
    pub(crate) async fn fixed_rotation(&self) -> Option<u8> {
        if self.setting(TABLE, FOLLOWS).as_deref() == Some("1") {
            return None;
        }
        Some(self.driver().await.phone().rotation().quarter_turns())
    }
}
