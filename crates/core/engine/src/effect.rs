//! The effect of each step on the screen, from the observations of the run.

use std::sync::Arc;
use std::time::Duration;

use contract::{StepData, StepResult};
use driver::NoticeKind;
use escape::Quoted;
use serde_json::Value;
use tokio::time::Instant;
use uitree::{NodeId, Outcome, UiTree};

/// Maximum age of an earlier step's screen that counts as the screen before a change.
const MAX_AGE: Duration = Duration::from_millis(100);

/// What a step does on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It only reads, and scrolls to its target.
    Read,
    /// It scrolls: to its target, or as its action.
    Scroll,
    /// It changes something.
    #[default]
    Act,
}

/// The effect of a step that changed the device.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Effect {
    /// It changed the screen; the text says how.
    Observed(String),
    /// It changed the screen, and the screen has changed back.
    Reverted(String),
    /// The screen settled without a change, except for incidental changes.
    None(Option<String>),
    /// The screen was not observed between this change and the next one, or it showed only incidental changes.
    Unknown(Option<String>),
}

/// A change whose effect may still appear.
#[derive(Debug)]
struct PendingChange {
    step: usize,
    before: Option<Arc<UiTree>>,
    /// The element of that screen that was pressed.
    pressed: Option<NodeId>,
    /// Whether the step has only scrolled.
    is_scroll: bool,
    /// Whether it scrolled to its target before it acted.
    scrolled_before_act: bool,
    /// The change on the last screen.
    evidence: Option<Outcome>,
    /// A change on an earlier screen that is not incidental.
    earlier: Option<String>,
    /// A known effect, which the screen may not show.
    known_effect: Option<String>,
}

/// The effects of a run.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// Whether the plan requests them.
    requested: bool,
    pending: Option<PendingChange>,
    ended: Vec<(usize, Effect)>,
    first: Option<Arc<UiTree>>,
    last: Option<LastRead>,
    /// The screen right before the change that is under way.
    before: Option<Arc<UiTree>>,
    /// The element that this change presses, and its screen.
    pressed: Option<(Arc<UiTree>, NodeId)>,
}

/// The last screen that was read.
#[derive(Debug)]
struct LastRead {
    tree: Arc<UiTree>,
    at: Instant,
    step: usize,
    /// Whether nothing changed the device since.
    is_current: bool,
}

impl PendingChange {
    const fn new(step: usize, before: Option<Arc<UiTree>>, is_scroll: bool) -> Self {
        Self {
            step,
            before,
            pressed: None,
            is_scroll,
            scrolled_before_act: false,
            evidence: None,
            earlier: None,
            known_effect: None,
        }
    }
}

impl Effects {
    /// The effects of a run, if its plan requests them.
    pub(crate) fn new(requested: bool) -> Self {
        Self {
            requested,
            ..Self::default()
        }
    }

    /// Notes an observation during or after a step.
    pub(crate) fn after_observation(&mut self, tree: &Arc<UiTree>, step: usize) {
        if let Some(pending) = &mut self.pending
            && let Some(before) = &pending.before
        {
            let shown = pending.evidence.take();
            if let Some(shown) = shown.filter(|shown| !shown.is_incidental) {
                pending.earlier = Some(shown.summary);
            }
            pending.evidence = uitree::outcome(before, tree, pending.pressed);
        }
        self.first.get_or_insert_with(|| Arc::clone(tree));
        self.last = Some(LastRead {
            tree: Arc::clone(tree),
            at: Instant::now(),
            step,
            is_current: true,
        });
    }

    /// The screen right before a change by this step: one that the step read itself, or that was read just now.
    fn current(&self, step: usize) -> Option<&Arc<UiTree>> {
        let last = self.last.as_ref().filter(|last| last.is_current)?;
        (last.step == step || last.at.elapsed() <= MAX_AGE).then_some(&last.tree)
    }

    /// Whether the screen before the first change by this step was not read, although earlier ones were.
    pub(crate) fn lacks_screen_before(&self, step: usize) -> bool {
        let is_first = self
            .pending
            .as_ref()
            .is_none_or(|change| change.step != step);
        let is_watched = self.pending.is_some() || self.last.is_some();
        self.requested && is_first && is_watched && self.current(step).is_none()
    }

    /// Notes that a step is about to change the device.
    pub(crate) fn before_change(&mut self, step: usize) {
        self.before = self.current(step).cloned();
    }

    /// Notes which element the next change presses.
    pub(crate) fn before_press(&mut self, tree: &Arc<UiTree>, id: NodeId) {
        self.pressed = Some((Arc::clone(tree), id));
    }

