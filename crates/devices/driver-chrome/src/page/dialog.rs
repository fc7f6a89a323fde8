//! Dialogs that a page's scripts open: windows of the browser that keep the page from being looked at.

use cdp::protocol::page::JavascriptDialogOpening;
use uitree::{NodeId, NodeSpec, Rect, Role, Size, State, TreeBuilder, UiTree, WindowKind};

/// A dialog that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialog {
    /// What it asks.
    pub kind: DialogKind,
    /// Its words.
    pub message: String,
    /// What stands in its field; empty where it has none.
    pub prompt: String,
    /// The document that opened it.
    pub url: String,
}

/// What a dialog asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogKind {
    /// Nothing; it can only be accepted.
    Alert,
    /// A question.
    Confirm,
    /// A question that takes words.
    Prompt,
    /// Whether to leave the page.
    BeforeUnload,
}

impl DialogKind {
    /// The words on its buttons.
    pub const fn buttons(self) -> &'static [&'static str] {
        match self {
            Self::Alert => &["OK"],
            Self::Confirm | Self::Prompt => &["OK", "Cancel"],
            Self::BeforeUnload => &["Leave", "Cancel"],
        }
    }
}

/// A part of a dialog that is a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogPart {
    /// All of it.
    Window,
    /// Its words.
    Message,
    /// The field that takes words.
    Field,
    /// The button that accepts it: OK, or Leave.
    Accept,
    /// The button that dismisses it: Cancel.
    Dismiss,
}

impl Dialog {
    pub(crate) fn new(opening: JavascriptDialogOpening) -> Self {
        let kind = match &*opening.kind {
            "confirm" => DialogKind::Confirm,
            "prompt" => DialogKind::Prompt,
            "beforeunload" => DialogKind::BeforeUnload,
            _ => DialogKind::Alert,
        };
        Self {
            kind,
            message: match kind {
                DialogKind::BeforeUnload if opening.message.is_empty() => {
                    "Leave site? Changes you made may not be saved.".to_owned()
                }
                _ => opening.message,
            },
            prompt: opening.default_prompt.unwrap_or_default(),
            url: opening.url,
        }
    }

    /// The parts that it has, in their order.
    fn parts(&self) -> &'static [DialogPart] {
        match self.kind {
            DialogKind::Alert => &[DialogPart::Message, DialogPart::Accept],
            DialogKind::Confirm | DialogKind::BeforeUnload => {
                &[DialogPart::Message, DialogPart::Accept, DialogPart::Dismiss]
            }
            DialogKind::Prompt => &[
                DialogPart::Message,
                DialogPart::Field,
                DialogPart::Accept,
                DialogPart::Dismiss,
            ],
        }
    }

    /// The dialog as a screen of this size, and what each of its nodes is.
    ///
    /// Nobody can tell where a browser draws it, if it draws it at all, so that its parts lie one below the other over the
    /// whole screen: wherever a part is touched, it is that part.
    pub(super) fn to_tree(&self, screen: Size) -> (UiTree, Vec<DialogPart>) {
        let screen = Size::new(screen.width.max(4), screen.height.max(8));
        let owner = dom::host(&self.url);
        let mut builder = TreeBuilder::new(screen, 0);
        builder.window(WindowKind::Application, 1, true, "");
        let base = State::ENABLED | State::VISIBLE;
        let node = |role, text: &str, state, bounds| NodeSpec {
            role: Some(role),
            text: text.into(),
            class: "dialog".into(),
            owner: owner.as_str().into(),
            bounds: Some(bounds),
            state: base | state,
            ..NodeSpec::default()
        };
        let nothing = State::empty();
        builder.open(node(Role::Dialog, "", nothing, screen.to_rect()));
        let mut all = vec![DialogPart::Window];
        let parts = self.parts();
        let height = screen.height / parts.len() as i32;
        for (place, part) in parts.iter().enumerate() {
            let top = height * place as i32;
            let bounds = Rect::new(0, top, screen.width, top + height);
            let button = State::CLICKABLE | State::FOCUSABLE;
            builder.open(match part {
                DialogPart::Window | DialogPart::Message => {
                    node(Role::Text, &self.message, nothing, bounds)
                }
                DialogPart::Field => {
                    let field = button | State::EDITABLE | State::FOCUSED;
                    node(Role::TextField, &self.prompt, field, bounds)
                }
                DialogPart::Accept => {
                    let leaves = self.kind == DialogKind::BeforeUnload;
                    node(
                        Role::Button,
                        if leaves { "Leave" } else { "OK" },
                        button,
                        bounds,
                    )
                }
                DialogPart::Dismiss => node(Role::Button, "Cancel", button, bounds),
            });
            builder.close();
            all.push(*part);
        }
        (builder.finish(), all)
    }
}

/// What a node of a dialog's tree is.
pub(super) fn part(parts: &[DialogPart], node: NodeId) -> Option<DialogPart> {
    parts.get(node.index()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_has_its_words_a_field_and_two_buttons() {
        let dialog = Dialog::new(JavascriptDialogOpening {
            url: "https://shop.example/x".to_owned(),
            message: "Your name?".to_owned(),
            kind: "prompt".to_owned(),
            default_prompt: Some("Nobody".to_owned()),
            has_browser_handler: false,
        });
        let (tree, parts) = dialog.to_tree(Size::new(400, 400));
        assert_eq!(
            tree.to_notation(),
            "screen 400x400\n\
             window application layer=1 active owner=shop.example\n\
             \x20 dialog .\"dialog\" [0,0][400,400]\n\
             \x20   text \"Your name?\" .\"dialog\" [0,0][400,100]\n\
             \x20   textfield \"Nobody\" .\"dialog\" [0,100][400,200] clickable editable focusable focused\n\
             \x20   button \"OK\" .\"dialog\" [0,200][400,300] clickable focusable\n\
             \x20   button \"Cancel\" .\"dialog\" [0,300][400,400] clickable focusable\n"
        );
        assert_eq!(parts.len(), tree.len());
        assert_eq!(
            part(&parts, tree.get(4).unwrap()),
            Some(DialogPart::Dismiss)
        );
        let again = UiTree::parse_hierarchy_xml(tree.to_hierarchy_xml().as_bytes(), None);
        assert_eq!(again.unwrap(), tree);
    }
}
