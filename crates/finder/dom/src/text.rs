//! The visible text of an element and its descendants.

use crate::{Dom, ElementId, Facts};

/// An element being read.
struct Open {
    id: ElementId,
    /// The number of children started: its own, and those at the root of its shadow tree.
    children: [u32; 2],
    /// The number of text pieces read: those between its own children, and those in its shadow tree.
    read: [usize; 2],
}

/// The visible text of `id` and its descendants.
pub(crate) fn element_text(dom: &Dom, id: ElementId) -> String {
    let mut text = String::new();
    let mut open: Vec<Open> = Vec::new();
    for inside in dom.subtree(id) {
        while let Some(done) = open.pop_if(|last| !dom.contains(last.id, inside)) {
            close(dom, done, &mut text);
        }
        if let Some(holder) = open.last_mut() {
            let group = usize::from(dom.element(holder.id).scope != dom.element(inside).scope);
            let before = holder.children[group];
            read(dom, holder, group, before, &mut text);
            holder.children[group] = before + 1;
        }
        let element = dom.element(inside);
        part(dom, inside, &mut text);
        if element.runs.is_none() && element.is(Facts::VISIBLE) {
            text.push_str(&element.text);
        }
        open.push(Open {
            id: inside,
            children: [0; 2],
            read: [0; 2],
        });
    }
    while let Some(done) = open.pop() {
        close(dom, done, &mut text);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Reads the text pieces of an element that come before child number `before`.
fn read(dom: &Dom, open: &mut Open, group: usize, before: u32, text: &mut String) {
    let runs = dom.element(open.id).runs.as_deref().unwrap_or_default();
    while let Some(run) = runs.get(open.read[group]) {
        if usize::from(run.in_shadow) == group {
            if run.after > before {
                break;
            }
            text.push_str(&run.text);
        }
        open.read[group] += 1;
    }
}

/// Reads the remaining text pieces of an element.
fn close(dom: &Dom, mut open: Open, text: &mut String) {
    for group in [0, 1] {
        read(dom, &mut open, group, u32::MAX, text);
    }
    part(dom, open.id, text);
}

/// Text on a separate line is separated by a space.
fn part(dom: &Dom, id: ElementId, text: &mut String) {
    if !dom.element(id).is(Facts::INLINE) {
        text.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{DomBuilder, ElementSpec, Facts, Run, Viewport};

    fn run(after: u32, text: &str) -> Run {
        Run {
            after,
            in_shadow: false,
            text: Arc::from(text),
            bounds: None,
        }
    }

    #[test]
    fn text_is_read_in_document_order() {
        let mut page = DomBuilder::new(Viewport::default(), "http://a.test/", "");
        let facts = Facts::VISIBLE;
        let button = page.open(ElementSpec {
            tag: "button".into(),
            text: "in now".into(),
            runs: Some([run(1, " in "), run(2, "now")].into()),
            facts,
            ..ElementSpec::default()
        });
        for (text, facts) in [("Sign", facts | Facts::INLINE), ("Right", facts)] {
            page.open(ElementSpec {
                tag: "span".into(),
                text: text.into(),
                facts,
                ..ElementSpec::default()
            });
            page.close();
        }
        assert_eq!(page.finish().text(button), "Sign in Right now");
    }
}
