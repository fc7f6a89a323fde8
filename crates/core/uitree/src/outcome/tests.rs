//! Outcomes of pairs of screens.

use super::*;
use crate::{Drawing, NodeSpec, Rect, Size, TreeBuilder, WindowKind};

fn evidence(before: &str, after: &str) -> String {
    evidence_of_press(before, after, None)
}

/// As [`evidence`], for a press of the node with this text.
fn evidence_of_press(before: &str, after: &str, pressed: Option<&str>) -> String {
    let tree = |text: &str| {
        let window = format!("screen 100x100\nwindow application active owner=com.shop\n{text}");
        UiTree::parse_notation(&window).unwrap()
    };
    let (before, after) = (tree(before), tree(after));
    let pressed = pressed.map(|text| {
        let mut ids = before.ids();
        ids.find(|id| &*before.node(*id).text == text).unwrap()
    });
    let found = outcome(&before, &after, pressed);
    found.map_or_else(|| "nothing".to_owned(), |found| found.summary)
}

#[test]
fn pressed_element_comes_before_others() {
    let boxes = |all: &str, milk: &str| {
        format!(
            "  column [0,0][100,100]\n    checkbox \"Everything\" checkable clickable {all} [0,0][50,10]\n    checkbox \"Milk\" checkable clickable {milk} [0,10][50,20]\n"
        )
    };
    let (all, others) = (boxes("checked", "checked"), boxes("", ""));
    for (pressed, words) in [
        (None, "checkbox \"Everything\" is off"),
        (Some("Milk"), "checkbox \"Milk\" is off"),
        (Some("Everything"), "checkbox \"Everything\" is off"),
    ] {
        assert_eq!(evidence_of_press(&all, &others, pressed), words);
    }
}

#[test]
fn focused_radio_button_has_its_state() {
    let radio = |state: &str| {
        format!(
            "  column [0,0][100,100]\n    radio \"Bank\" checkable clickable {state} [0,0][50,10]\n"
        )
    };
    for (state, words) in [
        ("", "radio \"Bank\" has the focus, still off"),
        ("checked", "radio \"Bank\" has the focus, still on"),
    ] {
        let focused = format!("{state} focused");
        assert_eq!(evidence(&radio(state), &radio(&focused)), words);
    }
}

#[test]
fn nameless_switch_is_identified_by_its_row() {
    let rows = |rows: &[(&str, &str)]| {
        let rows = rows.iter().enumerate().map(|(at, (name, state))| {
                let (top, bottom) = (at * 10, at * 10 + 10);
                format!("    row [0,{top}][100,{bottom}]\n      checkbox checkable clickable {state} [0,{top}][10,{bottom}]\n      text \"{name}\" [20,{top}][90,{bottom}]\n")
            });
        format!("  column [0,0][100,100]\n{}", rows.collect::<String>())
    };
    let before = rows(&[("Zed", "checked"), ("Amy", "")]);
    let sorted = rows(&[("Amy", ""), ("Zed", "checked")]);
    let found = evidence(&before, &sorted);
    assert!(!found.contains("checkbox"), "{found}");
    let pressed = rows(&[("Zed", "checked"), ("Amy", "checked")]);
    assert_eq!(evidence(&before, &pressed), "checkbox \"Amy\" is on");
}

#[test]
fn expanded_checked_and_invalid_states_are_changes() {
    let menu = |state: &str| {
        format!("  column [0,0][100,100]\n    button \"Filters\" clickable [0,0][50,10] {state}\n")
    };
    let (closed, open) = (menu("@expanded=\"false\""), menu("@expanded=\"true\""));
    assert_eq!(evidence(&closed, &open), "button \"Filters\" is expanded");
    assert_eq!(evidence(&open, &closed), "button \"Filters\" is collapsed");
    let field = |state: &str| {
        format!(
            "  column [0,0][100,100]\n    textfield \"x\" label=\"Mail\" editable [0,0][50,10] {state}\n"
        )
    };
    let (right, wrong) = (field(""), field("@invalid=\"true\""));
    assert_eq!(evidence(&right, &wrong), "textfield \"Mail\" is invalid");
    assert_eq!(
        evidence(&wrong, &right),
        "textfield \"Mail\" is no longer invalid"
    );
}