    /// Notes that a step has changed the device, or may have.
    pub(crate) fn after_change(&mut self, step: usize, purpose: Purpose) {
        self.mark_outdated();
        let pressed = self.pressed.take();
        if !self.requested {
            return;
        }
        let before = self.before.take();
        let pressed = pressed.filter(|(tree, _)| {
            before
                .as_ref()
                .is_some_and(|before| Arc::ptr_eq(before, tree))
        });
        let pressed = pressed.map(|(_, id)| id);
        let is_scroll = purpose != Purpose::Act;
        if let Some(pending) = &mut self.pending
            && pending.step == step
        {
            if pending.is_scroll && !is_scroll {
                pending.is_scroll = false;
                if before.is_some() {
                    *pending = PendingChange {
                        pressed,
                        scrolled_before_act: true,
                        ..PendingChange::new(step, before, false)
                    };
                }
            }
            return;
        }
        self.end(Effect::Unknown(None));
        if purpose != Purpose::Read {
            self.pending = Some(PendingChange {
                pressed,
                ..PendingChange::new(step, before, is_scroll)
            });
        }
    }

    /// Records that the last screen is not the one before the next change.
    fn mark_outdated(&mut self) {
        if let Some(last) = &mut self.last {
            last.is_current = false;
        }
    }

    /// Sets the effect of the last change, in case no screen shows it.
    pub(crate) fn set_known_effect(&mut self, words: String) {
        if let Some(pending) = &mut self.pending {
            pending.known_effect = Some(words);
        }
    }

    /// Records that an interruption rule changed the device: later changes are not effects of an earlier step.
    pub(crate) fn after_interrupt(&mut self) {
        self.mark_outdated();
        self.end(Effect::Unknown(None));
    }

    /// Whether the plan asks for them.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested
    }

    /// Whether the effect of a change cannot be observed, because no screen before it is known.
    pub(crate) fn lacks_screen(&self) -> bool {
        self.requested && self.last.is_none()
    }

    /// Whether the effect of the last change can be observed but was not yet, apart from incidental changes.
    pub(crate) fn awaits_evidence(&self) -> bool {
        self.pending.as_ref().is_some_and(|pending| {
            let evidence = pending.evidence.as_ref();
            pending.before.is_some()
                && pending.earlier.is_none()
                && evidence.is_none_or(|outcome| outcome.is_incidental)
        })
    }

    /// Ends the pending change; the screen has settled.
    pub(crate) fn settled(&mut self) {
        self.end(Effect::None(None));
    }

    /// Forgets the last screen, which was not observed.
    pub(crate) fn lost(&mut self) {
        self.last = None;
    }

    /// Ends the pending change; `otherwise` is its effect if nothing was seen.
    fn end(&mut self, otherwise: Effect) {
        if let Some(pending) = self.pending.take() {
            let is_seen = pending.before.is_some();
            let effect = match (pending.evidence, pending.earlier, pending.known_effect) {
                (Some(shown), _, _) if !shown.is_incidental => Effect::Observed(shown.summary),
                // What a scroll showed on its way is not what it did.
                (Some(shown), _, _) if pending.is_scroll && shown.is_movement => {
                    Effect::Observed(shown.summary)
                }
                (_, Some(earlier), _) => Effect::Reverted(format!("{earlier}, then back")),
                (_, None, Some(known_effect)) => Effect::Observed(known_effect),
                (Some(shown), None, None) => match otherwise {
                    _ if shown.is_movement => Effect::Observed(shown.summary),
                    Effect::None(_) => Effect::None(Some(shown.summary)),
                    _ => Effect::Unknown(Some(shown.summary)),
                },
                (None, None, None) if is_seen => match otherwise {
                    Effect::None(_) if pending.scrolled_before_act => {
                        Effect::None(Some("the content moved".to_owned()))
                    }
                    otherwise => otherwise,
                },
                (None, None, None) => Effect::Unknown(None),
            };
            // A step that was interrupted may have had an effect before.
            let is_seen =
                |effect: &Effect| matches!(effect, Effect::Observed(_) | Effect::Reverted(_));
            let had_effect = self
                .ended
                .last()
                .is_some_and(|(step, earlier)| *step == pending.step && is_seen(earlier));
            if !had_effect || is_seen(&effect) {
                self.ended.push((pending.step, effect));
            }
        }
    }

    /// The first and the last screen of the run.
    pub(crate) fn screens(&self) -> (Option<Arc<UiTree>>, Option<Arc<UiTree>>) {
        let last = self.last.as_ref().map(|last| Arc::clone(&last.tree));
        (self.first.clone(), last)
    }

    /// Adds the effects to the results of their steps.
    pub(crate) fn add_to(&mut self, results: &mut [StepResult]) {
        self.end(Effect::Unknown(None));
        for (step, effect) in std::mem::take(&mut self.ended) {
            if let Some(result) = results.get_mut(step) {
                let effect = match effect {
                    // The browser's message about the form is not the effect of the press.
                    Effect::Observed(_)
                        if result.success && result.data.get("form_not_submitted").is_some() =>
                    {
                        Effect::None(None)
                    }
                    Effect::None(_) | Effect::Unknown(_) => toast(&result.data).unwrap_or(effect),
                    Effect::Observed(_) | Effect::Reverted(_) => effect,
                };
                push(&mut result.data, effect);
            }
        }
    }
}

