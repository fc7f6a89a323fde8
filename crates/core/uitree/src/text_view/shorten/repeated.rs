//! Omits what rows repeat of earlier rows.

use std::collections::HashMap;

use crate::text_view::line::references::{SAME, format_references};
use crate::text_view::line::text::{CODE, LABEL, LabeledText};
use crate::text_view::line::{Line, Part};
use crate::{Role, ScreenRefs};

/// Minimum length in characters of the name of a single control that is abbreviated.
const MIN_ABBREVIATED: usize = 6;

/// Minimum number of elements of an abbreviated row.
const MIN_REFERENCES: usize = 3;

/// Content of earlier lines that later lines may omit.
#[derive(Default)]
struct RowsAbove {
    /// The texts of each element of the last line with these roles.
    texts: HashMap<(Vec<String>, usize), Vec<String>>,
    /// The controls of the last line with controls of these roles.
    controls: HashMap<Vec<String>, Vec<Part>>,
    /// The last written controls after a text, and the index of the last line with such controls.
    after_text: Vec<Part>,
    after_text_at: Option<usize>,
    /// The line directly above, unabbreviated.
    previous: Option<Line>,
}

/// Omits what earlier lines already show: a row equal to the row above, equal controls after the row's text, equal code names,
/// equal labels except the first, and the role of an element after another one of the role.
pub(crate) fn omit(lines: &mut [Line], refs: &ScreenRefs) {
    omit_repeated(lines, refs);
    for line in lines {
        omit_repeated_roles(line, refs);
    }
}

fn omit_repeated(lines: &mut [Line], refs: &ScreenRefs) {
    let mut above = RowsAbove::default();
    for (at, line) in lines.iter_mut().enumerate() {
        let previous = above.previous.replace(line.clone());
        let row = previous.and_then(|previous| abbreviate_as_row_above(&previous, line, refs));
        if let Some(row) = row {
            line.parts = vec![row];
            above.after_text_at = Some(at);
            continue;
        }
        let roles = roles_of(&line.parts);
        // The cells of a table are identified by their positions.
        if roles.first().is_none_or(|role| role != Role::Row.as_str()) {
            let text = line.parts.iter().rposition(Part::is_text);
            let last = above.note_controls(&line.parts, refs);
            let after_text = text.map_or(0, |text| text + 1);
            let controls = &line.parts[after_text..];
            let are_of_row = text.is_some()
                && !controls.is_empty()
                && controls.iter().all(|part| part.has_ref(refs));
            if are_of_row && above.can_abbreviate(controls, at) {
                let same_as_above = controls.iter().filter_map(|part| part.id).collect();
                line.parts.truncate(after_text);
                line.parts[after_text - 1].same_as_above = same_as_above;
            } else if are_of_row {
                above.after_text = controls.to_vec();
            }
            above.after_text_at = Some(at).filter(|_| are_of_row).or(above.after_text_at);
            omit_code_names(&last, line);
        }
        above.omit_labels(line, roles, refs);
    }
}

fn roles_of(parts: &[Part]) -> Vec<String> {
    parts.iter().map(|part| part.role.clone()).collect()
}

/// The row as `same:` with its references and its text, if the rest equals the row above and the references are consecutive.
fn abbreviate_as_row_above(above: &Line, line: &Line, refs: &ScreenRefs) -> Option<Part> {
    let (model, row) = (&above.parts, &line.parts);
    let is_equal = |(model, own): (&Part, &Part)| {
        model.role == own.role && (own.is_text() || model.has_equal_content(own))
    };
    let mut texts = row.iter().filter(|part| part.is_text());
    let text = texts.next().filter(|text| !text.texts.is_empty())?;
    let references: Option<Vec<String>> = row.iter().map(|part| refs.get(part.id?)).collect();
    let range = format_references(references?.into_iter());
    // A budget removes lower lines first, and those of a lower rank.
    let is_short = row.len() >= MIN_REFERENCES && !range.contains(' ') && above.rank == line.rank;
    let is_like_model = model.len() == row.len() && model.iter().zip(row).all(is_equal);
    (is_short && is_like_model && texts.next().is_none()).then(|| Part {
        role: format!("{SAME} {range}"),
        id: None,
        ..text.clone()
    })
}

impl RowsAbove {
    /// Records the controls of a line; returns those of the last line with controls of the same roles.
    fn note_controls(&mut self, line: &[Part], refs: &ScreenRefs) -> Vec<Part> {
        let controls = line.iter().filter(|part| !part.is_text()).cloned();
        let controls: Vec<Part> = controls.collect();
        match controls.iter().all(|part| part.has_ref(refs)) {
            true => self
                .controls
                .insert(roles_of(&controls), controls)
                .unwrap_or_default(),
            false => Vec::new(),
        }
    }

    /// Whether the controls after a row's text equal those of the row above, and the abbreviation is shorter.
    fn can_abbreviate(&self, controls: &[Part], at: usize) -> bool {
        let is_shorter = match controls {
            [control] => self.after_text_at.is_some_and(|last| last + 1 == at) && is_long(control),
            _ => true,
        };
        // Different controls are written, so that `same:` always refers to the row above.
        is_shorter
            && roles_of(controls) == roles_of(&self.after_text)
            && (self.after_text.iter().zip(controls))
                .all(|(above, own)| above.has_equal_content(own))
    }

