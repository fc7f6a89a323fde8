//! Rules of the mouse, of keys of a keyboard, and of lists.

use expect_test::expect;
use serde_json::json;

use crate::support::check;

#[test]
fn chords_are_spelled_alike() {
    check(
        "press_key",
        json!({ "key": "Shift+Control+Z" }),
        expect![[r#"
            press_key {"key":"ctrl+shift+z"}
        "#]],
    );
    check(
        "press_key",
        json!({ "key": "ArrowUp" }),
        expect![[r#"
        press_key {"key":"up"}
    "#]],
    );
    check(
        "press_key",
        json!({ "key": "ctlr+a" }),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.key has the unknown modifier `ctlr`; the modifiers are ctrl, alt, shift, meta
          path: "actions.0.params.key"
          hint: "did you mean `ctrl+a`?"
    "#]],
    );
    check(
        "press_key",
        json!({ "key": "ctrl+home" }),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.key has the key of the home screen after a modifier; move_home is the key of a keyboard
          path: "actions.0.params.key"
          hint: "did you mean `ctrl+move_home`?"
    "#]],
    );
    check(
        "press_key",
        json!({ "key": "ctrl+delete" }),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.key must name the key `backspace`, before the cursor, or `forward_delete`, after it, not `delete`
          path: "actions.0.params.key"
    "#]],
    );
    check(
        "press_key",
        json!({ "key": "é" }),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.key has no key for `é`; enter_text types any character
          path: "actions.0.params.key"
    "#]],
    );
    check(
        "press_key",
        json!({ "key": "pagedwn" }),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.key must be one of back, home, recents, enter, delete, tab, escape, volume_up, volume_down, power, menu, search, or a key of a keyboard such as page_down, f5, a or ctrl+a, not `pagedwn`
          path: "actions.0.params.key"
          hint: "did you mean `page_down`?"
    "#]],
    );
}

#[test]
fn focused_field_needs_no_matcher() {
    check(
        "enter_text",
        json!({ "focused": true, "text": "a" }),
        expect![[r#"
            enter_text {"focused":true,"text":"a"}
        "#]],
    );
    check(
        "enter_text",
        json!({ "text": "a" }),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required
          path: "actions.0.params.matcher"
    "#]],
    );
    check(
        "enter_text",
        json!({ "focused": false, "text": "a" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.focused must be true, or `matcher` must name the field
              path: "actions.0.params.focused"
        "#]],
    );
    check(
        "enter_text",
        json!({ "focused": false, "matcher": { "role": "x" }, "text": "a" }),
        expect![[r#"
            enter_text {"matcher":{"role":"x"},"text":"a"}
        "#]],
    );
    check(
        "enter_text",
        json!({ "focused": true, "matcher": { "role": "x" }, "text": "a" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params must not have both `matcher` and `focused`
              path: "actions.0.params"
        "#]],
    );
    check(
        "enter_text",
        json!({ "focused": true, "container": { "role": "x" }, "text": "a" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.container must not be given with `focused`
              path: "actions.0.params.container"
        "#]],
    );
}

#[test]
fn click_kinds() {
    check(
        "click",
        json!({ "matcher": { "role": "x" }, "clickType": "DoubleClick" }),
        expect![[r#"
            click {"matcher":{"role":"x"},"clickType":"double_click"}
        "#]],
    );
    check(
        "click",
        json!({ "coordinate": { "x": 1, "y": 2 }, "clickType": "right_click" }),
        expect![[r#"
            click {"coordinate":{"x":1,"y":2},"clickType":"right_click"}
        "#]],
    );
}

#[test]
fn hover() {
    check(
        "hover",
        json!({ "matcher": { "role": "x" }, "container": { "role": "y" } }),
        expect![[r#"
            hover {"matcher":{"role":"x"},"container":{"role":"y"}}
        "#]],
    );
    check(
        "hover",
        json!({ "coordinate": { "x": 1, "y": 2 }, "container": { "role": "y" } }),
        expect![[r#"
            hover {"coordinate":{"x":1,"y":2},"container":{"role":"y"}}
            PARAM_NOT_USED at actions.0.params.container: actions.0.params.container has no effect on a point
        "#]],
    );
    check(
        "hover",
        json!({}),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params must have either `matcher` or `coordinate`
          path: "actions.0.params"
    "#]],
    );
    check(
        "hover",
        json!({ "matcher": { "role": "x" }, "coordinate": { "x": 1, "y": 2 } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params must not have both `matcher` and `coordinate`
              path: "actions.0.params"
        "#]],
    );
    check(
        "hover",
        json!({ "x": 1, "y": 2 }),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown keys `x`, `y`
          path: "actions.0.params"
          invalidKeys: ["x","y"]
          hint: "`x` belongs inside `coordinate`; `y` belongs inside `coordinate`"
        and at actions.0.params: must have either `matcher` or `coordinate`
    "#]],
    );
}

#[test]
fn drag() {
    check(
        "drag",
        json!({ "from": { "matcher": { "role": "x" } }, "to": { "coordinate": { "x": 1, "y": 2 } }, "durationMs": 800 }),
        expect![[r#"
            drag {"from":{"matcher":{"role":"x"}},"to":{"coordinate":{"x":1,"y":2}},"durationMs":800}
        "#]],
    );
    check(
        "drag",
        json!({}),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.from is required
          path: "actions.0.params.from"
        and at actions.0.params.to: is required
    "#]],
    );
    check(
        "drag",
        json!({ "from": {}, "to": { "matcher": { "role": "x" }, "coordinate": { "x": 1, "y": 2 } } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.from must have either `matcher` or `coordinate`
              path: "actions.0.params.from"
            and at actions.0.params.to: must not have both `matcher` and `coordinate`
        "#]],
    );
    check(
        "drag",
        json!({ "from": { "selector": { "role": "x" } }, "to": { "role": "x" }, "durationMs": 60000 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.to has the unknown key `role`
              path: "actions.0.params.to"
              invalidKeys: ["role"]
            and at actions.0.params.durationMs: must be between 0 and 30000, not 60000
        "#]],
    );
    check(
        "drag",
        json!({ "source": { "matcher": { "role": "x" } }, "to": 5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.to must be an object, not a number
              path: "actions.0.params.to"
            and at actions.0.params: has the unknown key `source`; `source` is called `from` here
            and at actions.0.params.from: is required
        "#]],
    );
}

#[test]
fn select_options() {
    check(
        "select_options",
        json!({ "matcher": { "role": "x" }, "options": ["a", "b"] }),
        expect![[r#"
            select_options {"matcher":{"role":"x"},"options":["a","b"]}
        "#]],
    );
    check(
        "select_options",
        json!({ "matcher": { "role": "x" } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.options is required
              path: "actions.0.params.options"
        "#]],
    );
    check(
        "select_options",
        json!({ "matcher": { "role": "x" }, "options": [] }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.options must have 1 to 50 entries, not 0
              path: "actions.0.params.options"
        "#]],
    );
    check(
        "select_options",
        json!({ "matcher": { "role": "x" }, "options": "a" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.options must be an array, not a string
              path: "actions.0.params.options"
        "#]],
    );
    check(
        "select_options",
        json!({ "matcher": { "role": "x" }, "options": ["a", " ", 5] }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.options.2 must be a string, not a number
              path: "actions.0.params.options.2"
        "#]],
    );
    check(
        "select_options",
        json!({ "matcher": { "role": "x" }, "options": ["a", "a"] }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.options.1 is given twice
              path: "actions.0.params.options.1"
        "#]],
    );
    check(
        "select_options",
        json!({ "matcher": { "role": "x" }, "values": ["a"] }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown key `values`
              path: "actions.0.params"
              invalidKeys: ["values"]
              hint: "`values` is called `options` here"
            and at actions.0.params.options: is required
        "#]],
    );
}

#[test]
fn upload() {
    check(
        "upload",
        json!({ "matcher": { "css": "input" }, "files": ["a.txt", "/b c.txt"] }),
        expect![[r#"
            upload {"matcher":{"css":"input"},"files":["a.txt","/b c.txt"]}
        "#]],
    );
    check(
        "upload",
        json!({ "matcher": { "css": "input" }, "paths": ["a.txt"] }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown key `paths`
              path: "actions.0.params"
              invalidKeys: ["paths"]
              hint: "`paths` is called `files` here"
            and at actions.0.params.files: is required
        "#]],
    );
}
