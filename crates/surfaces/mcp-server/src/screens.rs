//! The last screen of each device that the client has, to which changes refer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of devices.
const MOST: usize = 64;

/// The screens as text, by device.
#[derive(Clone, Debug, Default)]
pub(crate) struct Screens(Arc<Mutex<HashMap<String, String>>>);

impl Screens {
    /// Stores the screen that the client gets now; returns the one before.
    pub(crate) fn replace(&self, device: &str, screen: &str) -> Option<String> {
        let mut screens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if screens.len() >= MOST && !screens.contains_key(device) {
            // Their next changes are whole screens.
            screens.clear();
        }
        screens.insert(device.to_owned(), screen.to_owned())
    }
}
