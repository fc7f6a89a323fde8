//! Names of unnamed controls, such as icon buttons, from their attributes, icons and classes.

use crate::{Dom, Element, ElementId};

/// Attributes that name a control for scripts and tests, the most specific first.
const NAME_ATTRIBUTES: &str =
    "data-testid data-test-id data-test data-cy data-qa data-action data-command data-icon name";

/// Prefixes of the classes of icons.
const ICON_PREFIXES: &str =
    "bi- codicon- fa- feather- glyphicon- icon- lucide- mdi- octicon- ri- tabler-";

/// Words of classes that name the function of a control.
const FUNCTION_WORDS: [&str; 57] = [
    "add", "archive", "attach", "back", "bell", "bookmark", "calendar", "cancel", "cart", "clear",
    "close", "collapse", "comment", "confirm", "copy", "decrease", "delete", "dismiss", "down",
    "download", "drag", "edit", "emoji", "expand", "filter", "forward", "heart", "help",
    "increase", "info", "like", "mute", "next", "pause", "pin", "play", "plus", "prev", "previous",
    "print", "refresh", "remove", "reply", "save", "search", "send", "settings", "share", "sort",
    "star", "trash", "undo", "up", "upload", "user", "zoom", "menu",
];

/// Maximum number of elements of a control that are examined.
const MAX_ELEMENTS: usize = 8;

/// Maximum length of a name, in characters.
const MAX_LENGTH: usize = 30;

/// The name of a control in the code: that of a test or a script, of its icon, or of its style.
pub(super) fn code_name(dom: &Dom, control: ElementId) -> Option<&str> {
    let elements = || {
        dom.subtree(control)
            .take(MAX_ELEMENTS)
            .map(|id| dom.element(id))
    };
    let attribute = elements().next().and_then(named_by_attribute);
    let icon = || elements().find_map(icon);
    let function = || {
        elements()
            .next()?
            .classes()
            .find(|class| names_function(class))
    };
    let name = attribute.or_else(icon).or_else(function)?;
    Some(name).filter(|name| is_readable(name))
}

/// The name for scripts and tests.
pub(super) fn named_by_attribute(element: &Element) -> Option<&str> {
    let mut values = NAME_ATTRIBUTES
        .split(' ')
        .filter_map(|name| element.attribute(name));
    values.find(|value| is_readable(value))
}

/// The name of a drawing: the part of an icon set that it uses, or its class.
fn icon(element: &Element) -> Option<&str> {
    let icon_part = (&*element.tag == "use")
        .then(|| {
            element
                .attribute("href")
                .or_else(|| element.attribute("xlink:href"))
        })
        .flatten();
    let icon_part = icon_part
        .and_then(|address| address.rsplit_once('#'))
        .map(|(_, name)| name);
    let class = || {
        element.classes().find(|class| {
            ICON_PREFIXES
                .split(' ')
                .any(|prefix| class.starts_with(prefix))
        })
    };
    icon_part
        .or_else(|| element.attribute("data-icon"))
        .or_else(class)
}

fn names_function(class: &str) -> bool {
    class
        .split(['-', '_'])
        .any(|word| FUNCTION_WORDS.contains(&word))
}

/// Whether a name is one word of moderate length with letters.
fn is_readable(name: &str) -> bool {
    name.chars().any(char::is_alphabetic)
        && name.chars().count() <= MAX_LENGTH
        && !name.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use uitree::Rect;

    use crate::{DomBuilder, ElementSpec, Facts, Viewport};

    /// The name of a button with these attributes, and an element in it with others.
    fn name(button: &[(&str, &str)], tag: &str, inside: &[(&str, &str)]) -> Option<String> {
        let viewport = Viewport {
            width: 200,
            height: 200,
            scale: 1.0,
        };
        let attributes = |all: &[(&str, &str)]| {
            all.iter()
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect()
        };
        let mut page = DomBuilder::new(viewport, "https://a.test/", "A");
        page.open(ElementSpec {
            tag: "html".into(),
            ..ElementSpec::default()
        });
        let control = page.open(ElementSpec {
            tag: "button".into(),
            attributes: attributes(button),
            ..ElementSpec::default()
        });
        page.open(ElementSpec {
            tag: tag.into(),
            attributes: attributes(inside),
            ..ElementSpec::default()
        });
        page.close();
        page.close();
        page.close();
        super::code_name(&page.finish(), control).map(str::to_owned)
    }

    #[test]
    fn names_of_code_are_found() {
        let class = |class| [("class", class)];
        for (button, tag, inside, found) in [
            (
                vec![("data-action", "bookmarkPost"), ("class", "btn-close")],
                "svg",
                vec![],
                Some("bookmarkPost"),
            ),
            (
                vec![("data-testid", "a b"), ("name", "q")],
                "svg",
                vec![],
                Some("q"),
            ),
            (
                vec![],
                "use",
                vec![("href", "/icons.svg#trash")],
                Some("trash"),
            ),
            (
                class("btn").to_vec(),
                "i",
                class("fas fa-heart").to_vec(),
                Some("fa-heart"),
            ),
            (
                class("btn btn-close css-1x2y").to_vec(),
                "svg",
                vec![],
                Some("btn-close"),
            ),
            (
                class("btn btn-primary css-1x2y").to_vec(),
                "svg",
                class("w-4").to_vec(),
                None,
            ),
            (vec![("data-action", "3")], "svg", vec![], None),
        ] {
            assert_eq!(name(&button, tag, &inside).as_deref(), found, "{button:?}");
        }
    }

    #[test]
    fn view_says_what_the_code_calls_a_nameless_button() {
        let viewport = Viewport {
            width: 200,
            height: 200,
            scale: 1.0,
        };
        let shown = |tag: &str, attributes: &[(&str, &str)], name: &str| ElementSpec {
            tag: tag.into(),
            attributes: attributes
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect(),
            name: name.into(),
            bounds: Some(Rect::new(0, 0, 16, 16)),
            facts: Facts::VISIBLE,
            ..ElementSpec::default()
        };
        let mut page = DomBuilder::new(viewport, "https://a.test/", "A");
        page.open(shown("html", &[], ""));
        for (class, name) in [("btn-close", ""), ("btn-edit", "Rename")] {
            page.open(shown("button", &[("class", class)], name));
            page.close();
        }
        page.close();
        let view = page.finish().to_tree(&[]).tree.to_compact();
        expect_test::expect![[r#"
            application a.test "A"
            webview /
            button code="btn-close"
            button label="Rename"
        "#]]
        .assert_eq(&view);
    }
}
