//! Links with the same target are one click.

/// Whether the address leads somewhere else.
pub(super) fn has_target(address: &str) -> bool {
    let address = address.trim();
    !address.is_empty() && !address.starts_with('#') && !address.starts_with("javascript:")
}
