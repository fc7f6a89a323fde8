//! A relation in a description holds for the answer, by screen geometry, or the answer is uncertain.

use inspect::{
    Request, Subject, Verdict,
    find::{self, AttributeFilter, Direction, Found, Near, Reference},
};
use uitree::UiTree;

use crate::support::page::{Page, page};

const STACKED: &str = r#"
main
  h2 "Account" [20,10,980,40]
  form
    label for="u" "User name" [20,60,120,80]
    user@input #u label="User name" [20,84,320,116]
    label for="p" "Password" [20,140,120,160]
    pass@input #p type="password" label="Password" [20,164,320,196]
    label for="c" "Country" [20,220,120,240]
    country@select #c label="Country" [20,244,320,276]
    cancel@button "Cancel" [20,300,120,332]
    ok@button "Log in" [140,300,240,332]
"#;

const SIDE_BY_SIDE: &str = r#"
main
  form
    label for="u" "User name" [20,60,120,92]
    user@input #u label="User name" [140,60,440,92]
    label for="p" "Password" [20,110,120,142]
    pass@input #p type="password" label="Password" [140,110,440,142]
    remember@input #r type="checkbox" label="Remember me" [140,160,160,180]
    label for="r" "Remember me" [170,160,300,180]
    ok@button "Log in" [140,200,240,232]
"#;

const RIGHT_TO_LEFT: &str = r#"
main
  form
    user@input #u label="User name" [540,60,840,92]
    label for="u" "User name" [860,60,960,92]
    pass@input #p type="password" label="Password" [540,110,840,142]
    label for="p" "Password" [860,110,960,142]
"#;

/// The test name of the best element, and whether it is certain.
fn first<'p>(page: &'p Page, found: &Found) -> (&'p str, bool) {
    let name = found
        .ranked
        .first()
        .map_or("nothing", |hit| page.name(hit.place));
    (name, found.verdict == Verdict::Certain)
}