    /// Omits labels that the last line with the same roles has at the same position, except the first text of an element.
    fn omit_labels(&mut self, line: &mut Line, roles: Vec<String>, refs: &ScreenRefs) {
        for (at, part) in line.parts.iter_mut().enumerate() {
            if part.texts.is_empty() || !part.has_ref(refs) {
                continue;
            }
            let texts: Vec<String> = part.texts.iter().map(ToString::to_string).collect();
            let above = self.texts.insert((roles.clone(), at), texts.clone());
            if above.as_ref() == Some(&texts) {
                let mut is_first = true;
                part.texts.retain(|text| {
                    let is_kept = text.prefix != LABEL || is_first;
                    is_first = false;
                    is_kept
                });
            }
        }
    }
}

/// Omits the code names of controls that equal those of `above`. A line with nothing but such controls keeps them, and a control
/// with other states its own.
fn omit_code_names(above: &[Part], line: &mut Line) {
    let has_code_name = |part: &Part| matches!(&*part.texts, [text] if text.prefix == CODE);
    let has_others = line.parts.iter().any(|part| !has_code_name(part));
    let controls = line.parts.iter_mut().filter(|part| !part.is_text());
    for (above, part) in above.iter().zip(controls) {
        if has_code_name(part) && has_others && above.has_equal_content(part) {
            part.texts.clear();
        } else if part.texts.is_empty() && part.resource.is_none() && has_code_name(above) {
            // It does not have the name of the one above.
            part.texts.push(LabeledText::named(CODE, ""));
        }
    }
}

/// Whether the name of a control is longer than the abbreviation.
fn is_long(control: &Part) -> bool {
    control.texts.iter().map(LabeledText::length).sum::<usize>() >= MIN_ABBREVIATED
}

/// Omits the role of an element after another one of its role, if both have references.
fn omit_repeated_roles(line: &mut Line, refs: &ScreenRefs) {
    // The cells of a table have roles of their own.
    let first = line.parts.first();
    if first.is_some_and(|part| part.role == Role::Row.as_str()) {
        return;
    }
    let mut last: Option<String> = None;
    for part in &mut line.parts {
        let role = std::mem::take(&mut part.role);
        // The next role terminates a text after a reference.
        if last.as_ref() != Some(&role) || !(part.has_ref(refs) || role == Role::Text.as_str()) {
            part.role.clone_from(&role);
        }
        last = Some(role).filter(|_| part.has_ref(refs) && part.same_as_above.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use crate::text_view::view;

    #[test]
    fn rows_equal_to_the_row_above_have_only_references_and_texts() {
        let rows = ["Ada", "Bob", "Cyd", "Dan"].iter().enumerate();
        let rows: String = rows
            .map(|(at, name)| {
                let (top, bottom) = (at * 20, at * 20 + 10);
                let state = if at == 2 { "selected" } else { "" };
                let unread = if at == 1 { "@unread=\"true\"" } else { "" };
                format!(
                    "    checkbox clickable checkable [0,{top}][10,{bottom}]\n    text \"{name}\" clickable {unread} [12,{top}][50,{bottom}]\n    button \"☆\" clickable {state} [60,{top}][70,{bottom}]\n"
                )
            })
            .collect();
        let screen =
            format!("screen 200x200\nwindow application active\n  column [0,0][200,200]\n{rows}");
        expect_test::expect![[r#"
            application
             checkbox e1 text "Ada" e2 button "☆" e3
             same: e4-e6 "Bob" unread
             checkbox e7 text "Cyd" e8 button "☆" selected e9
             checkbox e10 text "Dan" e11 button "☆" e12
        "#]]
        .assert_eq(&view(&screen));
    }

    #[test]
    fn code_name_is_omitted_if_the_line_above_has_it() {
        let row = |top: usize, controls: &[(&str, &str)]| {
            let bottom = top + 10;
            let controls = controls.iter().enumerate().map(|(at, (words, more))| {
                let (left, right) = (60 + at * 20, 70 + at * 20);
                format!("    button {words} clickable {more} [{left},{top}][{right},{bottom}]\n")
            });
            format!(
                "    text \"Row {top}\" [0,{top}][50,{bottom}]\n{}",
                controls.collect::<String>()
            )
        };
        let (like, save) = (("", "@code-name=\"like\""), ("", "@code-name=\"save\""));
        let saved = ("", "@code-name=\"unsave\"");
        let rows = [
            row(0, &[("\"1\"", ""), like]),
            row(20, &[save]),
            row(40, &[("\"2\"", ""), like]),
            row(60, &[saved]),
            // The last row that ends with one button has another one.
            row(80, &[save]),
            row(100, &[("\"3\"", ""), ("", "@code-name=\"like\" selected")]),
            row(120, &[("\"4\"", ""), like]),
            row(140, &[("", "")]),
        ];
        let screen = format!(
            "screen 200x200\nwindow application active\n  column [0,0][200,200]\n{}",
            rows.concat()
        );
        expect_test::expect![[r#"
            application
             "Row 0" button "1" e1 code="like" e2
             "Row 20" button code="save" e3
             "Row 40" button "2" e4 e5
             "Row 60" button code="unsave" e6
             "Row 80" button code="save" e7
             "Row 100" button "3" e8 code="like" selected e9
             "Row 120" button "4" e10 code="like" e11
             "Row 140" button code="" e12
        "#]]
        .assert_eq(&view(&screen));
    }
}