#[test]
fn focused_field_comes_before_others() {
    let form = |nick: &str, age: &str| {
        format!(
            "  column [0,0][100,100]\n    textfield \"{nick}\" label=\"Nick\" editable [0,0][50,10]\n    textfield \"{age}\" label=\"Age\" editable focused [0,10][50,20]\n"
        )
    };
    let found = evidence(&form(" long", ""), &form("long", "7"));
    assert_eq!(found, "textfield \"Age\" holds \"7\"");
}

#[test]
fn most_noticeable_change_is_named() {
    let form = "  column [0,0][100,100]
    title \"Basket\" [0,0][100,10]
    textfield hint=\"Name\" editable #name [0,10][100,20]
    switch \"Gift\" checkable clickable #gift [0,20][100,30]
    text \"Open\" #status [0,30][100,40]
";
    assert_eq!(evidence(form, form), "nothing");
    let typed = form.replace("hint=\"Name\"", "\"Ada\" hint=\"Name\"");
    assert_eq!(evidence(form, &typed), "textfield \"Name\" holds \"Ada\"");
    let secret = typed.replace("editable", "editable password");
    assert_eq!(evidence(form, &secret), "textfield \"Name\" holds text");
    let on = form.replace("checkable", "checkable checked");
    assert_eq!(evidence(form, &on), "switch \"Gift\" is on");
    assert_eq!(evidence(&on, form), "switch \"Gift\" is off");
    let paid = form.replace("Open", "Paid");
    assert_eq!(evidence(form, &paid), "\"Open\" now \"Paid\"");
    let title = form.replace("Basket", "Order");
    assert_eq!(evidence(form, &title), "screen \"Order\"");
    let asked = format!("{form}    dialog label=\"Delete?\" [0,50][100,90]\n");
    assert_eq!(evidence(form, &asked), "dialog \"Delete?\" opened");
    assert_eq!(evidence(&asked, form), "dialog \"Delete?\" closed");
    let more = format!("{form}    button \"Undo\" clickable [0,50][100,60]\n");
    assert_eq!(evidence(form, &more), "button \"Undo\" appeared");
}

#[test]
fn words_outrank_symbols() {
    let page = "  column [0,0][100,100]\n    text \"Cards\" [0,0][100,10]\n";
    let toast = format!(
        "{page}    text \"check_circle\" [0,20][9,30]\n    button \"×\" clickable [90,20][99,30]
    text \"Category changed to Groceries\" [10,20][90,30]\n"
    );
    let words = "text \"Category changed to Groceries\" appeared (+2 changes)";
    assert_eq!(evidence(page, &toast), words);
    let headed = format!("{toast}    heading \"Offers\" [0,40][100,50]\n");
    let words = "heading \"Offers\" appeared (+3 changes)";
    assert_eq!(evidence(page, &headed), words);
}

#[test]
fn changed_switch_that_scrolled_into_view_is_reported() {
    let form = |first: &str, second: &str| {
        format!(
            "  list scrollable [0,0][100,100]\n    text \"Top\" {first}\n    switch checkable clickable #sync {second}\n"
        )
    };
    let before = form("[0,0][100,10]", "[0,180][100,200]");
    let after = |state: &str| form("[0,-90][100,-80]", &format!("{state} [0,90][100,100]"));
    assert_eq!(
        evidence(&before, &after("checked")),
        "switch \"sync\" is on"
    );
    assert_eq!(evidence(&before, &after("")), "the content moved");
}

#[test]
fn switch_is_named_by_its_label_and_radio_button_by_its_text() {
    let form = |crypto: &str, first: &str, second: &str| {
        format!(
            "  column [0,0][100,100]\n    text \"Crypto alerts\" [0,0][60,10]\n    switch checkable clickable #notif-crypto {crypto} [80,0][90,10]\n    \
                 radio \"All\" checkable clickable {first} [0,20][90,30]\n    radio \"None\" checkable clickable {second} [0,30][90,40]\n"
        )
    };
    let before = form("", "checked", "");
    assert_eq!(
        evidence(&before, &form("checked", "checked", "")),
        "switch \"Crypto alerts\" is on"
    );
    assert_eq!(
        evidence(&before, &form("", "", "checked")),
        "radio \"None\" is on"
    );
}

