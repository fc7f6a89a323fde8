//! When content counts as moved.

use crate::screen;
use uitree::{Axis, MovementSignature, Query, UiTree};

fn signature(tree: &UiTree) -> MovementSignature {
    tree.movement_signature(tree.find(&Query::new().id("list")).unwrap(), Axis::Vertical)
}

/// A list of rows 100 pixels high below a clock, scrolled by `offset`.
fn list(clock: &str, offset: i32, row: impl Fn(i32) -> String) -> UiTree {
    let mut text = format!(
        "column [0,0][1080,2400]\n  text \"{clock}\" [0,0][1080,100]\n  list #list [0,100][1080,1100] scrollable\n"
    );
    for at in 0..40 {
        let top = 100 + at * 100 - offset;
        text += &format!("    listitem {} [0,{top}][1080,{}]\n", row(at), top + 100);
    }
    screen(&text)
}

fn numbered(at: i32) -> String {
    format!("\"Row {at}\"")
}

#[test]
fn equal_content_has_not_moved() {
    assert_eq!(
        signature(&list("12:00", 0, numbered)),
        signature(&list("12:01", 0, numbered))
    );
}

#[test]
fn any_offset_is_movement() {
    let still = signature(&list("", 0, numbered));
    for offset in [1, 50, 100, 700] {
        assert_ne!(still, signature(&list("", offset, numbered)), "{offset}");
    }
}

#[test]
fn equal_rows_move_unless_recycled_by_whole_rows() {
    let equal = |_| "\"Row\"".to_owned();
    let still = signature(&list("", 130, equal));
    assert_ne!(still, signature(&list("", 150, equal)));
    // Hidden rows show how far the list scrolled.
    assert_ne!(still, signature(&list("", 230, equal)));
    let recycled = |offset| {
        let whole = list("", offset, equal).to_notation();
        let seen = whole.lines().filter(|line| {
            let top = line
                .split("[0,")
                .nth(1)
                .and_then(|rest| rest.split(']').next());
            !line.contains("listitem") || top.is_some_and(|top| matches!(top.parse(), Ok(1..1100)))
        });
        signature(&screen(&seen.collect::<Vec<_>>().join("\n")))
    };
    assert_eq!(recycled(130), recycled(230), "nothing tells the two apart");
    let named = |at| format!("#row{at}");
    assert_ne!(
        signature(&list("", 130, named)),
        signature(&list("", 230, named))
    );
}

#[test]
fn tall_child_moves_by_its_content() {
    let scroll = |offset: i32| {
        let top = 200 - offset;
        screen(&format!(
            "container #list [0,0][100,500] scrollable\n  column [0,0][100,500]\n    text \"a\" [0,{top}][100,{}]\n",
            top + 50
        ))
    };
    assert_ne!(signature(&scroll(0)), signature(&scroll(60)));
    assert_eq!(signature(&scroll(0)), signature(&scroll(0)));
}

#[test]
fn moving_the_container_is_not_movement() {
    let at = |top: i32| {
        screen(&format!(
            "column\n  list #list [0,{top}][100,{}] scrollable\n    text \"a\" [0,{}][100,{}]\n",
            top + 200,
            top + 10,
            top + 20,
        ))
    };
    assert_eq!(signature(&at(0)), signature(&at(50)));
}

#[test]
fn states_and_progress_are_not_movement() {
    let content = |states: &str, spinner: &str| {
        screen(&format!(
            "list #list [0,0][100,500] scrollable\n  button \"a\" [0,0][100,50] {states}\n  progress {spinner}\n"
        ))
    };
    let still = signature(&content("", "\"1 %\" [0,50][10,60]"));
    assert_eq!(
        still,
        signature(&content("selected focused", "\"99 %\" [0,50][90,60]"))
    );
    assert_ne!(
        still,
        signature(&content("invisible", "\"1 %\" [0,50][10,60]"))
    );
}

#[test]
fn empty_container_has_empty_signature() {
    let empty = signature(&screen("list #list scrollable"));
    assert!(empty.is_empty() && !signature(&list("", 0, numbered)).is_empty());
}

#[test]
fn mark_changing_rows_is_not_horizontal_movement() {
    let marked = |row: i32| {
        let tree = screen(&format!(
            "list #list [0,0][100,200] scrollable\n  listitem \"a\" [0,0][100,100]\n  listitem \"b\" [0,100][100,200]\n  icon #tick [90,{}][100,{}]\n",
            row * 100,
            row * 100 + 10,
        ));
        let list = tree.find(&Query::new().id("list")).unwrap();
        [Axis::Horizontal, Axis::Vertical].map(|axis| tree.movement_signature(list, axis))
    };
    let ([side, down], [side_then, down_then]) = (marked(0), marked(1));
    assert_eq!(side, side_then);
    assert_ne!(down, down_then);
}

#[test]
fn growing_container_has_moved() {
    let list = |top: i32| {
        screen(&format!(
            "column\n  list #list [0,{top}][100,500] scrollable\n    text \"a\" [0,{top}][100,{}]\n",
            top + 50
        ))
    };
    assert_ne!(signature(&list(201)), signature(&list(200)));
}
