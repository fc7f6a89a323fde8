//! From the node that a matcher found to the node that takes the click.

use std::time::Duration;

use contract::keys::ParamKey;
use contract::{ClickType, ErrorCode, Retry, StepData, Warning, WarningCode};
use driver::{Gesture, NodeAct, Observation, Platform};
use tokio::time::Instant;
use uitree::{Node, NodeId, Point, Rect, Role, State, UiTree, WindowKind};

use crate::failure::Failure;
use crate::lookup::{Found, Look, OutOfView, Wanted};
use crate::patience::Pauses;
use crate::stage::{Heard, Stage};
use crate::words::{name, words};

/// How many ancestors of a node are asked whether they take the click.
const LEVELS: usize = 7;

/// How long a node keeps its place before a finger is held there; at its end a fling moves by a pixel every other frame.
const STEADY: Duration = Duration::from_millis(64);

/// Who takes a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taker {
    /// The platform says that this node takes it.
    Node(NodeId),
    /// The platform knows no long press here, but something that is clicked; the middle of the node is pressed.
    Middle {
        /// The node that is pressed.
        pressed: NodeId,
        /// The node around it that takes clicks.
        clicked: NodeId,
    },
}

/// The node itself or its nearest ancestor that `takes` it.
pub(crate) fn nearest(
    tree: &UiTree,
    node: NodeId,
    takes: impl Fn(&Node) -> bool,
) -> Option<NodeId> {
    std::iter::once(node)
        .chain(tree.ancestors(node).take(LEVELS))
        .find(|id| takes(tree.node(*id)))
}

/// The node that a click of this type on `node` would go to, whether or not it is enabled.
fn asked(tree: &UiTree, node: NodeId, click: ClickType) -> Option<Taker> {
    let nearest = |state| nearest(tree, node, |node| node.is(state)).map(Taker::Node);
    match click {
        ClickType::Click => nearest(State::CLICKABLE),
        ClickType::LongClick => nearest(State::LONG_CLICKABLE).or_else(|| {
            self::nearest(tree, node, |node| node.is(State::CLICKABLE)).map(|clicked| {
                Taker::Middle {
                    pressed: node,
                    clicked,
                }
            })
        }),
        ClickType::Focus => nearest(State::FOCUSABLE),
    }
}

/// Who takes a click of this type on `node`.
///
/// In a page every node takes clicks, and a click on it reaches what is around it by itself: there the node is clicked that
/// was meant. The middle of what is around it may well be something else.
pub(crate) fn taker(
    tree: &UiTree,
    node: NodeId,
    click: ClickType,
    platform: Platform,
) -> Result<Taker, Failure> {
    let around = asked(tree, node, click);
    let taker = match (platform, click) {
        (Platform::Web, ClickType::Click | ClickType::LongClick) => Some(Taker::Node(node)),
        (Platform::Web, ClickType::Focus) | (Platform::Android, _) => around,
    };
    let target = match around {
        Some(Taker::Node(id) | Taker::Middle { clicked: id, .. }) => id,
        None => node,
    };
    if !tree.node(node).is(State::ENABLED) || !tree.node(target).is(State::ENABLED) {
        let matched = name(tree.node(node));
        let message = if tree.node(node).is(State::ENABLED) {
            format!(
                "the {} around {matched} is disabled",
                tree.node(target).role.as_str()
            )
        } else {
            format!("{matched} is disabled")
        };
        return Err(Failure::new(ErrorCode::NodeNotClickable, message).on_another_screen());
    }
    taker.map(Ok).unwrap_or_else(|| nobody(tree, node, click))
}

/// The refusal of a click that nothing takes.
fn nobody(tree: &UiTree, node: NodeId, click: ClickType) -> Result<Taker, Failure> {
    let what = match click {
        ClickType::Click | ClickType::LongClick => "can be clicked",
        ClickType::Focus => "takes the focus",
    };
    let message = format!(
        "neither {} nor anything around it {what}",
        name(tree.node(node))
    );
    let failure = Failure::new(ErrorCode::NodeNotClickable, message);
    Err(match tree.visible_bounds(node) {
        Some(bounds) => failure.after("center", bounds.center().to_string()),
        None => failure,
    })
}

/// The first of several matches that anything takes a click on, or the first of all.
fn first_taken(found: &Found, click: ClickType) -> NodeId {
    let tree = &found.seen.tree;
    found
        .all
        .iter()
        .copied()
        .find(|id| asked(tree, *id, click).is_some())
        .unwrap_or(found.first)
}

