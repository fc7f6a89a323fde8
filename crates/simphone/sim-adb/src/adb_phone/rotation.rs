//! The rotation of the screen, which two settings control, as on Android.

use driver_sim::Rotation;

use super::AdbPhone;

const TABLE: &str = "system";
/// The key that enables automatic rotation.
const AUTO_ROTATE: &str = "accelerometer_rotation";
/// The key of the quarter turns of a locked rotation.
const TURNS: &str = "user_rotation";

pub(crate) fn is_rotation_setting(table: &str, key: &str) -> bool {
    table == TABLE && [AUTO_ROTATE, TURNS].contains(&key)
}

impl AdbPhone {
    pub(crate) async fn apply_rotation_settings(&self) {
        let number = |key| {
            self.setting(TABLE, key)
                .and_then(|value| value.parse().ok())
        };
        let is_auto = number(AUTO_ROTATE) == Some(1);
        let turns = number(TURNS).unwrap_or(0);
        let mut driver = self.driver().await;
        if is_auto {
            driver.phone_mut().set_auto_rotate(true);
        } else {
            let rotation = Rotation::of_quarter_turns(turns);
            driver.phone_mut().lock_rotation(rotation);
        }
    }

    /// Locks the rotation to these quarter turns; `None` rotates automatically.
    pub(crate) async fn set_rotation(&self, turns: Option<u8>) {
        let put = |key: &str, value: u8| {
            let place = (TABLE.to_owned(), key.to_owned());
            self.state().settings.insert(place, value.to_string());
        };
        put(AUTO_ROTATE, u8::from(turns.is_none()));
        if let Some(turns) = turns {
            put(TURNS, turns);
        }
        self.apply_rotation_settings().await;
    }

    /// The quarter turns of a locked rotation; `None` if it is automatic.
    pub(crate) async fn fixed_rotation(&self) -> Option<u8> {
        if self.setting(TABLE, AUTO_ROTATE).as_deref() == Some("1") {
            return None;
        }
        Some(self.driver().await.phone().rotation().quarter_turns())
    }
}