#[test]
fn field_that_came_into_view_holds_its_text() {
    let form = |name: &str, mail: &str| {
        format!(
            "  list scrollable [0,0][100,100]\n    textfield label=\"Name\" editable #name {name}\n    \
                 textfield {mail} label=\"Mail\" editable #mail\n"
        )
    };
    let before = form(
        "[0,80][100,100]",
        "hint=\"you@example.org\" [0,180][100,200]",
    );
    let after = form("[0,0][100,10]", "\"ada@example.org\" [0,80][100,100]");
    let words = "textfield \"Mail\" holds \"ada@example.org\"";
    assert_eq!(evidence(&before, &after), words);
}

#[test]
fn icon_change_is_reported() {
    let tree = |drawing: u32| {
        let mut builder = TreeBuilder::new(Size::new(9, 9), 0);
        builder.window(WindowKind::Application, 0, true, "");
        builder.open(NodeSpec {
            role: Some(Role::Button),
            label: "Save".into(),
            bounds: Some(Rect::new(0, 0, 9, 9)),
            state: State::VISIBLE | State::ENABLED | State::CLICKABLE,
            drawing: Drawing(drawing),
            ..NodeSpec::default()
        });
        builder.close();
        builder.finish()
    };
    let words = |before, after| Some(outcome(&tree(before), &tree(after), None)?.summary);
    let expected = "icon of button \"Save\" changed";
    assert_eq!(words(1, 2).as_deref(), Some(expected));
    assert_eq!((words(1, 1), words(0, 2)), (None, None));
}

#[test]
fn focus_of_a_button_is_incidental() {
    let tree = |control: &str| {
        let text = format!(
            "screen 9x9\nwindow application active\n  webview [0,0][9,9]\n    {control} [0,0][9,9]"
        );
        UiTree::parse_notation(&text).unwrap()
    };
    let is_incidental = |control: &str| {
        let focused = tree(&format!("{control} focused"));
        outcome(&tree(control), &focused, None)
            .unwrap()
            .is_incidental
    };
    assert!(is_incidental("button \"Save\" clickable"));
    assert!(!is_incidental("textfield \"Name\" editable"));
}

#[test]
fn changes_out_of_view_are_counted() {
    let page = |top: i32, far: &str, focus: &str| {
        let (end, text) = (top + 10, top + 20);
        format!(
            "  webview [0,0][100,100]\n    button \"Save\" clickable {focus} [0,0][100,10]\n    text \"Far\" [0,{top}][100,{end}]\n    text \"{far}\" [0,{end}][100,{text}]\n"
        )
    };
    let before = page(300, "ok", "");
    assert_eq!(
        evidence(&before, &page(300, "wrong", "focused")),
        "1 change below"
    );
    assert_eq!(evidence(&before, &page(300, "wrong", "")), "1 change below");
    let above = page(-300, "ok", "");
    assert_eq!(evidence(&above, &page(-300, "wrong", "")), "1 change above");
    let focused = "button \"Save\" has the focus";
    assert_eq!(evidence(&before, &page(300, "ok", "focused")), focused);
}

#[test]
fn content_that_scrolled_into_view_is_not_new() {
    let page = |from: i32, news: &str| {
        let (heading, row) = (from + 10, from + 20);
        format!(
            "  webview [0,0][100,100]\n    heading \"Keys\" [0,{from}][100,{heading}]\n    text \"First\" [0,{heading}][100,{row}]\n{news}"
        )
    };
    assert_eq!(evidence(&page(120, ""), &page(40, "")), "the content moved");
    assert_eq!(evidence(&page(40, ""), &page(120, "")), "the content moved");
    let news = "    heading \"Create key\" [0,60][100,70]\n";
    assert_eq!(
        evidence(&page(120, ""), &page(40, news)),
        "heading \"Create key\" appeared"
    );
}

#[test]
fn change_that_scrolls_is_reported_for_its_own_element() {
    let page = |from: i32, likes: [&str; 3]| {
        let rows = likes.iter().enumerate().map(|(at, likes)| {
                let top = from + 60 * i32::try_from(at).unwrap();
                let (end, button) = (top + 10, top + 20);
                format!(
                    "    text \"Post {at}\" [0,{top}][100,{end}]\n    button \"{likes}\" clickable [0,{end}][100,{button}]\n"
                )
            });
        let rows: String = rows.collect();
        format!("  webview [0,0][100,100]\n{rows}")
    };
    let before = page(0, ["7", "534", "412"]);
    let expected = "\"412\" now \"413\"";
    assert_eq!(evidence(&before, &page(-90, ["7", "534", "413"])), expected);
    // The element scrolled out of view while its text changed.
    let expected = "\"7\" now \"8\"";
    assert_eq!(evidence(&before, &page(-90, ["8", "534", "412"])), expected);
}