/// A click type as step data names it.
pub(crate) const fn word(click: ClickType) -> &'static str {
    match click {
        ClickType::Click => "click",
        ClickType::LongClick => "long_click",
        ClickType::Focus => "focus",
    }
}

/// Whether something says or takes something.
fn counts(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    node.is(State::CLICKABLE) || !words(node).trim().is_empty()
}

/// Whether a place lies beside a node by no more than the node is high.
fn is_beside(tree: &UiTree, id: NodeId, at: Point) -> bool {
    tree.visible_bounds(id).is_some_and(|bounds| {
        let room = bounds.height();
        at.x >= bounds.left - room
            && at.x < bounds.right + room
            && at.y >= bounds.top - room
            && at.y < bounds.bottom + room
    })
}

/// The drawer that is open over a node: it takes every touch, on it and beside it.
pub(crate) fn drawer(tree: &UiTree, id: NodeId) -> Option<NodeId> {
    tree.ancestors(id)
        .filter(|around| tree.node(*around).class.ends_with("DrawerLayout"))
        .find_map(|around| {
            tree.children(around)
                .find(|child| *child > id && tree.is_on_screen(*child))
        })
}

/// What lies over a node at a place: a window above, an open drawer, or something drawn later in its own window.
pub fn covering(tree: &UiTree, id: NodeId, at: Point) -> Option<NodeId> {
    let own = tree.window_of(id);
    let holds = |id: NodeId| {
        tree.visible_bounds(id)
            .is_some_and(|bounds| bounds.contains(at))
    };
    let above = tree
        .windows()
        .iter()
        .filter(|window| window.layer > own.layer)
        .find(|window| {
            let touched = tree.touch_bounds(window);
            touched.is_some_and(|bounds| bounds.contains(at))
        })
        .map(|window| window.root);
    // A bare container is often clear as glass; the room around the words of a message or a card is not.
    let padded = |other: NodeId| {
        let around = tree.node(other).parent;
        around.is_some_and(|around| !tree.contains(around, id) && holds(around))
            && is_beside(tree, other, at)
    };
    // What says nothing and holds nothing is there to lie behind others, as what is beside a sheet does.
    let behind = words(tree.node(id)).trim().is_empty() && tree.children(id).next().is_none();
    let later = || {
        tree.subtree(own.root)
            .filter(|other| *other > id && !tree.contains(id, *other))
            .find(|other| {
                let said = counts(tree, *other);
                holds(*other) && (said || behind) || said && padded(*other)
            })
    };
    above.or_else(|| drawer(tree, id)).or_else(later)
}

/// What lies over a node, in words: a window by what it is for.
fn cover(tree: &UiTree, id: NodeId) -> String {
    let window = tree.window_of(id);
    match window.kind {
        _ if window.root != id => name(tree.node(id)),
        WindowKind::InputMethod => "the keyboard".to_owned(),
        WindowKind::Application | WindowKind::System | WindowKind::AccessibilityOverlay => {
            match &*tree.node(id).owner {
                "" => "a window above".to_owned(),
                owner => format!("a window of {owner}"),
            }
        }
    }
}

/// Where the windows stand, the first one at the bottom: while they come and go a place is not yet anybody's.
fn places(tree: &UiTree) -> Vec<Option<Rect>> {
    tree.windows()
        .iter()
        .map(|window| tree.touch_bounds(window))
        .collect()
}

/// Bounds of a node and of all nodes in it. A node that its container clips can move without a change of its own bounds.
/// Progress indicators move by themselves.
fn content_places(tree: &UiTree, id: NodeId) -> Vec<Option<Rect>> {
    tree.subtree(id)
        .map(|id| tree.node(id))
        .filter(|node| node.role != Role::Progress)
        .map(|node| node.bounds)
        .collect()
}

/// A failure that says how many nodes had matched.
fn counted(failure: Failure, found: &Found) -> Failure {
    failure.after("match_count", found.all.len().to_string())
}

