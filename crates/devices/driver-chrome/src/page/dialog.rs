//! Dialogs opened by scripts of a page: browser windows that block the page.

use cdp::protocol::page::JavascriptDialogOpening;
use uitree::{NodeId, NodeSpec, Rect, Role, Size, State, TreeBuilder, UiTree, WindowKind};

/// An open dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialog {
    /// Its kind.
    pub kind: DialogKind,
    /// Its text.
    pub message: String,
    /// The content of its field; empty if it has none.
    pub prompt: String,
    /// The URL of the document that opened it.
    pub url: String,
}

/// The kind of a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogKind {
    /// A message that can only be accepted.
    Alert,
    /// A question.
    Confirm,
    /// A question with a text field.
    Prompt,
    /// Whether to leave the page.
    BeforeUnload,
}

impl DialogKind {
    /// The labels of its buttons.
    pub const fn buttons(self) -> &'static [&'static str] {
        match self {
            Self::Alert => &["OK"],
            Self::Confirm | Self::Prompt => &["OK", "Cancel"],
            Self::BeforeUnload => &["Leave", "Cancel"],
        }
    }
}

/// A part of a dialog, which is a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogPart {
    /// The whole dialog.
    Window,
    /// Its text.
    Message,
    /// Its text field.
    Field,
    /// The button that accepts it: OK or Leave.
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

    /// Its parts, in order.
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

    /// The dialog as a screen of this size, and the part of each node.
    ///
    /// The position of the dialog is unknown, if it is shown at all, so its parts are stacked over the whole
    /// screen: any point in a part belongs to it.
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

/// The part of a node in a dialog's tree.
pub(super) fn part(parts: &[DialogPart], node: NodeId) -> Option<DialogPart> {
    parts.get(node.index()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompt_has_text_field_and_two_buttons() {
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
