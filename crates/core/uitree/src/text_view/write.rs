//! Formats lines as text.

use super::line::references::format_references;
use super::line::{Line, Rank, WrittenLine};
use crate::{Role, ScreenRefs};

/// Formats the lines, consecutive equal ones as one with their number and references.
pub(super) fn write(lines: &[Line], refs: &ScreenRefs) -> Vec<WrittenLine> {
    let no_refs = ScreenRefs::default();
    let mut texts: Vec<String> = lines.iter().map(|line| line.render(&no_refs)).collect();
    let mut written = Vec::with_capacity(lines.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let depth_of = |at: usize| lines.get(at).map_or(0, |line| line.depth);
        let is_equal = |next: usize| {
            next < lines.len() && lines[next].depth == line.depth && texts[next] == texts[at]
        };
        let has_children = |at: usize| depth_of(at + 1) > line.depth;
        let mut count = 1;
        while line.parts.len() == 1
            && !has_children(at + count - 1)
            && is_equal(at + count)
            && !has_children(at + count)
        {
            count += 1;
        }
        let mut text = std::mem::take(&mut texts[at]);
        if count > 1 {
            text.push_str(&format!(" ×{count}"));
        }
        match line.parts.as_slice() {
            [part] if count > 1 || part.same_as_above.is_empty() => {
                let equal = lines.iter().skip(at).take(count);
                let references = format_references(equal.filter_map(|line| refs.get(line.id()?)));
                if !text.is_empty() && !references.is_empty() {
                    text.push(' ');
                }
                text.push_str(&references);
            }
            _ => text = line.render(refs),
        }
        written.push(WrittenLine {
            rank: line.rank,
            depth: line.depth,
            text,
        });
        at += count;
    }
    written
}

/// Indents each line by one space for each line that contains it, except a page that fills its window, and that window.
pub(super) fn indented(lines: &[WrittenLine]) -> String {
    let mut text = String::new();
    // The depths of the lines that may contain the next one.
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        open.retain(|depth| *depth < line.depth);
        text.extend(std::iter::repeat_n(' ', open.len()));
        let is_filled = match line.rank {
            Rank::Window => fills_window(&lines[at + 1..]),
            _ => at > 0 && lines[at - 1].rank == Rank::Window && fills_window(&lines[at..]),
        };
        if !is_filled {
            open.push(line.depth);
        }
        text.push_str(&line.text);
        text.push('\n');
    }
    text
}

/// Whether the first line is a page that contains the others of its window.
fn fills_window(lines: &[WrittenLine]) -> bool {
    let inside = lines.iter().take_while(|line| line.rank != Rank::Window);
    let mut inside = inside.skip(1);
    lines.first().is_some_and(|page| {
        page.text.starts_with(Role::WebView.as_str()) && inside.all(|line| line.depth > page.depth)
    })
}
