//! The references that this process gave, by device.

use std::sync::{Arc, Mutex, PoisonError};

use uitree::{RefTable, Refs};

/// The maximal number of devices, the most recently used ones.
const MAX_DEVICES: usize = 256;

/// The references of every device, by name. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefsByDevice(Arc<Mutex<Devices>>);

#[derive(Debug, Default)]
struct Devices {
    known: Vec<(String, Refs)>,
    /// The highest number of a device that was forgotten: a number is not used again.
    forgotten: u32,
}

impl RefsByDevice {
    /// No references yet; the numbers up to `last` were given by an earlier process.
    pub(crate) fn after(last: u32) -> Self {
        Self(Arc::new(Mutex::new(Devices {
            forgotten: last,
            ..Devices::default()
        })))
    }

    /// The highest number that was given.
    pub(crate) fn last(&self) -> u32 {
        let devices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = devices.known.iter().map(|(_, refs)| refs.lock().last());
        known.fold(devices.forgotten, u32::max)
    }

    /// The references of a device.
    pub(crate) fn of(&self, device: &str) -> Refs {
        let mut devices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match devices.known.iter().position(|(name, _)| name == device) {
            Some(place) => devices.known.remove(place),
            None => {
                let table = RefTable::after(devices.forgotten);
                (device.to_owned(), Refs::new(table))
            }
        };
        let refs = found.1.clone();
        devices.known.push(found);
        if devices.known.len() > MAX_DEVICES {
            let (_, oldest) = devices.known.remove(0);
            devices.forgotten = devices.forgotten.max(oldest.lock().last());
        }
        refs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_a_forgotten_device_is_not_used_again() {
        let tree = uitree::UiTree::parse_notation("button \"Go\" clickable [0,0][9,9]").unwrap();
        let first = |refs: &Refs| {
            let mut table = refs.lock();
            let given = table.assign(&tree);
            let first = tree.ids().find_map(|id| given.get(id));
            first.unwrap()
        };
        let all = RefsByDevice::default();
        assert_eq!(first(&all.of("one")), "e1");
        assert_eq!(first(&all.of("one")), "e1");
        for number in 0..MAX_DEVICES {
            all.of(&number.to_string());
        }
        assert_eq!(first(&all.of("one")), "e2");
    }
}
