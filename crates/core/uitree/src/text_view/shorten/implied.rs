//! Omits what a reference implies.

use std::collections::HashMap;

use crate::text_view::collect::ids::is_informative_id;
use crate::text_view::line::Line;
use crate::text_view::line::text::CLICKABLE;
use crate::{Role, ScreenRefs};

/// Omits of elements with references that they can be clicked, their centers, and ids: those beside a unique name, and those
/// that only tell the kind of a container, such as `#contentWrapper`.
pub(crate) fn omit(lines: &mut [Line], refs: &ScreenRefs) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for line in lines.iter() {
        *counts.entry(name_of(line)).or_default() += 1;
    }
    for line in lines.iter_mut() {
        join_name(line, refs);
        let name = name_of(line);
        let is_unique = !name.is_empty() && counts.get(&name) == Some(&1);
        for part in line.parts.iter_mut().filter(|part| part.has_ref(refs)) {
            let is_informative = |id: &String| is_informative_id(id, "");
            let is_idle = name.is_empty() && !part.states.is_empty();
            if is_unique || is_idle && !part.resource.as_ref().is_some_and(is_informative) {
                part.resource = None;
            }
            let is_described = !(part.role.is_empty() && part.texts.is_empty());
            if is_described || part.resource.is_some() {
                part.omit_state(CLICKABLE);
            }
            part.omit_unchecked();
            part.center = None;
        }
    }
}

/// Makes the text of a nameless checkbox or radio button its name, since its reference presses it.
fn join_name(line: &mut Line, refs: &ScreenRefs) {
    let [toggle, text] = line.parts.as_mut_slice() else {
        return;
    };
    let is_text = text.is_text() && text.states.is_empty();
    let [_] = text.texts.as_slice() else { return };
    if is_text && toggle.texts.is_empty() && toggle.has_ref(refs) && !text.has_ref(refs) {
        toggle.texts = std::mem::take(&mut text.texts);
        line.parts.truncate(1);
    }
}

/// The names of all elements of a line, without the values of fields.
fn name_of(line: &Line) -> String {
    let texts = line.parts.iter().flat_map(|part| {
        let is_field = part.role == Role::TextField.as_str();
        let texts = part.texts.iter();
        texts.filter(move |text| !is_field || !text.prefix.is_empty())
    });
    let names: Vec<&str> = texts.map(|text| &*text.text).collect();
    names.join(" ")
}
