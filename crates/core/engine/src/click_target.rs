//! Resolves the click target of a match: the node itself, or the one around it that accepts the click.

use contract::{ClickType, ErrorCode};
use driver::Platform;
use uitree::{Node, NodeId, State, UiTree};

use crate::describe::describe_node;
use crate::failure::Failure;
use crate::screen_lookup::NodeMatches;

/// Maximum number of ancestors that are checked for a click target.
const MAX_ANCESTORS: usize = 7;

/// What to do about a disabled node.
pub(crate) const DISABLED_HINT: &str =
    "Wait until it is enabled: something else may have to be filled in or chosen first";

/// Where a click goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClickTarget {
    /// A node that accepts it, according to the platform.
    Node(NodeId),
    /// The center of a node: the platform reports only a clickable node, none that takes long presses.
    Center {
        /// The node that is pressed.
        pressed: NodeId,
        /// The clickable node around it.
        clicked: NodeId,
    },
}

impl ClickTarget {
    /// The node that receives the click.
    pub(crate) const fn receiver(self) -> NodeId {
        match self {
            Self::Node(id) | Self::Center { clicked: id, .. } => id,
        }
    }
}

/// The node itself or its nearest ancestor that `accepts`.
pub(crate) fn nearest(
    tree: &UiTree,
    node: NodeId,
    accepts: impl Fn(&Node) -> bool,
) -> Option<NodeId> {
    std::iter::once(node)
        .chain(tree.ancestors(node).take(MAX_ANCESTORS))
        .find(|id| accepts(tree.node(*id)))
}

/// The target that the platform reports for a click of this type on `node`, enabled or not.
fn reported_target(tree: &UiTree, node: NodeId, click: ClickType) -> Option<ClickTarget> {
    let nearest = |state| nearest(tree, node, |node| node.is(state)).map(ClickTarget::Node);
    match click {
        ClickType::Click | ClickType::DoubleClick | ClickType::RightClick => {
            nearest(State::CLICKABLE)
        }
        ClickType::LongClick => nearest(State::LONG_CLICKABLE).or_else(|| {
            self::nearest(tree, node, |node| node.is(State::CLICKABLE)).map(|clicked| {
                ClickTarget::Center {
                    pressed: node,
                    clicked,
                }
            })
        }),
        ClickType::Focus => nearest(State::FOCUSABLE),
    }
}

/// The target of a click of this type on `node`.
///
/// In a page every node accepts clicks, and they bubble to its ancestors, so the match itself is clicked. The center of an
/// ancestor may well be another element.
pub(crate) fn click_target(
    tree: &UiTree,
    node: NodeId,
    click: ClickType,
    platform: Platform,
) -> Result<ClickTarget, Failure> {
    let reported = reported_target(tree, node, click);
    let chosen = match (platform, click) {
        (
            Platform::Web,
            ClickType::Click
            | ClickType::LongClick
            | ClickType::DoubleClick
            | ClickType::RightClick,
        ) => Some(ClickTarget::Node(node)),
        // A platform reports no node that takes double taps: the fingers meet its center.
        (Platform::Android, ClickType::DoubleClick) => {
            reported
                .map(ClickTarget::receiver)
                .map(|id| ClickTarget::Center {
                    pressed: id,
                    clicked: id,
                })
        }
        (Platform::Web, ClickType::Focus) | (Platform::Android, _) => reported,
    };
    let target = reported.map_or(node, ClickTarget::receiver);
    if !tree.node(node).is(State::ENABLED) || !tree.node(target).is(State::ENABLED) {
        let matched = describe_node(tree.node(node));
        if let Some(dialog) = tree.covering_dialog(target) {
            let message = format!("{matched} is behind the {}", uitree::describe(tree, dialog));
            return Err(Failure::new(ErrorCode::NodeNotClickable, message).retryable_after_change());
        }
        let message = if tree.node(node).is(State::ENABLED) {
            format!(
                "the {} around {matched} is disabled",
                tree.node(target).role.as_str()
            )
        } else {
            format!("{matched} is disabled")
        };
        return Err(Failure::new(ErrorCode::NodeNotClickable, message)
            .with_hint(DISABLED_HINT)
            .retryable_after_change());
    }
    chosen.ok_or_else(|| no_target(tree, node, click))
}

/// The failure of a click without a target.
fn no_target(tree: &UiTree, node: NodeId, click: ClickType) -> Failure {
    let what = match click {
        ClickType::Click
        | ClickType::LongClick
        | ClickType::DoubleClick
        | ClickType::RightClick => "can be clicked",
        ClickType::Focus => "takes the focus",
    };
    let message = format!(
        "neither {} nor anything around it {what}",
        describe_node(tree.node(node))
    );
    let failure = Failure::new(ErrorCode::NodeNotClickable, message);
    match tree.visible_bounds(node) {
        Some(bounds) => failure.with_data("center", bounds.center().to_string()),
        None => failure,
    }
}