#[test]
fn text_of_another_element_does_not_appear() {
    let before = "  column [0,0][100,100]\n    text \"Hover me\" [0,0][100,10]\n";
    let after = "  column [0,0][100,100]\n    card [0,0][100,30]\n      label \"Hover me\" [0,0][100,10]\n      button \"Tip\" clickable [0,10][100,30]\n";
    assert_eq!(evidence(before, after), "button \"Tip\" appeared");
}

#[test]
fn rows_that_scrolled_are_not_renamed() {
    let page = |first: i32, status: &str| {
        let rows = (0..60).map(|row| {
                let top = (row - first) * 20;
                let bottom = top + 20;
                format!("    text \"Row {row}\" [0,{top}][50,{bottom}]\n    button \"Delete\" clickable [50,{top}][100,{bottom}]\n")
            });
        let rows: String = rows.collect();
        format!("  webview [0,0][100,100]\n    text \"{status}\" [0,0][100,10]\n{rows}")
    };
    let found = evidence(&page(0, "none"), &page(50, "deleted 51"));
    assert_eq!(found, "\"none\" now \"deleted 51\"");
}

#[test]
fn dialog_is_not_named_by_the_title_of_its_page() {
    let page = "screen 9x9\nwindow application active \"Shop\"\n  webview [0,0][9,9]\n";
    let dialog = format!("{page}    dialog [0,0][9,9]\n      text \"Leave?\" [0,0][9,9]\n");
    let [before, after] = [page, &dialog].map(|text| UiTree::parse_notation(text).unwrap());
    let found = outcome(&before, &after, None).unwrap();
    assert_eq!(found.summary, "dialog \"Leave?\" opened");
}

#[test]
fn new_page_outranks_a_closed_dialog() {
    let dialog =
        "  webview @path=\"/tasks\" [0,0][100,100]\n    dialog label=\"New task\" [0,0][100,50]\n";
    let rows = "  webview @path=\"/rows\" [0,0][100,100]\n    text \"Rows\" [0,0][100,50]\n";
    assert_eq!(evidence(dialog, rows), "page /rows");
}

#[test]
fn new_app_is_named() {
    let tree = |owner: &str| {
        let text = format!("window application active owner={owner}\n  text \"x\" [0,0][9,9]");
        UiTree::parse_notation(&text).unwrap()
    };
    let found = outcome(&tree("com.shop"), &tree("com.bank"), None);
    assert_eq!(found, Some(Outcome::of("app com.bank".to_owned())));
}

#[test]
fn changed_label_is_a_change() {
    let form = |star: &str| {
        format!(
            "  column [0,0][100,100]\n    button {star} clickable [0,0][10,10]\n    text \"Order\" [20,0][90,10]\n"
        )
    };
    let [add, remove] = ["label=\"Add star\"", "label=\"Remove star\""].map(form);
    assert_eq!(evidence(&add, &remove), "\"Add star\" now \"Remove star\"");
    // Beside an unchanged text.
    let [off, on] = ["\"Water\" label=\"Not done\"", "\"Water\" label=\"Done\""].map(form);
    assert_eq!(evidence(&off, &on), "\"Not done\" now \"Done\"");
    let named = evidence(&form("#star"), &form("#star label=\"Starred\""));
    assert_eq!(named, "button now \"Starred\"");
    // Long names with a common start.
    let long = |end: &str| {
        form(&format!(
            "label=\"{} {end}\"",
            "Water the plants ".repeat(3)
        ))
    };
    let words = "\"…plants  no\" now \"…plants  yes\"";
    assert_eq!(evidence(&long("no"), &long("yes")), words);
    // Two rows that changed places.
    let rows = |names: [&str; 2]| {
        let [first, second] = names.map(|name| format!("label=\"{name}\""));
        format!(
            "  column [0,0][100,100]\n    button {first} clickable [0,0][9,9]\n    button {second} clickable [0,10][9,19]\n"
        )
    };
    let [before, sorted] = [rows(["Ada", "Bob"]), rows(["Bob", "Ada"])];
    let words = "the order of the elements changed";
    assert_eq!(evidence(&before, &sorted), words);
}

