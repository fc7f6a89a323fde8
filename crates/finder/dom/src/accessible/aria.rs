//! Authored roles (the `role` attribute), and when they apply.

use super::hidden::{boolean, is_menu_list};
use super::{Computation, Role};

/// The roles of ARIA and its modules without special rules in this module.
const PLAIN_ROLES: &str = "alert alertdialog banner blockquote comment contentinfo doc-abstract doc-acknowledgments \
    doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref doc-chapter \
    doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes \
    doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref \
    doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader \
    doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc \
    document feed figure graphics-document graphics-object log marquee menubar note radiogroup search \
    status suggestion tablist tabpanel timer toolbar";

/// The role with this name.
fn role(name: &str) -> Option<Role> {
    let plain = || PLAIN_ROLES.split(' ').find(|plain| *plain == name);
    Role::authored(name).or_else(|| plain().map(Role::Plain))
}

/// Global ARIA attributes, which override a presentational role.
const GLOBAL_ATTRIBUTES: &str = "aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls aria-current \
    aria-describedby aria-description aria-details aria-flowto aria-keyshortcuts aria-label \
    aria-labeledby aria-labelledby aria-live aria-owns aria-relevant aria-roledescription";

impl Computation<'_> {
    /// The authored role of an element: the first valid name, if the element allows it.
    pub(super) fn authored_role(&self, node: usize) -> Option<Role> {
        let document = self.document;
        let written = document.attribute(node, "role")?;
        let role = self.first_role(node, written, true)?;
        let role = match role {
            Role::Form | Role::Region
                if !self.is_named_by_author(node)
                    && !document.has(node, "aria-roledescription") =>
            {
                self.first_role(node, written, false)?
            }
            role => role,
        };
        match role {
            Role::None => {
                if matches!(document.tag(node), "iframe" | "frame") {
                    return Some(Role::IframeNone);
                }
                if self.supports_focus(node) {
                    return None;
                }
                let mut attributes = document.attributes(node).iter();
                let has_global_attribute = attributes
                    .any(|(name, _)| GLOBAL_ATTRIBUTES.split(' ').any(|global| global == *name));
                (!has_global_attribute).then_some(Role::None)
            }
            Role::Button => Some(self.button(node)),
            Role::ComboGroup => match document.tag(node) {
                "textarea" => Some(Role::TextFieldCombo),
                "input" if self.is_atomic_text_field(node) => Some(Role::TextFieldCombo),
                "select" if is_menu_list(document, node) => None,
                "button" => Some(Role::ComboButton),
                "input" => Some(Role::ComboButton),
                _ if self.supports_focus(node) => Some(Role::ComboButton),
                _ => Some(Role::ComboGroup),
            },
            role => Some(role),
        }
    }

    /// The first valid role in a list of names. Forms and regions need a name; without one they are skipped.
    fn first_role(&self, node: usize, written: &str, with_regions: bool) -> Option<Role> {
        written
            .split_ascii_whitespace()
            .filter_map(|name| role(&name.to_ascii_lowercase()))
            .filter(|role| with_regions || !matches!(role, Role::Form | Role::Region))
            .find(|role| self.has_required_context(node, *role))
    }

    /// Whether the element has the ancestor that its role requires.
    fn has_required_context(&self, node: usize, required_by: Role) -> bool {
        let (tags, roles): (&[&str], &[Role]) = match required_by {
            Role::ListItem => (&["ul", "ol", "menu"], &[Role::List, Role::Group]),
            Role::Option => (&["select"], &[Role::ListBox, Role::Group]),
            Role::TreeItem => (&[], &[Role::Tree, Role::Group]),
            _ => return true,
        };
        if self.is_owned_by(node, roles) {
            return true;
        }
        for holder in self.document.ancestors(node) {
            if !self.document.is_element(holder) {
                continue;
            }
            if tags.contains(&self.document.tag(holder)) {
                return true;
            }
            let written = self.document.attribute(holder, "role").unwrap_or_default();
            let mut names = written.split_ascii_whitespace();
            let given = names.find_map(|name| role(&name.to_ascii_lowercase()));
            match given {
                Some(given) if roles.contains(&given) => return true,
                Some(Role::TreeItem) if required_by == Role::TreeItem => {}
                Some(given) if given.is_presentational() => {}
                Some(Role::Generic) => {}
                None if is_wrapper(self.document.tag(holder)) => {}
                Some(_) | None => return false,
            }
        }
        false
    }

    /// Whether an element with one of `roles` owns this one by `aria-owns`.
    fn is_owned_by(&self, node: usize, roles: &[Role]) -> bool {
        let document = self.document;
        let Some(id) = document.attribute(node, "id").filter(|id| !id.is_empty()) else {
            return false;
        };
        document.owners().iter().any(|owner| {
            let owns = document.attribute(*owner, "aria-owns").unwrap_or_default();
            owns.split_ascii_whitespace().any(|owned| owned == id)
                && document
                    .attribute(*owner, "role")
                    .and_then(|role_name| role(&role_name.trim().to_ascii_lowercase()))
                    .is_some_and(|role| roles.contains(&role))
        })
    }

    /// Whether an attribute names the element.
    pub(super) fn is_named_by_author(&self, node: usize) -> bool {
        self.is_named_by_aria(node) || self.document.has(node, "title")
    }

    pub(super) fn is_named_by_aria(&self, node: usize) -> bool {
        let document = self.document;
        !document.named(node, "aria-labelledby").is_empty()
            || !document.named(node, "aria-labeledby").is_empty()
            || document
                .attribute(node, "aria-label")
                .is_some_and(|label| !label.trim().is_empty())
    }

    /// The kind of button.
    pub(super) fn button(&self, node: usize) -> Role {
        let pressed = self.document.attribute(node, "aria-pressed");
        if boolean(pressed).is_some() {
            return Role::ToggleButton;
        }
        let popup = self.document.attribute(node, "aria-haspopup");
        let opens = popup.is_some_and(|popup| {
            ["true", "menu", "listbox", "tree", "grid"]
                .iter()
                .any(|kind| popup.eq_ignore_ascii_case(kind))
        });
        if opens {
            Role::PopUpButton
        } else {
            Role::Button
        }
    }

    /// Whether the element is a native text field.
    pub(super) fn is_atomic_text_field(&self, node: usize) -> bool {
        match self.document.tag(node) {
            "textarea" => true,
            "input" => matches!(
                self.document.input_type(node),
                "text" | "search" | "email" | "url" | "tel" | "password" | "number"
            ),
            _ => false,
        }
    }
}

/// Whether elements with this tag only group their content.
fn is_wrapper(tag: &str) -> bool {
    matches!(tag, "div" | "span" | "slot") || tag.contains('-')
}

#[cfg(test)]
mod tests {
    use super::{GLOBAL_ATTRIBUTES, PLAIN_ROLES, Role, role};

    #[test]
    fn name_lists_contain_whole_words() {
        for name in [
            "alert",
            "doc-afterword",
            "doc-colophon",
            "doc-pagelist",
            "toolbar",
        ] {
            assert_eq!(role(name), Some(Role::Plain(name)));
        }
        assert_eq!(role("afterword"), None);
        let is_whole = |name: &str| !name.is_empty() && !name.ends_with('-');
        assert!(PLAIN_ROLES.split(' ').all(is_whole));
        assert!(
            GLOBAL_ATTRIBUTES
                .split(' ')
                .all(|name| is_whole(name) && name.starts_with("aria-"))
        );
    }
}
