//! Short references to elements for the next command: a position and a checksum.

use dom::{Dom, ElementId};
use uitree::{NodeId, UiTree};

/// Reference to an element of a page, such as `42-9f3a`.
pub fn element_ref(page: &Dom, id: ElementId) -> String {
    let element = page.element(id);
    let name = element.attribute("name").unwrap_or_default();
    let parts = [
        &*element.tag,
        element.id(),
        &element.role,
        &element.name,
        name,
    ];
    format_reference(id.index(), &parts)
}

/// Reference to a node of a phone screen.
pub fn node_ref(screen: &UiTree, id: NodeId) -> String {
    let node = screen.node(id);
    format_reference(
        id.index(),
        &[
            node.role.as_str(),
            &node.id,
            &node.class,
            &node.text,
            &node.label,
        ],
    )
}

/// Position of a reference; `None` if it is invalid.
pub fn place_of(reference: &str) -> Option<usize> {
    let (place, check) = reference.split_once('-')?;
    let hexadecimal = check.len() == 4 && check.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit());
    place.parse().ok().filter(|_| hexadecimal && number)
}

fn format_reference(place: usize, parts: &[&str]) -> String {
    // FNV-1a: the same on all machines.
    let mut sum: u32 = 0x811c_9dc5;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            sum = (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    format!("{place}-{:04x}", (sum >> 16) ^ (sum & 0xffff))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_is_position_with_checksum() {
        let one = format_reference(42, &["button", "save", ""]);
        assert_eq!(place_of(&one), Some(42));
        assert_ne!(one, format_reference(42, &["button", "", "save"]));
        for broken in [
            "", "42", "-1234", "42-", "42-12345", "x-1234", "+4-1234", "42-12zz",
        ] {
            assert_eq!(place_of(broken), None, "{broken}");
        }
    }
}