/// The toast of a step, which no observation shows, as its effect.
fn toast(data: &StepData) -> Option<Effect> {
    let notices: Value = serde_json::from_str(data.get("notices")?).ok()?;
    let mut notices = notices.as_array()?.iter();
    let toast = notices.find(|notice| notice["kind"] == NoticeKind::Toast.as_str())?;
    let evidence = format!("toast {}", Quoted(toast["text"].as_str()?));
    Some(Effect::Observed(evidence))
}

fn push(data: &mut StepData, effect: Effect) {
    let (word, evidence) = match effect {
        Effect::Observed(evidence) => ("observed", Some(evidence)),
        Effect::Reverted(evidence) => ("reverted", Some(evidence)),
        Effect::None(evidence) => ("none", evidence),
        Effect::Unknown(evidence) => ("unknown", evidence),
    };
    data.push("effect", word);
    if let Some(evidence) = evidence {
        data.push("evidence", evidence);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn known_effect_is_reported_if_the_screen_looks_the_same() {
        let mut effects = Effects::new(true);
        let screen = Arc::new(UiTree::parse_notation("button \"Save\"").unwrap());
        effects.after_observation(&screen, 0);
        effects.before_change(0);
        effects.after_change(0, Purpose::Act);
        effects.set_known_effect("tab \"Shop\" in front".to_owned());
        effects.after_observation(&screen, 0);
        effects.settled();
        let shown = Effect::Observed("tab \"Shop\" in front".to_owned());
        assert_eq!(effects.ended, [(0, shown)]);
    }

    #[tokio::test(start_paused = true)]
    async fn change_without_a_screen_before_it_has_an_unknown_effect() {
        let screen = |text: &str| {
            let notation = format!("screen 9x9\nwindow application\n  text \"{text}\" [0,0][9,9]");
            Arc::new(UiTree::parse_notation(&notation).unwrap())
        };
        let mut effects = Effects::new(true);
        let act = |effects: &mut Effects, step| {
            effects.before_change(step);
            effects.after_change(step, Purpose::Act);
        };
        effects.after_observation(&screen("home"), 0);
        act(&mut effects, 0);
        // The screen before this change is not that before the first one.
        assert!(effects.lacks_screen_before(1));
        act(&mut effects, 1);
        effects.after_observation(&screen("dialog"), 2);
        assert!(!effects.lacks_screen_before(2) && !effects.lacks_screen_before(3));
        // A pause: changes during it are not effects of the next step.
        tokio::time::advance(MAX_AGE * 2).await;
        assert!(!effects.lacks_screen_before(2) && effects.lacks_screen_before(3));
        act(&mut effects, 3);
        effects.after_observation(&screen("news"), 3);
        act(&mut effects, 4);
        effects.after_observation(&screen("end"), 4);
        effects.settled();
        let seen = Effect::Observed("\"news\" now \"end\"".to_owned());
        let unknown = |step| (step, Effect::Unknown(None));
        assert_eq!(
            effects.ended,
            [unknown(0), unknown(1), unknown(3), (4, seen)]
        );
    }

    #[test]
    fn press_after_scrolling_is_compared_with_the_screen_in_between() {
        let screen = |top: i32, news: &str| {
            let (middle, bottom) = (top + 9, top + 18);
            let notation = format!(
                "screen 99x99\nwindow application\n  list scrollable [0,0][99,99]\n    text \"Top\" [0,{top}][9,{middle}]\n    button \"Buy\" clickable [0,{middle}][9,{bottom}]\n{news}"
            );
            Arc::new(UiTree::parse_notation(&notation).unwrap())
        };
        let news = "    text \"Bought\" [0,50][9,60]\n";
        let run = |purposes: &[Purpose], end: &Arc<UiTree>| {
            let mut effects = Effects::new(true);
            effects.after_observation(&screen(40, ""), 0);
            for purpose in purposes {
                effects.before_change(0);
                effects.after_change(0, *purpose);
                effects.after_observation(&screen(0, ""), 0);
            }
            effects.after_observation(end, 0);
            effects.settled();
            effects.ended.pop()
        };
        let press = [Purpose::Scroll, Purpose::Act];
        let moved = "the content moved".to_owned();
        let (same, bought) = (screen(0, ""), screen(0, news));
        let appeared = "text \"Bought\" appeared".to_owned();
        for (purposes, end, effect) in [
            (&press[..], &bought, Some(Effect::Observed(appeared))),
            (&press[..], &same, Some(Effect::None(Some(moved.clone())))),
            (&press[..1], &same, Some(Effect::Observed(moved))),
            (&[Purpose::Read], &same, None),
        ] {
            let found = run(purposes, end);
            assert_eq!(found, effect.map(|effect| (0, effect)), "{purposes:?}");
        }
    }

    #[test]
    fn what_a_scroll_shows_on_its_way_is_not_its_effect() {
        let page = |top: i32, news: &str| {
            let notation = format!(
                "screen 99x99\nwindow application\n  list scrollable [0,0][99,99]\n    text \"Top\" [0,{top}][9,{}]\n{news}",
                top + 9
            );
            Arc::new(UiTree::parse_notation(&notation).unwrap())
        };
        let mut effects = Effects::new(true);
        effects.after_observation(&page(40, ""), 0);
        effects.before_change(0);
        effects.after_change(0, Purpose::Scroll);
        effects.after_observation(&page(20, "    button \"☆\" clickable [0,50][9,60]\n"), 0);
        effects.after_observation(&page(0, ""), 0);
        effects.settled();
        let moved = Effect::Observed("the content moved".to_owned());
        assert_eq!(effects.ended, [(0, moved)]);
    }

    /// The effect of a step after which the screens are these, the last one settled.
    fn effect_of(screens: &[&str]) -> Effect {
        let mut effects = Effects::new(true);
        let mut screens = screens.iter().map(|content| {
            let screen =
                format!("screen 9x9\nwindow application active\n  webview [0,0][9,9]\n{content}");
            Arc::new(UiTree::parse_notation(&screen).unwrap())
        });
        effects.after_observation(&screens.next().unwrap(), 0);
        effects.before_change(0);
        effects.after_change(0, Purpose::Act);
        for screen in screens {
            effects.after_observation(&screen, 0);
        }
        effects.settled();
        effects.ended.remove(0).1
    }

    #[test]
    fn effect_is_that_of_the_settled_screen() {
        let button = "    button \"Remove\" clickable [0,0][9,4]\n";
        let focused = "    button \"Remove\" clickable focused [0,0][9,4]\n";
        let milk = format!("{button}    text \"Milk\" [0,5][9,9]\n");
        let back = format!("{focused}    text \"Milk\" [0,5][9,9]\n");
        let eggs = format!("{focused}    text \"Eggs\" [0,5][9,9]\n");
        let focus = "button \"Remove\" has the focus".to_owned();
        let undone = Effect::Reverted("text \"Milk\" gone (+1 change), then back".to_owned());
        let renamed = Effect::Observed("\"Milk\" now \"Eggs\" (+1 change)".to_owned());
        for (screens, effect) in [
            (vec![&*milk, focused, &back], undone.clone()),
            (vec![&*milk, focused, &milk], undone),
            (vec![&*milk, focused, &eggs], renamed),
            (vec![&*milk, &back], Effect::None(Some(focus))),
            (vec![&*milk, &milk], Effect::None(None)),
        ] {
            assert_eq!(effect_of(&screens), effect, "{screens:#?}");
        }
    }

    #[test]
    fn toast_is_the_effect_of_a_step_that_changes_nothing_else() {
        let effect_of = |notices: &str, tree: &str| {
            let mut effects = Effects::new(true);
            let screen = |notation: &str| Arc::new(UiTree::parse_notation(notation).unwrap());
            effects.after_observation(&screen("button \"Save\""), 0);
            effects.before_change(0);
            effects.after_change(0, Purpose::Act);
            effects.after_observation(&screen(tree), 0);
            effects.settled();
            let data = json!({ "notices": notices });
            let step = json!({ "id": "1", "actionType": "click", "success": true, "data": data });
            let mut results = [serde_json::from_value::<StepResult>(step).unwrap()];
            effects.add_to(&mut results);
            let [result] = results;
            let words = |key| result.data.get(key).unwrap_or_default().to_owned();
            [words("effect"), words("evidence")]
        };
        let toast = r#"[{"kind":"toast","app":"a","text":"Saved \"x\"","at_ms":4}]"#;
        let same = "button \"Save\"";
        assert_eq!(
            effect_of(toast, same),
            ["observed", r#"toast "Saved \"x\"""#]
        );
        let notification = toast.replace("toast", "notification");
        assert_eq!(effect_of(&notification, same), ["none", ""]);
        let [effect, evidence] = effect_of(toast, "button \"Saved\"");
        assert_eq!(effect, "observed");
        assert!(!evidence.contains("toast"), "{evidence}");
    }
}