#[test]
fn changed_text_or_ability_of_an_element_is_a_change() {
    let slider = |said: &str| {
        format!(
            "  column [0,0][100,100]\n    slider label=\"Volume\" #volume {said} [0,0][100,10]\n"
        )
    };
    let field = |said: &str| {
        format!("  column [0,0][100,100]\n    textfield label=\"Key\" #key {said} [0,0][100,10]\n")
    };
    let [half, full] =
        ["50 percent", "full"].map(|state| slider(&format!("@state-description=\"{state}\"")));
    assert_eq!(evidence(&half, &full), "\"50 percent\" now \"full\"");
    assert_eq!(evidence(&half, &slider("")), "\"50 percent\" gone");
    for (before, after, words) in [
        (
            "editable",
            "editable @error=\"Too short\"",
            "textfield now \"Too short\"",
        ),
        (
            "editable hint=\"Mail\"",
            "editable hint=\"Phone\"",
            "\"Mail\" now \"Phone\"",
        ),
        (
            "editable password \"a\"",
            "editable \"a\"",
            "textfield \"Key\" shows its text",
        ),
        ("selected", "", "textfield \"Key\" is no longer selected"),
        ("", "clickable", "textfield \"Key\": now clickable"),
    ] {
        assert_eq!(evidence(&field(before), &field(after)), words);
    }
    let text =
        |text: &str| format!("  column [0,0][100,100]\n    text {text} #status [0,0][9,9]\n");
    let tabs = |first: &str, second: &str| {
        format!(
            "  column [0,0][100,100]\n    tab \"Mail\" {first} [0,0][9,9]\n    tab \"Notes\" {second} [10,0][19,9]\n"
        )
    };
    let chosen = evidence(&tabs("selected", ""), &tabs("", "selected"));
    assert_eq!(chosen, "tab \"Notes\" is selected");
    let gone = evidence(&text("\"Saved\""), &text(""));
    assert_eq!(gone, "text \"Saved\" gone");
    let icon = "  column [0,0][100,100]\n";
    let spinner = format!("{icon}    progress #busy [0,0][9,9]\n");
    assert_eq!(evidence(icon, &spinner), "progress \"busy\" appeared");
}

#[test]
fn unchanged_field_that_scrolled_into_view_is_no_change() {
    let form = |first: &str, second: &str, error: &str| {
        format!(
            "  list scrollable [0,0][100,100]\n    textfield label=\"Mail\" \"ada\" editable {first}\n    button \"Create\" clickable {second}\n{error}"
        )
    };
    let before = form("invisible [0,-90][100,-80]", "[0,80][100,90]", "");
    let error = "    text \"No address\" [0,20][100,30]\n";
    let after = form("[0,10][100,20]", "[0,180][100,190]", error);
    let words = "text \"No address\" appeared";
    assert_eq!(evidence(&before, &after), words);
    let after = form("[0,10][100,20]", "[0,180][100,190]", "");
    assert_eq!(evidence(&before, &after), "the content moved");
}

#[test]
fn keyboard_is_one_change_without_its_keys() {
    let screen = |content: &str, keys: &[&str]| {
        let keys: String = keys
            .iter()
            .zip(0..)
            .map(|(key, at)| {
                let (left, right) = (at * 10, at * 10 + 10);
                format!("    button \"{key}\" clickable [{left},60][{right},100]\n")
            })
            .collect();
        let keyboard = match keys.is_empty() {
            true => String::new(),
            false => format!("window input-method owner=keys\n  column [0,60][100,100]\n{keys}"),
        };
        let text = format!(
            "screen 100x100\nwindow application active owner=com.shop\n  list scrollable [0,0][100,100]\n{content}{keyboard}"
        );
        UiTree::parse_notation(&text).unwrap()
    };
    let words =
        |before: &UiTree, after: &UiTree| outcome(before, after, None).map(|found| found.summary);
    let [top, bottom] = [
        "    text \"Top\" [0,0][100,10]\n",
        "    text \"Row\" [0,70][100,80]\n",
    ];
    let rows = format!("{top}{bottom}");
    let (open, closed) = (screen(top, &["q", "w"]), screen(&rows, &[]));
    assert_eq!(words(&open, &closed).as_deref(), Some("keyboard closed"));
    assert_eq!(words(&closed, &open).as_deref(), Some("keyboard opened"));
    let found = format!("{top}    text \"Found\" [0,20][100,30]\n");
    let found = words(&open, &screen(&found, &[]));
    assert_eq!(
        found.as_deref(),
        Some("text \"Found\" appeared (+1 change)")
    );
    let symbols = words(&open, &screen(top, &["1", "2"]));
    assert_eq!(symbols.as_deref(), Some("keyboard changed"));
}

