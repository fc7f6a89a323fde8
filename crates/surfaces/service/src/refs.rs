//! The references that this process assigned. Devices share the numbers, so that a reference of one device never is an element of
//! another one.

use std::sync::{Arc, Mutex, PoisonError};

use uitree::{RefNumbers, RefTable, Refs};

use crate::chrome::without_tab;

/// The maximal number of devices, the most recently used ones.
const MAX_DEVICES: usize = 256;

/// The references of every device, by name. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefsByDevice {
    known: Arc<Mutex<Vec<(String, Refs)>>>,
    numbers: RefNumbers,
}

impl RefsByDevice {
    /// No references yet; the numbers up to `last` were given by an earlier process.
    pub(crate) fn after(last: u32) -> Self {
        Self {
            known: Arc::default(),
            numbers: RefNumbers::after(last),
        }
    }

    /// The last number that was given.
    pub(crate) fn last(&self) -> u32 {
        self.numbers.last()
    }

    /// The references of a device. Tabs share them.
    pub(crate) fn of(&self, device: &str) -> Refs {
        let device = without_tab(device);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match known.iter().position(|(name, _)| name == device) {
            Some(index) => known.remove(index),
            None => {
                let table = RefTable::with_numbers(self.numbers.clone());
                (device.to_owned(), Refs::new(table))
            }
        };
        let refs = found.1.clone();
        known.push(found);
        if known.len() > MAX_DEVICES {
            known.remove(0);
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

    #[test]
    fn devices_share_numbers_and_tabs_share_references() {
        let tree = |name: &str| {
            let notation = format!("button \"{name}\" clickable [0,0][9,9]");
            uitree::UiTree::parse_notation(&notation).unwrap()
        };
        let give = |refs: &Refs, tree: &uitree::UiTree| {
            let given = refs.lock().assign(tree);
            tree.ids().find_map(|id| given.get(id)).unwrap()
        };
        let all = RefsByDevice::default();
        assert_eq!(give(&all.of("chrome:1"), &tree("Help")), "e1");
        assert_eq!(give(&all.of("chrome:2"), &tree("Delete")), "e2");
        assert_eq!(give(&all.of("chrome:1"), &tree("Help")), "e1");
        assert_eq!(give(&all.of("sim"), &tree("Help")), "e3");
        assert!(!all.of("sim").lock().has("e2"));
    }
}
