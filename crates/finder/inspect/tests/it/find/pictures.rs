//! Descriptions of nameless pictures on phones by their kind and place.

use inspect::{
    Request, Subject,
    find::{self, Found},
};
use uitree::UiTree;

const GALLERY: &str = r#"
window application layer=1 active "Gallery" owner=com.gallery
  column #root [0,0][1080,2400] .LinearLayout
    toolbar [0,60][1080,200]
      icon label="Navigate up" [0,60][140,200] clickable
      title "Albums" [160,60][800,200]
    image #com.gallery:id/photo [0,300][360,660]
    image #com.gallery:id/photo [360,300][720,660]
    image #com.gallery:id/photo [720,300][1080,660]
    image #com.gallery:id/photo [0,700][360,1060]
    image #com.gallery:id/photo [360,700][720,1060]
    image #com.gallery:id/photo [720,700][1080,1060]
    icon #com.gallery:id/flag [40,1200][140,1300] clickable
    text "Iceland" [200,1200][600,1300]
    icon #com.gallery:id/menu [940,1200][1040,1300] clickable
    icon #com.gallery:id/flag2 [40,1400][140,1500] clickable
    text "Portugal" [200,1400][600,1500]
    icon #com.gallery:id/menu2 [940,1400][1040,1500] clickable
"#;

fn ask(subject: &Subject, description: &str) -> Found {
    find::find(subject, &Request::described(description)).unwrap()
}

/// The bounds of the best match.
fn first(screen: &UiTree, found: &Found) -> String {
    let place = found.ranked.first().map(|hit| hit.place);
    let node = place.and_then(|place| screen.get(place));
    let bounds = node.and_then(|id| screen.node(id).bounds);
    bounds.map_or_else(
        || "nothing".to_owned(),
        |bounds| format!("{},{}", bounds.left, bounds.top),
    )
}

#[test]
fn picture_is_found_by_kind_and_place() {
    let screen = UiTree::parse_notation(GALLERY).unwrap();
    let subject = Subject::from_tree(&screen);
    for (description, corner) in [
        ("icon left of Iceland", "40,1200"),
        (
            "the icon which is on the left hand side to Portugal",
            "40,1400",
        ),
        ("icon right to Iceland", "940,1200"),
        (
            "select the icon to the immediate right of Portugal",
            "940,1400",
        ),
        ("image above Iceland", "360,700"),
        ("the first image", "0,300"),
        ("click on the last image", "720,700"),
        ("second image in the second row", "360,700"),
        ("1st row 3rd image", "720,300"),
    ] {
        let found = ask(&subject, description);
        assert_eq!(first(&screen, &found), corner, "{description}: {found:#?}");
    }
}

#[test]
fn relation_that_does_not_hold_is_no_reason() {
    let screen = UiTree::parse_notation(GALLERY).unwrap();
    let subject = Subject::from_tree(&screen);
    for description in ["icon left of Iceland", "icon right of Portugal"] {
        let found = ask(&subject, description);
        let (side, _) = description
            .trim_start_matches("icon ")
            .split_once(" of")
            .unwrap();
        let reference = subject.candidates().iter().find(|candidate| {
            candidate.name() == description.rsplit(' ').next().unwrap_or_default()
        });
        let reference = reference.and_then(|reference| reference.bounds).unwrap();
        for hit in &found.ranked {
            let given = hit
                .reasons
                .iter()
                .any(|reason| reason.words.starts_with(side));
            let bounds = subject.at(hit.place).and_then(|hit| hit.bounds).unwrap();
            let holds = match side {
                "left" => bounds.right <= reference.left,
                _ => bounds.left >= reference.right,
            };
            assert!(!given || holds, "{description}: {hit:?}");
        }
    }
}

#[test]
fn text_before_a_field_names_it_on_a_flat_screen() {
    let mut notation = String::from(
        r#"
window application layer=1 active "Sign up" owner=com.shop
  column #root [0,0][1080,2400] .LinearLayout
    text "First name" [40,300][400,360]
    textfield #com.shop:id/a [40,370][1040,450] clickable
    text "Street" [40,600][300,680]
    textfield #com.shop:id/b [340,600][1040,680] clickable
"#,
    );
    for row in 0..16 {
        let top = 900 + 60 * row;
        notation.push_str(&format!(
            "    text \"Term {row}\" [40,{top}][400,{}]\n",
            top + 50
        ));
    }
    let screen = UiTree::parse_notation(&notation).unwrap();
    let subject = Subject::from_tree(&screen);
    for (description, corner) in [
        ("first name", "40,370"),
        ("text field under First name", "40,370"),
        ("text field right of Street", "340,600"),
        ("field for Street", "340,600"),
    ] {
        let found = ask(&subject, description);
        assert_eq!(first(&screen, &found), corner, "{description}: {found:#?}");
    }
}