#[test]
fn reordered_rows_are_a_change() {
    let lists = |rows: &[(&str, i32)], top: i32| {
        let rows = rows.iter().map(|(row, place)| {
            let (top, bottom) = (top + place * 10, top + place * 10 + 9);
            format!("    text \"{row}\" [0,{top}][50,{bottom}]\n")
        });
        let rows: String = rows.collect();
        format!(
            "  column [0,0][100,100]\n{rows}    button \"Move\" clickable FOCUS [0,90][50,99]\n"
        )
    };
    let before = lists(
        &[
            ("Todo", 0),
            ("Bread", 1),
            ("Milk", 2),
            ("Done", 3),
            ("Eggs", 4),
        ],
        0,
    );
    let moved = [
        ("Todo", 0),
        ("Milk", 1),
        ("Done", 2),
        ("Eggs", 3),
        ("Bread", 4),
    ];
    let before = before.replace("FOCUS", "");
    for (top, focus) in [(0, ""), (0, "focused"), (20, "")] {
        let after = lists(&moved, top).replace("FOCUS", focus);
        let words = "the order of the elements changed";
        assert_eq!(evidence(&before, &after), words);
    }
    // A recycling list.
    let same = [
        ("Todo", 0),
        ("Milk", 2),
        ("Done", 3),
        ("Eggs", 4),
        ("Bread", 1),
    ];
    let after = lists(&same, 0).replace("FOCUS", "focused");
    assert_eq!(evidence(&before, &after), "button \"Move\" has the focus");
}

#[test]
fn code_name_change_is_reported() {
    let page = |name: &str| {
        format!("  webview [0,0][100,100]\n    button @code-name=\"{name}\" clickable [0,0][9,9]\n")
    };
    let words = "button code=\"saveJob\" now code=\"unsaveJob\"";
    assert_eq!(evidence(&page("saveJob"), &page("unsaveJob")), words);
}

#[test]
fn expanded_row_is_reported() {
    let rows = |state: &str, details: &str| {
        format!(
            "  column [0,0][100,100]
    row clickable @expanded=\"{state}\" [0,0][100,10]
      text \"INV-1\" [0,0][50,10]
{details}    row clickable @expanded=\"false\" [0,40][100,50]
      text \"INV-2\" [0,40][50,50]
"
        )
    };
    let closed = rows("false", "");
    let open = rows("true", "    text \"Details\" [0,10][50,20]\n");
    assert_eq!(
        evidence(&closed, &open),
        "row \"INV-1\" is expanded (+1 change)"
    );
    assert_eq!(
        evidence(&open, &closed),
        "row \"INV-1\" is collapsed (+1 change)"
    );
}

#[test]
fn badge_without_text_is_a_change() {
    let cart = |mark: &str| {
        format!("  column [0,0][100,100]\n    button \"Cart\" clickable {mark} [0,0][50,10]\n")
    };
    let (empty, full) = (cart(""), cart("@badge=\"true\""));
    assert_eq!(evidence(&empty, &full), "button \"Cart\" is marked");
    assert_eq!(
        evidence(&full, &empty),
        "button \"Cart\" is no longer marked"
    );
}

#[test]
fn element_that_becomes_visible_appears() {
    let mail =
        |name: &str| format!("  column [0,0][100,100]\n    button {name} clickable [0,0][50,10]\n");
    let (hidden, shown) = (mail("label=\"Delete\""), mail("\"Delete\""));
    assert_eq!(evidence(&hidden, &shown), "button \"Delete\" appeared");
    assert_eq!(evidence(&shown, &hidden), "button \"Delete\" gone");
}