impl Stage<'_> {
    /// Looks for the wanted node and clicks it, as long as `retry` allows; a click that was sent is never repeated.
    pub(crate) async fn click_on(
        &mut self,
        wanted: Wanted<'_>,
        click: ClickType,
        retry: &Retry,
        out_of_view: OutOfView,
    ) -> Result<StepData, Failure> {
        if let Some(data) = self.click_only_hit(wanted, click).await? {
            return Ok(data);
        }
        let mut pauses = Pauses::of(retry);
        let mut found = self.find_with(wanted, &mut pauses, out_of_view).await?;
        loop {
            self.remark_on_matches(
                ParamKey::Matcher,
                wanted.matcher,
                found.all.len(),
                "the first clickable one",
            );
            let failure = match self.click_found(&found, click).await {
                Ok(data) => return Ok(with_count(data, found.all.len())),
                Err(failure) => failure,
            };
            let Some(until) = self.pause(&failure, &mut pauses) else {
                return Err(counted(failure, &found));
            };
            found = loop {
                if self.listen(&found.seen, until).await? == Heard::Nothing {
                    break self.find_with(wanted, &mut pauses, out_of_view).await?;
                }
                match self.look_once(wanted).await? {
                    Look::Found(now) => break now,
                    Look::Missing(..) | Look::Blind(_) => self.blink(until).await?,
                }
            };
        }
    }

    /// Clicks what is wanted without a look at the screen, where a CSS selector alone says what that is and the device can
    /// tell that it is plain. It comes to the same as a look and a click, in a fraction of the time.
    async fn click_only_hit(
        &mut self,
        wanted: Wanted<'_>,
        click: ClickType,
    ) -> Result<Option<StepData>, Failure> {
        let Some(css) = wanted.only_css().filter(|_| click == ClickType::Click) else {
            return Ok(None);
        };
        let before = self.dispatch;
        self.begin_change();
        let clicked = match self.driver.click_css(&self.cx, css).await {
            Ok(false) => {
                self.dispatch = before;
                return Ok(None);
            }
            clicked => clicked.map(|_| ()),
        };
        self.answered(clicked)?;
        let mut data = StepData::default();
        data.push("click_types", word(click));
        self.say_where(&mut data);
        self.remark_on_cover(&mut data);
        Ok(Some(with_count(data, 1)))
    }

    /// Says where the driver has touched the screen, if it has.
    fn say_where(&self, data: &mut StepData) {
        match self.driver.last_touch() {
            Some(at) => pressed_at(data, at),
            None => data.push("click_method", "node"),
        }
    }

    /// Says that the node was pressed and not clicked, where something came to lie over it meanwhile.
    fn remark_on_cover(&mut self, data: &mut StepData) {
        if self.driver.last_click_landed() {
            return;
        }
        data.push("clicked", "false");
        let message = "the node was pressed, and something came to lie over it before the mouse was let go, so that the page heard of no click on it; look at the screen before you click again";
        let path = format!("actions.{}", self.index);
        let warning = Warning::new(WarningCode::NotClicked, message).at(path);
        self.warnings.push(warning);
    }

    /// Whether a node keeps its place for a moment and nothing comes over it: a finger on content that still runs stops
    /// it and presses nothing, and one that is held while a keyboard slides in meets the keyboard.
    async fn is_steady(
        &mut self,
        seen: &Observation,
        id: NodeId,
        at: Point,
    ) -> Result<bool, Failure> {
        if self.saw_rest(STEADY) {
            return Ok(true);
        }
        let until = Instant::now() + STEADY;
        let own = seen.tree.node(id);
        let content = content_places(&seen.tree, id);
        let mut last = seen.clone();
        while self.listen(&last, until).await? == Heard::Change {
            let now = self.observe().await?;
            let same = now.tree.get(id.index()).filter(|now_id| {
                let node = now.tree.node(*now_id);
                (&node.id, &node.class, &node.owner) == (&own.id, &own.class, &own.owner)
                    && content_places(&now.tree, *now_id) == content
            });
            let free = same.is_some_and(|id| covering(&now.tree, id, at).is_none());
            if !free || places(&now.tree) != places(&last.tree) {
                return Ok(false);
            }
            last = now;
        }
        Ok(true)
    }

    /// Clicks the node that was found.
    pub(crate) async fn click_found(
        &mut self,
        found: &Found,
        click: ClickType,
    ) -> Result<StepData, Failure> {
        let tree = &found.seen.tree;
        let act = match click {
            ClickType::Click => NodeAct::Click,
            ClickType::LongClick => NodeAct::LongClick,
            ClickType::Focus => NodeAct::Focus,
        };
        let mut data = StepData::default();
        data.push("click_types", word(click));
        let platform = self.driver.info().platform;
        match taker(tree, first_taken(found, click), click, platform)? {
            Taker::Node(id) => {
                self.act(found.seen.node_ref(id), &act)
                    .await
                    .map_err(|failure| refused(tree, id, platform, failure))?;
                self.say_where(&mut data);
                self.remark_on_cover(&mut data);
            }
            Taker::Middle { pressed: id, .. } => {
                let Some(bounds) = tree.visible_bounds(id) else {
                    return Err(Failure::new(
                        ErrorCode::NodeNotClickable,
                        format!("{} has no place on the screen", name(tree.node(id))),
                    )
                    .again());
                };
                let at = bounds.center();
                if let Some(above) = covering(tree, id, at) {
                    let message = format!(
                        "{} is covered by {}",
                        name(tree.node(id)),
                        cover(tree, above)
                    );
                    return Err(
                        Failure::new(ErrorCode::NodeNotClickable, message).on_another_screen()
                    );
                }
                if !self.is_steady(&found.seen, id, at).await? {
                    let message = format!("{} does not keep its place", name(tree.node(id)));
                    return Err(Failure::new(ErrorCode::NodeNotClickable, message).again());
                }
                self.touch(&Gesture::LongPress { at }).await?;
                pressed_at(&mut data, at);
            }
        }
        Ok(data)
    }
}

