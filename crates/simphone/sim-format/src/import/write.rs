//! Writes the file of an imported app.

use std::fmt::{self, Write};

use super::{Import, ImportedScreen, Tap, tap};

pub(super) fn app(import: &Import) -> String {
    let mut file = String::new();
    // Writing to a string cannot fail.
    let _ = write_app(&mut file, import);
    file
}

fn write_app(to: &mut String, import: &Import) -> fmt::Result {
    let package = import.package();
    to.push_str(
        "# Imported from a device. Each line of a tree is a node; `handlers` says what nodes do.\n",
    );
    writeln!(to, "app: {package}")?;
    writeln!(to, "label: {}", quoted(&import.label(&package)))?;
    let size = import.screen();
    writeln!(to, "screen: [{}, {}]", size.width, size.height)?;
    if let Some(first) = import.screens.first() {
        writeln!(to, "start: {}", word(&first.name))?;
    }
    to.push_str("screens:\n");
    for screen in &import.screens {
        let taps = import.taps.iter().filter(|tap| tap.from == screen.name);
        write_screen(to, screen, taps)?;
    }
    Ok(())
}

fn write_screen<'a>(
    to: &mut String,
    screen: &ImportedScreen,
    taps: impl Iterator<Item = &'a Tap>,
) -> fmt::Result {
    writeln!(to, "  {}:", word(&screen.name))?;
    if let Some(picture) = &screen.picture {
        writeln!(to, "    picture: {}", quoted(picture))?;
    }
    for (index, tap) in taps.enumerate() {
        if index == 0 {
            to.push_str("    handlers:\n");
        }
        to.push_str("      - { ");
        for (key, value) in &tap.node {
            write!(to, "{key}: {}, ", quoted(value))?;
        }
        if let Some(nth) = tap.nth {
            write!(to, "nth: {nth}, ")?;
        }
        match tap::navigation_effect(&tap.to) {
            Some(effect) => writeln!(to, "on_click: {effect} }}")?,
            None => writeln!(to, "on_click: {{ push: {} }} }}", word(&tap.to))?,
        }
    }
    to.push_str("    tree: |\n");
    for line in screen.tree.to_notation().lines() {
        writeln!(to, "      {line}")?;
    }
    Ok(())
}

/// Formats a name, in quotes where YAML needs them.
fn word(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
            .contains(&name.to_ascii_lowercase().as_str());
    if plain { name.to_owned() } else { quoted(name) }
}

/// Formats a text in quotes, as JSON, which YAML accepts.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
