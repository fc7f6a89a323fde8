//! Pull to refresh: a list at its top that is dragged further down shows a wheel, and refreshes when the finger leaves.

use std::sync::Arc;

use crate::journal::Event;
use crate::phone::Phone;
use sim_format::widget::{Key, Spec};
use sim_view::motion::{PULL, Pull};

/// How much of the finger's way the wheel follows.
const RATE: f32 = 0.5;

impl Phone {
    /// The wheel of one of these lists, if the first of them that has one is at its top.
    fn wheel_of(&mut self, window: u64, scrollers: &[Key]) -> Option<(Key, Key, Arc<Spec>)> {
        let open = self.open_mut(window)?;
        let wheels = &open.page.plays.wheels;
        scrollers.iter().find_map(|key| {
            let found = wheels.iter().find(|(_, list, _)| list == key);
            found.map(|(wheel, list, spec)| (*wheel, *list, Arc::clone(spec)))
        })
    }

    /// Gives a wheel that is out what it takes of a way up; how much that was.
    pub(crate) fn unpull(&mut self, window: u64, scrollers: &[Key], travel: f32) -> f32 {
        let Some((wheel, ..)) = self.wheel_of(window, scrollers) else {
            return 0.0;
        };
        let Some(open) = self.open_mut(window) else {
            return 0.0;
        };
        let Some(pull) = open.local.play.pulls.get_mut(&wheel).filter(|p| p.held) else {
            return 0.0;
        };
        let taken = travel.min(pull.by / RATE);
        pull.by -= taken * RATE;
        if pull.by <= 0.0 {
            open.local.play.pulls.remove(&wheel);
            open.local.version += 1;
        }
        self.bump();
        taken
    }

    /// Pulls the wheel of a list down by what nothing else takes of a finger's way.
    pub(crate) fn pull(&mut self, window: u64, scrollers: &[Key], travel: f32) {
        let Some((wheel, ..)) = self.wheel_of(window, scrollers) else {
            return;
        };
        let most = self.theme.px(PULL) * 1.5;
        let Some(open) = self.open_mut(window) else {
            return;
        };
        let pulls = &mut open.local.play.pulls;
        if pulls.get(&wheel).is_some_and(|pull| !pull.held) {
            // It refreshes already.
            return;
        }
        let fresh = !pulls.contains_key(&wheel);
        let pull = pulls.entry(wheel).or_insert(Pull {
            by: 0.0,
            held: true,
        });
        pull.by = (pull.by + travel * RATE).min(most);
        open.local.version += u64::from(fresh);
        self.bump();
    }

    /// The finger leaves a pulled list: it refreshes if it was pulled far enough.
    pub(crate) fn let_go(&mut self, window: u64, scrollers: &[Key]) {
        let least = self.theme.px(PULL);
        let Some((wheel, list, spec)) = self.wheel_of(window, scrollers) else {
            return;
        };
        let Some(open) = self.open_mut(window) else {
            return;
        };
        let Some(pull) = open.local.play.pulls.get_mut(&wheel).filter(|p| p.held) else {
            return;
        };
        pull.held = false;
        let far = pull.by >= least;
        open.local.version += 1;
        self.bump();
        let refresh = spec.moves.as_ref().and_then(|moves| moves.wheel.as_ref());
        if let Some(refresh) = refresh.filter(|_| far) {
            if let Some(known) = self.known_scroll(window, list) {
                self.note(Event::Refreshed(known.widget));
            }
            let scope = self.open_mut(window).map(|open| Arc::clone(&open.scope));
            let context = self.context(window, &scope.unwrap_or_default());
            self.run(&context, &refresh.effects);
        }
    }

    /// The finger is gone without letting go: nothing refreshes.
    pub(crate) fn forget_pulls(&mut self, window: u64) {
        if let Some(open) = self.open_mut(window) {
            for pull in open.local.play.pulls.values_mut().filter(|p| p.held) {
                pull.held = false;
            }
        }
    }
}