/// The first match with a click target, else the first match. On a page, text that was typed into a field also matches the
/// field, so other matches come before fields.
pub(crate) fn first_clickable(found: &NodeMatches, click: ClickType, platform: Platform) -> NodeId {
    let tree = &found.seen.tree;
    let has_target = |id: &NodeId| reported_target(tree, *id, click).is_some();
    let is_field = |id: &NodeId| platform == Platform::Web && tree.node(*id).is(State::EDITABLE);
    let mut matches = found.all.iter().copied().filter(has_target);
    let other = matches.clone().find(|id| !is_field(id));
    other.or_else(|| matches.next()).unwrap_or(found.first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::Query;

    /// The click target of the node with this text, or the error code.
    fn target_of(screen: &str, text: &str, click: ClickType) -> String {
        target_on(Platform::Android, screen, text, click)
    }

    fn target_on(platform: Platform, screen: &str, text: &str, click: ClickType) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        let node = tree.find(&Query::new().text(text)).unwrap();
        match click_target(&tree, node, click, platform) {
            Ok(ClickTarget::Node(id)) => format!("node {}", tree.node(id).id),
            Ok(ClickTarget::Center { pressed, .. }) => format!("center {}", tree.node(pressed).id),
            Err(failure) => failure.code().unwrap().to_string(),
        }
    }

    const SCREEN: &str = "
        column #root
          listitem #row clickable long-clickable focusable
            text \"Wi-Fi\" #title
          button \"Delete\" #delete clickable disabled
          text \"Plain\" #plain
          listitem #off clickable disabled
            text \"Greyed\" #greyed
    ";

    #[test]
    fn node_covered_by_a_modal_dialog_is_reported_as_behind_it() {
        // Everything outside of a native dialog is inert.
        let screen = "webview disabled\n  button \"Save\" clickable disabled\n  dialog label=\"Leave?\"\n    button \"Stay\" clickable disabled\n";
        let tree = UiTree::parse_notation(screen).unwrap();
        let message = |text: &str| {
            let node = tree.find(&Query::new().text(text)).unwrap();
            let refused = click_target(&tree, node, ClickType::Click, Platform::Web);
            refused.unwrap_err().message().unwrap().to_owned()
        };
        let behind = message("Save");
        assert!(
            behind.ends_with("is behind the dialog \"Leave?\""),
            "{behind}"
        );
        let disabled = message("Stay");
        assert!(disabled.ends_with("is disabled"), "{disabled}");
    }

    #[test]
    fn label_click_targets_its_row() {
        assert_eq!(target_of(SCREEN, "Wi-Fi", ClickType::Click), "node row");
        assert_eq!(target_of(SCREEN, "Wi-Fi", ClickType::LongClick), "node row");
        assert_eq!(target_of(SCREEN, "Wi-Fi", ClickType::Focus), "node row");
    }

    #[test]
    fn click_refuses_disabled_target() {
        assert_eq!(
            target_of(SCREEN, "Delete", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            target_of(SCREEN, "Greyed", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
    }

    #[test]
    fn click_refuses_node_without_target() {
        assert_eq!(
            target_of(SCREEN, "Plain", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            target_of(SCREEN, "Plain", ClickType::LongClick),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            target_of(SCREEN, "Plain", ClickType::Focus),
            "NODE_NOT_CLICKABLE"
        );
    }

    #[test]
    fn click_in_page_targets_the_match() {
        let target_of = |text, click| target_on(Platform::Web, SCREEN, text, click);
        assert_eq!(target_of("Wi-Fi", ClickType::Click), "node title");
        assert_eq!(target_of("Plain", ClickType::Click), "node plain");
        assert_eq!(target_of("Plain", ClickType::LongClick), "node plain");
        assert_eq!(target_of("Wi-Fi", ClickType::Focus), "node row");
        assert_eq!(target_of("Plain", ClickType::Focus), "NODE_NOT_CLICKABLE");
        assert_eq!(target_of("Delete", ClickType::Click), "NODE_NOT_CLICKABLE");
        assert_eq!(target_of("Greyed", ClickType::Click), "NODE_NOT_CLICKABLE");
    }

    #[test]
    fn long_press_on_clickable_only_node_is_a_gesture() {
        let screen = "
            button \"Play\" #play clickable
            row #off clickable disabled
              text \"Greyed\" #greyed
        ";
        assert_eq!(
            target_of(screen, "Play", ClickType::LongClick),
            "center play"
        );
        assert_eq!(
            target_of(screen, "Greyed", ClickType::LongClick),
            "NODE_NOT_CLICKABLE"
        );
    }
}
