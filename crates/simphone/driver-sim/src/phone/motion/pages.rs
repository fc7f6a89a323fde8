//! Pagers: the page at which they come to rest is the chosen one.

use crate::phone::Phone;
use crate::phone::input::find;
use sim_format::expr::Value;
use sim_format::widget::{Key, Kind, Pages};

impl Phone {
    /// A pager is on its way to an offset: the page that is there is chosen from now on.
    pub(super) fn choose_page(&mut self, window: u64, key: Key, offset: f32) {
        let view = self.view();
        let Some(element) = find(&view, window, key) else {
            return;
        };
        let Some(pages) = pages(&element.spec.kind) else {
            return;
        };
        let shown = view.window(window);
        let place = shown.and_then(|shown| {
            let scene = &shown.scene;
            let scroll = scene.scrolls.iter().find(|scroll| scroll.key == key)?;
            let stops = scene.stops(scroll);
            stops.iter().position(|stop| *stop == offset)
        });
        let Some(value) = place.and_then(|place| pages.values.get(place)) else {
            return;
        };
        let context = self.context(window, &element.scope);
        let before = self.frames.revision();
        self.set(&context.app, &pages.bind, Value::Text(value.clone()));
        if self.frames.revision() != before {
            self.run(&context, &pages.on_change);
        }
    }

    /// Nothing moves a pager any more: it is at the chosen page, and its neighbours are gone.
    pub(crate) fn pages_rest(&mut self, window: u64, key: Key) {
        let view = self.view();
        if find(&view, window, key).is_none_or(|element| pages(&element.spec.kind).is_none()) {
            return;
        }
        if let Some(open) = self.open_mut(window)
            && open.local.scroll.remove(&key).is_some()
        {
            open.local.version += 1;
            self.bump();
        }
    }
}

const fn pages(kind: &Kind) -> Option<&Pages> {
    match kind {
        Kind::Scroller(scroller) => scroller.pages.as_ref(),
        _ => None,
    }
}