/// The failure of a click that the device refused, with what lies over the node where that is seen.
fn refused(tree: &UiTree, id: NodeId, platform: Platform, failure: Failure) -> Failure {
    if failure.code() != Some(ErrorCode::GestureFailed) {
        return failure;
    }
    let failure = failure.recode(ErrorCode::GestureFailed, ErrorCode::NodeNotClickable);
    // A page says by itself what is in the way.
    if !failure.is_worth_another_try() || platform == Platform::Web {
        return failure;
    }
    let at = tree.visible_bounds(id).map(|bounds| bounds.center());
    match at.and_then(|at| covering(tree, id, at)) {
        Some(above) => failure
            .because(&format!(
                "{} is covered by {}",
                name(tree.node(id)),
                cover(tree, above)
            ))
            .on_another_screen(),
        None => failure,
    }
}

/// Step data that says how many nodes had matched.
fn with_count(mut data: StepData, count: usize) -> StepData {
    data.push("match_count", count.to_string());
    data
}

/// Says that the place was touched, and whatever lay on top there took it.
fn pressed_at(data: &mut StepData, at: Point) {
    data.push("click_method", "gesture");
    data.push("coordinate", at.to_string());
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::Query;

    /// The name of what takes a click on the node with this text, or the code of the refusal.
    fn takes(screen: &str, text: &str, click: ClickType) -> String {
        takes_on(Platform::Android, screen, text, click)
    }

    fn takes_on(platform: Platform, screen: &str, text: &str, click: ClickType) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        let node = tree.find(&Query::new().text(text)).unwrap();
        match taker(&tree, node, click, platform) {
            Ok(Taker::Node(id)) => format!("node {}", tree.node(id).id),
            Ok(Taker::Middle { pressed, .. }) => format!("middle {}", tree.node(pressed).id),
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
    fn a_label_is_clicked_through_its_row() {
        assert_eq!(takes(SCREEN, "Wi-Fi", ClickType::Click), "node row");
        assert_eq!(takes(SCREEN, "Wi-Fi", ClickType::LongClick), "node row");
        assert_eq!(takes(SCREEN, "Wi-Fi", ClickType::Focus), "node row");
    }

    #[test]
    fn what_is_disabled_is_refused() {
        assert_eq!(
            takes(SCREEN, "Delete", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            takes(SCREEN, "Greyed", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
    }

    #[test]
    fn where_the_platform_names_nobody_nothing_is_touched() {
        assert_eq!(
            takes(SCREEN, "Plain", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            takes(SCREEN, "Plain", ClickType::LongClick),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            takes(SCREEN, "Plain", ClickType::Focus),
            "NODE_NOT_CLICKABLE"
        );
    }

    #[test]
    fn in_a_page_the_node_itself_is_clicked() {
        let takes = |text, click| takes_on(Platform::Web, SCREEN, text, click);
        assert_eq!(takes("Wi-Fi", ClickType::Click), "node title");
        assert_eq!(takes("Plain", ClickType::Click), "node plain");
        assert_eq!(takes("Plain", ClickType::LongClick), "node plain");
        assert_eq!(takes("Wi-Fi", ClickType::Focus), "node row");
        assert_eq!(takes("Plain", ClickType::Focus), "NODE_NOT_CLICKABLE");
        assert_eq!(takes("Delete", ClickType::Click), "NODE_NOT_CLICKABLE");
        assert_eq!(takes("Greyed", ClickType::Click), "NODE_NOT_CLICKABLE");
    }

    #[test]
    fn what_lies_over_a_node_is_seen() {
        let tree = UiTree::parse_notation(
            "
            window application layer=0 active
              column [0,0][1080,2400]
                text \"Under\" #under [0,100][500,200]
                text \"Free\" #free [0,300][500,400]
                text \"Keyed\" #keyed [0,2000][500,2100]
                row [0,150][1080,250]
                  text \"Added\" #bar [0,150][1080,250]
            window input-method layer=10
              node #keys [0,1500][1080,2400]
        ",
        )
        .unwrap();
        let over = |id: &str| {
            let node = tree.find(&Query::new().id(id)).unwrap();
            let at = tree.visible_bounds(node).unwrap().center();
            covering(&tree, node, at).map(|id| tree.node(id).id.to_string())
        };
        assert_eq!(over("under").as_deref(), Some("bar"));
        assert_eq!(over("keyed").as_deref(), Some("keys"));
        assert_eq!(over("free"), None);
    }

    #[test]
    fn window_covers_where_it_takes_touches() {
        // The root node of a keyboard is nearly the whole screen.
        let screen = "
            window application layer=0 active
              column [0,0][1080,2340]
                button \"Send\" #send [0,300][500,400] clickable
                button \"Under\" #under [0,2000][500,2100] clickable
            window input-method layer=10 [0,1517][1080,2340]
              container #keys [0,0][1080,2340]
        ";
        assert_eq!(over(screen, "send"), None);
        assert_eq!(over(screen, "under").as_deref(), Some("keys"));
    }

    /// What lies over the middle of the node with this id.
    fn over(screen: &str, id: &str) -> Option<String> {
        let tree = UiTree::parse_notation(screen).unwrap();
        let node = tree.find(&Query::new().id(id)).unwrap();
        let at = tree.visible_bounds(node).unwrap().center();
        covering(&tree, node, at).map(|id| tree.node(id).id.to_string())
    }

    #[test]
    fn the_room_around_the_words_of_a_message_covers_too() {
        let screen = "
            container [0,0][360,640]
              button \"Zoom out\" #zoom [296,513][344,561] clickable
              button \"Zoom in\" #free [296,413][344,461] clickable
              container #glass [0,0][360,640]
                container #message [8,529][352,577]
                  text \"No place is known\" #words [24,543][336,563]
        ";
        assert_eq!(over(screen, "zoom").as_deref(), Some("words"));
        assert_eq!(over(screen, "free"), None);
    }

    #[test]
    fn what_lies_behind_a_sheet_is_covered_by_it() {
        let screen = "
            container [0,0][1080,2340]
              button #touch_outside [0,0][1080,2340] clickable
              container #sheet [0,1103][1080,2340]
                text \"Update\" [63,1300][1017,1400]
        ";
        assert_eq!(over(screen, "touch_outside").as_deref(), Some("sheet"));
    }

    #[test]
    fn an_open_drawer_covers_what_lies_beside_it() {
        let screen = |drawer: &str| {
            format!(
                "
            container .DrawerLayout [0,0][1080,2340]
              column [0,0][1080,2340]
                tab \"Inbox\" #inbox [800,1986][1080,2196] clickable
              {drawer}
        "
            )
        };
        let open = screen("container #nav_view [0,0][788,2340]");
        assert_eq!(over(&open, "inbox").as_deref(), Some("nav_view"));
        assert_eq!(over(&screen(""), "inbox"), None);
    }

    #[test]
    fn a_long_press_on_what_is_only_clicked_is_a_gesture() {
        let screen = "
            button \"Play\" #play clickable
            row #off clickable disabled
              text \"Greyed\" #greyed
        ";
        assert_eq!(takes(screen, "Play", ClickType::LongClick), "middle play");
        assert_eq!(
            takes(screen, "Greyed", ClickType::LongClick),
            "NODE_NOT_CLICKABLE"
        );
    }
}