#[test]
fn message_outranks_field_that_the_page_clears() {
    let form = |text: &str, says: &str| {
        format!(
            "  column [0,0][100,100]\n    textfield \"{text}\" label=\"Password\" editable password [0,0][50,10]\n    button \"Sign in\" clickable [0,10][50,20]\n{says}"
        )
    };
    let filled = form("•••", "");
    let refused = form("", "    text \"Wrong password\" [0,20][50,30]\n");
    assert_eq!(
        evidence_of_press(&filled, &refused, Some("Sign in")),
        "text \"Wrong password\" appeared (+1 change)"
    );
    assert_eq!(
        evidence(&filled, &form("", "")),
        "textfield \"Password\" is empty"
    );
}

#[test]
fn field_with_a_refused_value_is_invalid() {
    let field = |text: &str, state: &str| {
        format!(
            "  column [0,0][100,100]\n    textfield \"{text}\" label=\"Count\" editable [0,0][50,10] {state}\n"
        )
    };
    assert_eq!(
        evidence(&field("5", ""), &field("50", "@invalid=\"true\"")),
        "textfield \"Count\" holds \"50\", invalid"
    );
}

#[test]
fn dialog_is_not_named_by_the_value_of_its_field() {
    let palette = |text: &str, state: &str| {
        format!(
            "  column [0,0][100,100]\n    dialog [0,0][90,90]\n      textfield \"{text}\" hint=\"Type a command\" editable {state} [0,0][50,10]\n"
        )
    };
    let (empty, filled) = (
        palette("Type a command", "showing-hint"),
        palette("book", ""),
    );
    assert_eq!(
        evidence(&empty, &filled),
        "textfield \"Type a command\" holds \"book\""
    );
}

#[test]
fn new_content_outranks_disabled_button() {
    let page = |state: &str, row: &str| {
        format!(
            "  column [0,0][100,100]\n    button \"›\" clickable {state} [0,0][10,10]\n    text \"{row}\" [0,20][90,30]\n    text \"of {row}\" [0,30][90,40]\n"
        )
    };
    let (first, last) = (page("", "Ann Lee"), page("disabled", "Zoe Hart"));
    let words = evidence_of_press(&first, &last, Some("›"));
    assert!(!words.contains("disabled"), "{words}");
    // Nothing else has changed.
    let same = evidence_of_press(&first, &page("disabled", "Ann Lee"), Some("›"));
    assert_eq!(same, "button \"›\" is disabled");
}

#[test]
fn new_heading_outranks_text_change() {
    let page = |time: &str, panel: &str| {
        format!(
            "  column [0,0][100,100]\n    button \"Open\" clickable [0,0][10,10]\n    text \"Saved {time}\" [0,20][90,30]\n{panel}"
        )
    };
    let panel = "    heading \"Settings\" [0,30][90,40]\n    text \"Theme\" [0,40][90,50]\n";
    let words = evidence_of_press(&page("now", ""), &page("a minute ago", panel), Some("Open"));
    assert_eq!(words, "heading \"Settings\" appeared (+2 changes)");
}

#[test]
fn other_texts_outrank_initials() {
    let page = |initials: &str, range: &str| {
        format!(
            "  column [0,0][100,100]\n    text \"{initials}\" [0,0][10,10]\n    text \"{range}\" [0,20][90,30]\n"
        )
    };
    assert_eq!(
        evidence(&page("ER", "1-25 of 34"), &page("SL", "26-34 of 34")),
        "\"1-25 of 34\" now \"26-34 of 34\" (+1 change)"
    );
}

#[test]
fn collapsed_title_is_no_other_screen() {
    let row = "  button \"Search\" clickable [0,50][90,60]\n";
    let top = format!("  text \"Settings\" [0,0][90,20]\n{row}");
    let scrolled = format!("  title \"Settings\" [0,0][90,10]\n{row}");
    assert_eq!(evidence(&scrolled, &top), "nothing");
    assert!(!evidence(&top, &scrolled).contains("screen"));
    let other = format!("  title \"Backup\" [0,0][90,10]\n{row}");
    assert_eq!(evidence(&top, &other), "screen \"Backup\"");
    let rows =
        format!("{top}  listitem clickable [0,60][90,80]\n    text \"Backup\" [0,60][90,80]\n");
    assert_eq!(evidence(&rows, &other), "screen \"Backup\"");
    let selected = format!("  title \"1\" label=\"1 selected\" [0,0][90,10]\n{row}");
    assert_eq!(evidence(&scrolled, &selected), "screen \"1 selected\"");
}