/// No description is certain of another element than its own.
fn never_certain_of_another(page: &Page, cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (description, expected) in cases {
        let found = page.describe(description);
        let (name, certain) = first(page, &found);
        if certain && name != *expected {
            wrong.push(format!(
                "{description:?}: {name}, {:?}",
                found.ranked.first()
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn control_under_its_label_is_found() {
    let page = page(STACKED);
    page.prefers(&[
        ("text field under User name", "user"),
        ("field below User name", "user"),
        ("input beneath \"User name\"", "user"),
        ("text box underneath the User name label", "user"),
        ("the field after User name", "user"),
        ("text field next to User name", "user"),
        ("text field beside User name", "user"),
        ("text field labelled User name", "user"),
        ("text field for User name", "user"),
        ("field of User name", "user"),
        ("text field in User name", "user"),
        ("text field under Password", "pass"),
        ("dropdown below Country", "country"),
        ("the field below the user name field", "pass"),
    ]);
}

#[test]
fn control_beside_its_label_is_found() {
    let page = page(SIDE_BY_SIDE);
    page.prefers(&[
        ("text field right of User name", "user"),
        ("field to the right of User name", "user"),
        ("text field right to User name", "user"),
        ("text field on the right hand side of User name", "user"),
        ("text field next to User name", "user"),
        ("text field after User name", "user"),
        ("checkbox left of Remember me", "remember"),
        ("checkbox before Remember me", "remember"),
        ("checkbox in front of Remember me", "remember"),
    ]);
    never_certain_of_another(
        &page,
        &[
            ("text field left of User name", "none"),
            ("text field above User name", "none"),
            ("checkbox right of Remember me", "none"),
            ("text field under User name", "user"),
        ],
    );
}

#[test]
fn label_on_the_right_names_control_on_its_left() {
    let page = page(RIGHT_TO_LEFT);
    page.prefers(&[
        ("text field left of User name", "user"),
        ("text field next to Password", "pass"),
    ]);
    never_certain_of_another(&page, &[("text field right of User name", "none")]);
}

#[test]
fn reference_itself_is_never_certain() {
    let page = page(STACKED);
    never_certain_of_another(
        &page,
        &[
            ("button right to cancel", "ok"),
            ("button right of cancel", "ok"),
            ("button to the right side of cancel", "ok"),
            ("button left of cancel", "none"),
            ("button left to cancel", "none"),
            ("button below cancel", "none"),
            ("button over cancel", "none"),
            ("button above the log in button", "none"),
            ("icon next to Account", "none"),
        ],
    );
    page.prefers(&[
        ("button right to cancel", "ok"),
        ("button left to log in", "cancel"),
        ("button on the left of log in", "cancel"),
        ("dropdown over cancel", "country"),
        ("dropdown above cancel", "country"),
    ]);
}

#[test]
fn text_after_a_field_belongs_to_its_line() {
    let page = page(
        r#"
main
  div
    user@input [20,20,220,50]
    span "User name" [230,20,330,50]
  div
    pass@input type="password" [20,70,220,100]
    span "Password" [230,70,330,100]
  div
    basic@button "Choose" [20,150,120,180]
    h4 "Basic" [140,150,240,180]
    small@input type="radio" label="Large" [20,200,40,220]
"#,
    );
    page.prefers(&[
        ("text field left of User name", "user"),
        ("text field next to User name", "user"),
        ("choose left of Basic", "basic"),
    ]);
    never_certain_of_another(
        &page,
        &[
            ("text field right of User name", "none"),
            ("choose right of Basic", "none"),
            ("radio right of Large", "none"),
        ],
    );
}

#[test]
fn near_label_means_its_control() {
    let field = |text: &str, direction| Request {
        near: Some(Near {
            reference: Reference::Text(text.to_owned()),
            direction,
        }),
        attributes: AttributeFilter {
            role: Some("textfield".to_owned()),
            ..AttributeFilter::default()
        },
        ..Request::default()
    };
    let stacked = page(STACKED);
    for (text, direction, expected) in [
        ("User name", Some(Direction::Below), "user"),
        ("User name", None, "user"),
        ("Password", Some(Direction::Below), "pass"),
    ] {
        let found = find::find(&stacked.subject, &field(text, direction)).unwrap();
        assert_eq!(first(&stacked, &found).0, expected, "{text} {direction:?}");
    }
    let beside = page(SIDE_BY_SIDE);
    let right = find::find(&beside.subject, &field("User name", Some(Direction::Right))).unwrap();
    assert_eq!(first(&beside, &right).0, "user");
    let left = find::find(&beside.subject, &field("User name", Some(Direction::Left))).unwrap();
    assert!(left.ranked.is_empty(), "{left:?}");
}

#[test]
fn near_beats_an_exact_name_farther_away() {
    let page = page(
        r#"
main
  all@button "Delete" [880,20,980,50]
  section
    h3 "Billing" [20,100,400,130]
    billing@button "Delete card" [20,140,120,170]
  section
    h3 "Team" [20,300,400,330]
    team@button "Invite" [20,340,120,370]
"#,
    );
    let near = |description: &str, text: &str, direction| Request {
        near: Some(Near {
            reference: Reference::Text(text.to_owned()),
            direction,
        }),
        ..Request::described(description)
    };
    for (direction, text, expected) in [
        (None, "Billing", "billing"),
        (Some(Direction::Below), "Billing", "billing"),
        // A near element that does not match the description is not the answer.
        (None, "Team", "all"),
    ] {
        let found = find::find(&page.subject, &near("delete", text, direction)).unwrap();
        assert_eq!(first(&page, &found).0, expected, "{text} {direction:?}");
    }
}

#[test]
fn placeholder_identifies_unnamed_field() {
    let page = page(
        r#"
form
  city@input placeholder="City or postcode" label="City or postcode"
  other@input label="Street"
"#,
    );
    let request = Request {
        attributes: AttributeFilter {
            placeholder: Some("city*".to_owned()),
            ..AttributeFilter::default()
        },
        ..Request::default()
    };
    let found = find::find(&page.subject, &request).unwrap();
    assert_eq!(first(&page, &found), ("city", true));
}

const BLUETOOTH: &str = r#"
window application layer=1 active "Settings" owner=com.settings
  column [0,0][1080,2400] .LinearLayout
    list #com.settings:id/list [0,200][1080,2200] scrollable .RecyclerView
      listitem [0,300][1080,480] clickable .LinearLayout
        image [40,340][140,440]
        text "Bluetooth" #android:id/title [200,310][600,380]
        text "Off" #android:id/summary [200,390][600,450]
        switch #android:id/switch_widget [900,340][1040,440] clickable checkable
      listitem [0,500][1080,680] clickable .LinearLayout
        image [40,540][140,640]
        text "NFC" #android:id/title [200,510][600,580]
        switch #android:id/switch_widget [900,540][1040,640] clickable checkable
    text "First name" [40,2210][300,2250]
    textfield #com.settings:id/first [40,2260][1040,2330] clickable editable
    text "Last name" [40,2335][300,2360]
    textfield #com.settings:id/last [40,2361][1040,2399] clickable editable
"#;

#[test]
fn sides_hold_on_phones() {
    let screen = UiTree::parse_notation(BLUETOOTH).unwrap();
    let subject = Subject::from_tree(&screen);
    let ask = |description: &str| {
        let found = find::find(&subject, &Request::described(description)).unwrap();
        let bounds = found.ranked.first().and_then(|hit| {
            let id = screen.get(hit.place)?;
            screen.node(id).bounds
        });
        (bounds.map(|bounds| bounds.to_string()), found)
    };
    for wrong in [
        "icon left of Bluetooth",
        "icon left to Bluetooth",
        "switch left of Bluetooth",
        "switch above Bluetooth",
    ] {
        let (bounds, found) = ask(wrong);
        assert_ne!(found.verdict, Verdict::Certain, "{wrong}: {bounds:?}");
        let reasons = found.ranked.iter().flat_map(|hit| &hit.reasons);
        let reported: Vec<&str> = reasons.map(|reason| &*reason.words).collect();
        let sides = |words: &&str| words.starts_with("left of") || words.starts_with("above");
        assert!(!reported.iter().any(sides), "{wrong}: {reported:?}");
    }
    for (description, expected) in [
        ("switch right of Bluetooth", "[900,340][1040,440]"),
        ("switch to the right of NFC", "[900,540][1040,640]"),
        ("switch next to Bluetooth", "[900,340][1040,440]"),
        ("switch in the row of NFC", "[900,540][1040,640]"),
        ("text field under First name", "[40,2260][1040,2330]"),
        ("text field below Last name", "[40,2361][1040,2399]"),
    ] {
        let (bounds, found) = ask(description);
        assert_eq!(bounds.as_deref(), Some(expected), "{description} {found:?}");
    }
}

#[test]
fn element_under_heading_or_in_row_is_found() {
    let page = page(
        r#"
main
  section
    h2 "Billing" [20,20,980,50]
    billing@button "Edit" [880,60,960,90]
  section
    h2 "Team" [20,140,980,170]
    table
      tr
        td "Ana Diaz" [20,200,200,230]
        td
          ana@button "Edit" [800,200,900,230]
      tr
        td "Bo Lund" [20,240,200,270]
        td
          bo@button "Edit" [800,240,900,270]
"#,
    );
    page.prefers(&[
        ("edit button under Billing", "billing"),
        ("edit below the Billing heading", "billing"),
        ("edit beneath Billing", "billing"),
        ("edit button next to Ana Diaz", "ana"),
        ("edit button beside Bo Lund", "bo"),
        ("edit button for Bo Lund", "bo"),
        ("edit button of Ana Diaz", "ana"),
        ("edit in the row of Bo Lund", "bo"),
        ("edit button right of Ana Diaz", "ana"),
        ("edit button to the right of Bo Lund", "bo"),
    ]);
    never_certain_of_another(
        &page,
        &[
            ("edit button left of Ana Diaz", "none"),
            ("edit button above Billing", "none"),
        ],
    );
}
