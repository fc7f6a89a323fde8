//! Generates the reference of the app format as Markdown.

use std::fmt::Write;

use crate::words::capital;

use super::FUNCTIONS;
use super::table::{Key, Shape, table};

pub(crate) fn page() -> String {
    let mut page = String::from(
        "# Reference of the app format\n\n\
         Every key that an app file may have, generated from the table of the format. [The format](README.md) \
         explains them.\n",
    );
    for row in &table().parts {
        section(&mut page, "##", &capital(row.name), row.about);
        let mut keys = row.keys.to_vec();
        if row.frame {
            keys.extend(&table().frame);
        }
        keys_table(&mut page, &keys);
    }
    section(
        &mut page,
        "##",
        "Widgets",
        "A value of the kind itself is that of its first key.",
    );
    for row in &table().widgets {
        let class = if row.class.is_empty() {
            "no node".to_owned()
        } else {
            format!("`{}`", row.class)
        };
        section(
            &mut page,
            "###",
            &format!("`{}`", row.name),
            &format!("{} Class: {class}.", row.about),
        );
        keys_table(&mut page, &row.keys);
    }
    section(&mut page, "##", "Keys of every widget", "");
    keys_table(&mut page, &table().common);
    section(
        &mut page,
        "##",
        "Keys of the frame",
        "Every widget has them, and the body of a screen.",
    );
    keys_table(&mut page, &table().frame);
    section(&mut page, "##", "Effects", "");
    page.push_str("\n| effect | value | beside it | |\n|---|---|---|---|\n");
    for row in &table().effects {
        let beside: Vec<String> = row
            .keys
            .iter()
            .map(|key| format!("`{}` ({})", key.name, kind(key.shape)))
            .collect();
        line(
            &mut page,
            &[
                &format!("`{}`", row.name),
                &kind(row.value),
                &beside.join(", "),
                row.about,
            ],
        );
    }
    section(&mut page, "##", "Functions", "");
    page.push_str("\n| function | | example | |\n|---|---|---|---|\n");
    for row in FUNCTIONS {
        let code = |text: &str| {
            if text.is_empty() {
                String::new()
            } else {
                format!("`{text}`")
            }
        };
        let example = if row.example.1.is_empty() {
            (String::new(), String::new())
        } else {
            (code(row.example.0), code(row.example.1))
        };
        line(
            &mut page,
            &[
                &format!("`{}`", row.form),
                row.about,
                &example.0,
                &example.1,
            ],
        );
    }
    page
}

fn section(page: &mut String, level: &str, title: &str, about: &str) {
    let gap = if about.is_empty() { "" } else { "\n\n" };
    let end = if about.is_empty() { "" } else { "\n" };
    let newline = if about.is_empty() { "\n" } else { "" };
    // Writing to a string cannot fail.
    let _ = write!(page, "\n{level} {title}{gap}{about}{end}{newline}");
}

fn keys_table(page: &mut String, keys: &[Key]) {
    page.push_str("\n| key | value | |\n|---|---|---|\n");
    for key in keys {
        let needed = if key.needed { " Needed." } else { "" };
        line(
            page,
            &[
                &format!("`{}`", key.name),
                &kind(key.shape),
                &format!("{}{needed}", dotted(key)),
            ],
        );
    }
}

fn dotted(key: &Key) -> String {
    if key.needed && !key.about.ends_with('.') {
        format!("{}.", key.about)
    } else {
        key.about.to_owned()
    }
}

fn line(page: &mut String, cells: &[&str]) {
    for cell in cells {
        let _ = write!(page, "| {} ", cell.replace('|', "\\|"));
    }
    page.push_str("|\n");
}

/// Describes a shape; a test asserts that every shape has a description.
fn kind(shape: Shape) -> String {
    shape.phrase().unwrap_or_default()
}
