//! Turning the screen with the phone's settings.

/// The commands that turn the screen by these quarter turns; `None` has it follow how the phone is held.
pub(crate) fn commands(turns: Option<u8>) -> Vec<String> {
    let put = |key: &str, value: u8| format!("settings put system {key} {value}");
    match turns {
        // The rotation first, so that the screen turns once.
        Some(turns) => vec![
            put("user_rotation", turns),
            put("accelerometer_rotation", 0),
        ],
        None => vec![put("accelerometer_rotation", 1)],
    }
}
