//! The states of elements (disabled, checked, selected, expanded, required, invalid, read-only), and the
//! values of ranges.

use super::document::Marks;
use super::hidden::{boolean, is_disabled_control, is_editing_host, is_menu_list, is_true};
use super::{Computation, Role};
use crate::Facts;

impl Computation<'_> {
    /// Whether the element is disabled.
    pub(super) fn is_disabled(&self, node: usize) -> bool {
        is_disabled_control(self.document, node)
            || is_true(self.document.attribute(node, "aria-disabled"))
            || (self.hidden(node).disabled_around && self.is_focusable(node))
    }

    /// The facts of an ignored element: it may be inert.
    pub(super) fn ignored_facts(&self, node: usize) -> Facts {
        let mut facts = Facts::IGNORED;
        facts.set(Facts::DISABLED, self.hidden(node).inert);
        facts
    }

    /// The facts of an element.
    pub(super) fn facts(&self, node: usize) -> Facts {
        let document = self.document;
        let role = self.role(node);
        let mut facts = Facts::empty();
        facts.set(Facts::FOCUSABLE, self.is_focusable(node));
        facts.set(Facts::FOCUSED, document.is(node, Marks::FOCUSED));
        let disabled = document.tag(node) != "optgroup" && self.is_disabled(node);
        facts.set(Facts::DISABLED, disabled);
        facts.set(Facts::READ_ONLY, !disabled && self.is_read_only(node));
        facts.set(Facts::REQUIRED, self.is_required(node));
        facts.set(Facts::INVALID, self.is_invalid(node));
        if let Some(checked) = self.checked(node, role) {
            facts |= Facts::CHECKABLE;
            facts.set(Facts::CHECKED, checked);
            facts.set(Facts::MIXED, self.is_mixed(node));
        }
        facts.set(Facts::SELECTED, self.is_chosen(node));
        if let Some(open) = self.is_open(node) {
            facts.set(Facts::EXPANDED, open);
            facts.set(Facts::COLLAPSED, !open);
        }
        facts
    }

    fn is_read_only(&self, node: usize) -> bool {
        let document = self.document;
        let may_be_read_only = matches!(
            self.role(node),
            Role::Grid
                | Role::Cell
                | Role::GridCell
                | Role::TextField
                | Role::ColumnHeader
                | Role::RowHeader
                | Role::TreeGrid
        );
        if !may_be_read_only {
            return false;
        }
        if self.is_atomic_text_field(node) && document.has(node, "readonly") {
            return true;
        }
        let supports = matches!(
            self.role(node),
            Role::Grid | Role::TreeGrid | Role::TextField | Role::GridCell
        );
        supports
            && !is_editing_host(document, node)
            && is_true(document.attribute(node, "aria-readonly"))
    }

    fn is_required(&self, node: usize) -> bool {
        let document = self.document;
        let role = self.role(node);
        let may_be_required = matches!(
            role,
            Role::ComboGroup
                | Role::ComboButton
                | Role::Cell
                | Role::ListBox
                | Role::SpinButton
                | Role::TextField
                | Role::TextFieldCombo
                | Role::Tree
                | Role::ColumnHeader
                | Role::RowHeader
                | Role::TreeGrid
                | Role::Plain("radiogroup")
        );
        let control = matches!(document.tag(node), "input" | "select" | "textarea");
        may_be_required
            && (control && document.has(node, "required")
                || is_true(document.attribute(node, "aria-required")))
    }

    fn is_invalid(&self, node: usize) -> bool {
        let document = self.document;
        match document.attribute(node, "aria-invalid") {
            Some(value) if value.eq_ignore_ascii_case("false") => return false,
            Some(value)
                if value.eq_ignore_ascii_case("spelling")
                    || value.eq_ignore_ascii_case("grammar") =>
            {
                return self.role(node) == Role::TextField;
            }
            Some(value) if !value.is_empty() => return true,
            Some(_) | None => {}
        }
        document.is(node, Marks::INVALID)
    }

    /// Whether some of what an element stands for is checked.
    fn is_mixed(&self, node: usize) -> bool {
        let document = self.document;
        let attributes =
            ["aria-checked", "aria-pressed"].map(|name| document.attribute(node, name));
        let mut values = attributes.into_iter().flatten();
        document.is(node, Marks::MIXED) || values.any(|value| value.eq_ignore_ascii_case("mixed"))
    }

    /// Whether the element is checked; `None` if it cannot be.
    fn checked(&self, node: usize, role: Role) -> Option<bool> {
        let document = self.document;
        let checkable = match role {
            Role::CheckBox
            | Role::MenuItemCheck
            | Role::MenuItemRadio
            | Role::Radio
            | Role::Switch
            | Role::ToggleButton => true,
            Role::TreeItem | Role::Option | Role::MenuOption => document.has(node, "aria-checked"),
            _ => false,
        };
        if !checkable {
            return None;
        }
        if document.tag(node) == "input"
            && matches!(document.input_type(node), "checkbox" | "radio")
        {
            return Some(document.is(node, Marks::CHECKED) && !document.is(node, Marks::MIXED));
        }
        let attribute = if role == Role::ToggleButton {
            "aria-pressed"
        } else {
            "aria-checked"
        };
        let value = document.attribute(node, attribute);
        Some(
            boolean(value) == Some(true)
                && !value.is_some_and(|value| value.eq_ignore_ascii_case("mixed")),
        )
    }

    /// Whether the element is selected among its siblings.
    pub(super) fn is_chosen(&self, node: usize) -> bool {
        let document = self.document;
        let sub = match self.role(node) {
            Role::GridCell | Role::Option | Role::MenuOption | Role::Tab | Role::TreeItem => true,
            Role::Cell | Role::ColumnHeader | Role::RowHeader | Role::Row => {
                let mut around = self.exposed_ancestors(node).map(|at| self.role(at));
                let table = around.find(|role| role.is_table());
                matches!(table, Some(Role::Grid | Role::TreeGrid))
            }
            _ => false,
        };
        if !sub {
            return false;
        }
        if let Some(chosen) = boolean(document.attribute(node, "aria-selected")) {
            return chosen;
        }
        if document.tag(node) == "option" {
            return document.is(node, Marks::SELECTED) && !self.is_disabled(node);
        }
        // In single-selection containers the focused item is selected.
        matches!(self.role(node), Role::Option | Role::Tab | Role::TreeItem)
            && document.is(node, Marks::FOCUSED)
    }

    /// Whether the element is expanded; `None` if it cannot be.
    fn is_open(&self, node: usize) -> Option<bool> {
        let document = self.document;
        if !self.role(node).can_open() {
            return None;
        }
        if self.role(node) == Role::ComboSelect && is_menu_list(document, node) {
            return Some(document.is(node, Marks::OPEN));
        }
        for attribute in ["commandfor", "popovertarget"] {
            let target = document
                .attribute(node, attribute)
                .and_then(|id| document.by_id(node, id))
                .filter(|target| document.has(*target, "popover"));
            let command = document.attribute(node, "command").unwrap_or_default();
            let applies = attribute == "popovertarget" || command.ends_with("-popover");
            if let Some(target) = target.filter(|_| applies)
                && !super::hidden::contains(document, target, node)
            {
                return Some(document.drawn(target).is_some());
            }
        }
        if document.tag(node) == "summary"
            && let Some(details) = document
                .parent(node)
                .filter(|parent| document.tag(*parent) == "details")
        {
            return Some(document.has(details, "open"));
        }
        boolean(document.attribute(node, "aria-expanded"))
    }

    /// The value of a range as a number.
    pub(super) fn range_value(&self, node: usize) -> Option<String> {
        let document = self.document;
        let number = |name: &str| document.attribute(node, name)?.trim().parse::<f64>().ok();
        let role = self.role(node);
        let (least, most) = (
            number("aria-valuemin").or_else(|| number("min")),
            number("aria-valuemax").or_else(|| number("max")),
        );
        if let Some(now) = number("aria-valuenow") {
            let now = least.map_or(now, |least| now.max(least));
            return Some(format_number(most.map_or(now, |most| now.min(most))));
        }
        match document.tag(node) {
            "input" => {
                let value = document.value(node).trim();
                return value.parse::<f64>().ok().map(format_number);
            }
            "meter" => {
                let (least, most) = (least.unwrap_or(0.0), most.unwrap_or(1.0));
                let value = number("value").unwrap_or(0.0);
                return Some(format_number(value.max(least).min(most.max(least))));
            }
            "progress" => {
                let most = most.filter(|most| *most > 0.0).unwrap_or(1.0);
                return number("value").map(|value| format_number(value.max(0.0).min(most)));
            }
            _ => {}
        }
        match role {
            Role::ScrollBar | Role::Slider => {
                let (least, most) = (least.unwrap_or(0.0), most.unwrap_or(100.0));
                Some(format_number((least + most) / 2.0))
            }
            Role::Meter => Some(format_number(least.unwrap_or(0.0))),
            Role::SpinButton => Some(format_number(0.0)),
            _ => None,
        }
    }

    /// The value of an element that its text does not show.
    pub(super) fn value(&self, node: usize) -> String {
        let document = self.document;
        if document.tag(node) == "input" && document.input_type(node) == "file" {
            let name = document.value(node).rsplit(['\\', '/']).next();
            let name = name.unwrap_or_default();
            return if name.is_empty() {
                "No file chosen".to_owned()
            } else {
                name.to_owned()
            };
        }
        let role = self.role(node);
        if role.is_range() {
            return self.range_value(node).unwrap_or_default();
        }
        match role {
            Role::TextField | Role::SearchBox if !self.is_atomic_text_field(node) => {
                self.inner_text(node)
            }
            Role::ComboButton => self.inside(node, None, &mut Default::default()),
            _ => String::new(),
        }
    }
}

/// Formats a number as browsers expose it.
fn format_number(number: f64) -> String {
    // Browsers compute in single precision; this gives the digits as written.
    format!("{}", number as f32)
}
