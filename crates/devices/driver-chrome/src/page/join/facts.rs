//! The flags of an element, from its attributes, the snapshot and its accessibility data.

use dom::Facts;
use dom::accessible::Accessible;

/// Data of an element from the document, without accessibility.
pub(super) struct Markup<'a> {
    pub(super) tag: &'a str,
    /// Returns the value of an attribute.
    pub(super) attribute: &'a dyn Fn(&str) -> Option<&'a str>,
    /// Whether the browser reports it as clickable.
    pub(super) clickable: bool,
    /// Whether the snapshot reports it as checked or selected.
    pub(super) checked: bool,
    pub(super) chosen: bool,
    /// Whether an ancestor fieldset is disabled.
    pub(super) disabled_around: bool,
    /// Whether it is in inert content.
    pub(super) inert_around: bool,
    /// Whether it is in editable content.
    pub(super) edited_around: bool,
}

impl Markup<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        (self.attribute)(name)
    }

    /// The type of an input in lower case; `text` if missing.
    pub(super) fn input_type(&self) -> Option<String> {
        (self.tag == "input").then(|| self.get("type").unwrap_or("text").to_ascii_lowercase())
    }

    /// Whether it reacts to clicks natively.
    fn is_native_control(&self) -> bool {
        match self.tag {
            "input" | "button" | "select" | "textarea" | "option" | "optgroup" | "summary"
            | "label" | "video" | "audio" | "iframe" | "object" | "embed" => true,
            "a" | "area" => self.get("href").is_some(),
            _ => self.edited_around || self.is_editing_host(),
        }
    }

    /// Whether it is an editing host (`contenteditable`).
    pub(super) fn is_editing_host(&self) -> bool {
        self.get("contenteditable").is_some_and(makes_editable)
    }

    pub(super) fn is_disabled_control(&self) -> bool {
        let control = matches!(
            self.tag,
            "button" | "input" | "select" | "textarea" | "option" | "optgroup" | "fieldset"
        );
        control && (self.get("disabled").is_some() || self.disabled_around)
    }

    pub(super) fn is_inert(&self) -> bool {
        self.inert_around || self.get("inert").is_some()
    }
}

/// The flags that do not depend on the element's position.
pub(super) fn facts(markup: &Markup<'_>, ax: Option<&Accessible>) -> Facts {
    let mut facts = Facts::empty();
    let input = markup.input_type();
    let input = input.as_deref();
    facts.set(
        Facts::LISTENS,
        markup.clickable && !markup.is_native_control(),
    );
    facts.set(
        Facts::DISABLED,
        markup.is_disabled_control()
            || markup.is_inert()
            || markup.get("aria-disabled") == Some("true"),
    );
    facts.set(Facts::PASSWORD, input == Some("password"));
    let takes_text = match input {
        Some(kind) => !matches!(
            kind,
            "button"
                | "submit"
                | "reset"
                | "image"
                | "file"
                | "color"
                | "checkbox"
                | "radio"
                | "range"
                | "hidden"
        ),
        None => markup.tag == "textarea" || (markup.is_editing_host() && !markup.edited_around),
    };
    facts.set(Facts::EDITABLE, takes_text);
    let is_box = matches!(input, Some("checkbox" | "radio"));
    facts.set(Facts::CHECKABLE, is_box);
    facts.set(Facts::CHECKED, is_box && markup.checked);
    facts.set(Facts::SELECTED, markup.chosen);
    facts.set(
        Facts::READ_ONLY,
        takes_text && input.is_some_or_textarea(markup.tag) && markup.get("readonly").is_some(),
    );
    facts.set(
        Facts::CURRENT,
        markup
            .get("aria-current")
            .is_some_and(|value| !value.is_empty() && value != "false"),
    );
    match ax {
        None => facts |= Facts::IGNORED,
        Some(ax) => {
            if ax.facts.contains(Facts::CHECKABLE) {
                facts.remove(Facts::CHECKED);
            }
            facts |= ax.facts;
        }
    }
    if facts.contains(Facts::IGNORED) && !facts.contains(Facts::DISABLED) {
        facts.set(Facts::FOCUSABLE, is_focusable(markup));
    }
    facts
}

trait InputOrTextarea {
    fn is_some_or_textarea(&self, tag: &str) -> bool;
}

impl InputOrTextarea for Option<&str> {
    fn is_some_or_textarea(&self, tag: &str) -> bool {
        self.is_some() || tag == "textarea"
    }
}

/// Whether an ignored element can have the focus.
fn is_focusable(markup: &Markup<'_>) -> bool {
    match markup.tag {
        "button" | "select" | "textarea" | "summary" => true,
        "input" => markup.input_type().as_deref() != Some("hidden"),
        "a" | "area" => markup.get("href").is_some(),
        _ => markup.get("tabindex").is_some() || markup.is_editing_host(),
    }
}

/// Whether a value of `contenteditable` makes an element editable.
pub(super) fn makes_editable(value: &str) -> bool {
    ["", "true", "plaintext-only"]
        .iter()
        .any(|yes| value.eq_ignore_ascii_case(yes))
}

/// Whether the value of an input is visible text.
pub(super) fn shows_value(input: &str) -> bool {
    !matches!(
        input,
        "button" | "submit" | "reset" | "image" | "hidden" | "checkbox" | "radio" | "file"
    )
}
