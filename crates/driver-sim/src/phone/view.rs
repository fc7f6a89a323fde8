//! What the screen shows: windows, their scenes, and the tree of nodes that a driver sees.

use std::collections::BTreeMap;
use std::sync::Arc;

use driver::{Observation, Revision, WindowInfo};
use uitree::{NodeSpec, Rect, State, TreeBuilder, UiTree, WindowKind};

use crate::app::{Header, Names, PageKind};
use crate::layout::{Env, Fragment, Local, Scene, ScrollBox, build, lay_out, with_margin};
use crate::widget::{Axis, Key};
pub(crate) use crate::window::Shown;
use crate::window::{
    Bars, Drafts, INPUT_METHOD, KEYBOARD_WINDOW, SYSTEM_UI, Toolkit, keyboard_height,
};

use super::{Activity, Open, Phone, Task};

/// How many observations keep their nodes' names.
const REMEMBERED: usize = 4;

/// The screen at one revision.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) revision: u64,
    /// The active window first, then those above it.
    pub(crate) windows: Vec<Shown>,
    pub(crate) tree: Arc<UiTree>,
    /// The widget behind each node of the tree.
    pub(crate) keys: Vec<(u64, Key)>,
    pub(crate) infos: Vec<WindowInfo>,
}

impl Phone {
    /// The screen as it is now, and `None` while it is off.
    pub fn observe(&mut self) -> Option<Observation> {
        if !self.awake {
            return None;
        }
        let view = self.view();
        if self
            .observed
            .back()
            .is_none_or(|last| last.revision != view.revision)
        {
            self.observed.push_back(Arc::clone(&view));
            if self.observed.len() > REMEMBERED {
                self.observed.pop_front();
            }
        }
        Some(Observation {
            tree: Arc::clone(&view.tree),
            revision: Revision(view.revision),
            foreground: self.foreground(),
            windows: view.infos.clone(),
        })
    }

    /// The package of the active window.
    pub fn foreground(&self) -> Option<String> {
        self.awake.then(|| self.front.to_string())
    }

    /// The windows as they are now, laid out at most once for each revision.
    pub(crate) fn view(&mut self) -> Arc<View> {
        if let Some(view) = &self.current
            && view.revision == self.revision
        {
            return Arc::clone(view);
        }
        let view = Arc::new(self.make_view());
        self.current = Some(Arc::clone(&view));
        view
    }

    fn make_view(&mut self) -> View {
        let mut windows = Vec::new();
        if self.awake {
            windows.extend(self.active_window());
            windows.extend(self.keyboard_window());
        }
        let (tree, keys) = self.tree(&windows);
        let system = |_: usize| WindowInfo {
            kind: WindowKind::System,
            package: Some(SYSTEM_UI.to_owned()),
            active: false,
        };
        // The status bar and the navigation bar lie above everything else.
        let mut infos: Vec<WindowInfo> = (0..2).map(system).collect();
        infos.extend(windows.iter().rev().map(|window| WindowInfo {
            kind: window.kind,
            package: Some(window.package.to_string()),
            active: window.active,
        }));
        View {
            revision: self.revision,
            windows,
            tree: Arc::new(tree),
            keys,
            infos,
        }
    }

    fn active_window(&mut self) -> Option<Shown> {
        let front = Arc::clone(&self.front);
        let task = self.task(&front)?;
        match task.stack.last().filter(|_| task.ready) {
            Some(activity) => {
                let depth = activity.dialogs.len();
                self.page_window(&front, depth)
            }
            None => Some(Shown {
                // Nothing of the app is there yet but an empty window.
                id: u64::MAX,
                kind: WindowKind::Application,
                class: Arc::from("android.widget.FrameLayout"),
                title: Arc::clone(&task.app.label),
                package: front,
                layer: 0,
                active: true,
                area: self.screen.to_rect(),
                scene: Scene::default(),
                focus: None,
                toolkit: Toolkit::Views,
            }),
        }
    }

    /// The window of a screen (`depth` 0) or of one of the dialogs above it.
    pub(crate) fn page_window(&mut self, package: &str, depth: usize) -> Option<Shown> {
        let bars = Bars::of(&self.theme);
        let screen = self.screen;
        let now = self.now;
        let density = self.theme.density;
        let Phone {
            tasks,
            ruler,
            system,
            keyboard,
            ..
        } = self;
        let task = tasks.iter_mut().find(|task| &*task.package == package)?;
        let Task {
            app,
            vars,
            stack,
            package,
            ..
        } = task;
        let Activity {
            open,
            dialogs,
            snackbar,
        } = stack.last_mut()?;
        let open = match depth.checked_sub(1) {
            Some(above) => dialogs.get_mut(above)?,
            None => open,
        };
        let covered = keyboard
            .as_ref()
            .is_some_and(|keyboard| keyboard.window == open.id);
        // What scrolls shrinks for the keyboard, what does not moves up.
        let shrinks = covered && open.page.scrolls;
        let keyboard_top = if covered {
            screen.height - keyboard_height(screen)
        } else {
            screen.height
        };
        let dialog = matches!(open.page.kind, PageKind::Dialog { .. });
        let age = now.saturating_sub(open.since);
        let (scene, area) = loop {
            // A field that is to be brought into sight is looked for where it stood before the window shrinks: after
            // that its row may be out of the window.
            let looks = open.local.reveal;
            let bottom = if shrinks && !looks {
                screen.height - keyboard_top
            } else {
                bars.navigation
            };
            let room = Room {
                screen: screen.to_rect(),
                top: bars.status,
                bottom,
                side: ruler.theme().dp(28.0),
                keyboard_top,
            };
            let Open {
                page,
                local,
                cache,
                scope,
                ..
            } = &mut *open;
            let mut env = Env {
                app,
                vars,
                local,
                system,
                ruler,
                cache,
                insets: (bars.status as f32, bottom as f32),
                collapse_range: collapse_range(page.header, density),
                age,
                passed: page.moments.iter().filter(|moment| **moment <= age).count(),
            };
            let elements = build(&env, &page.root, scope, Key(0));
            let fragment = Arc::new(room.lay_out(&mut env, elements, dialog));
            let bar = snackbar.as_ref().filter(|_| !dialog).map(|bar| {
                let elements = build(&env, &bar.root, &bar.scope, Key(0));
                let width = screen.width as f32;
                let fragment = lay_out(&mut env, elements, Some(width), None);
                let density = env.ruler.theme().density;
                Arc::new(with_margin(fragment, &bar.root, density))
            });
            let mut scene = Scene::default();
            let area = room.place(&mut scene, &fragment, local);
            if let Some(bar) = bar {
                let y = (screen.height - bottom) as f32 - bar.height;
                scene.put_above(0, &bar, (0.0, y), screen.to_rect(), local);
            }
            if !looks {
                break (scene, area);
            }
            reveal(&scene, local, keyboard_top, screen.height - bars.navigation);
        };
        let names = Names {
            vars,
            scope: &open.scope,
        };
        Some(Shown {
            id: open.id,
            kind: WindowKind::Application,
            package: Arc::clone(package),
            class: Arc::clone(&open.page.class),
            title: open.page.title.text(&names),
            layer: i32::try_from(depth).unwrap_or(i32::MAX),
            active: true,
            area,
            scene,
            focus: open.local.focus,
            toolkit: open.page.toolkit,
        })
    }

    fn keyboard_window(&mut self) -> Option<Shown> {
        let bars = Bars::of(&self.theme);
        let height = keyboard_height(self.screen);
        let screen = self.screen;
        let Phone {
            keyboard,
            tasks,
            ruler,
            system,
            front,
            ..
        } = self;
        let keyboard = keyboard.as_mut()?;
        let root = keyboard.root()?;
        let task = tasks.iter().find(|task| task.package == *front)?;
        let mut env = Env {
            app: &task.app,
            vars: &task.vars,
            local: &keyboard.local,
            system,
            ruler,
            cache: &mut keyboard.cache,
            insets: (0.0, bars.navigation as f32),
            collapse_range: 0.0,
            age: std::time::Duration::ZERO,
            passed: 0,
        };
        let elements = build(&env, &root, &keyboard.scope, Key(0));
        let size = (screen.width as f32, height as f32);
        let fragment = lay_out(&mut env, elements, Some(size.0), Some(size.1));
        let mut scene = Scene::default();
        let top = screen.height - height;
        let area = Rect::new(0, top, screen.width, screen.height);
        scene.put(
            &Arc::new(fragment),
            (0.0, top as f32),
            area,
            &keyboard.local,
        );
        Some(Shown {
            id: KEYBOARD_WINDOW,
            kind: WindowKind::InputMethod,
            package: Arc::from(INPUT_METHOD),
            class: Arc::from("android.inputmethodservice.SoftInputWindow"),
            title: Arc::from("InputMethod"),
            layer: 10,
            active: false,
            area,
            scene,
            focus: None,
            toolkit: Toolkit::Views,
        })
    }

    fn tree(&self, windows: &[Shown]) -> (UiTree, Vec<(u64, Key)>) {
        let mut builder = TreeBuilder::new(self.screen, 0);
        let mut keys = Vec::new();
        for window in windows {
            // A plain activity goes without a title: it is the window that a dump means when it says nothing.
            let plain = window.kind == WindowKind::Application && window.layer == 0;
            let title = if plain { "" } else { &*window.title };
            builder.window(window.kind, window.layer, window.active, title);
            if window.scene.items.is_empty() {
                builder.open(NodeSpec {
                    class: (&*window.class).into(),
                    owner: (&*window.package).into(),
                    bounds: Some(window.area),
                    state: State::ENABLED | State::VISIBLE,
                    ..NodeSpec::default()
                });
                builder.close();
                keys.push((window.id, Key(u64::MAX)));
                continue;
            }
            let reach: BTreeMap<usize, f32> = window
                .scene
                .scrolls
                .iter()
                .map(|scroll| (scroll.item, scroll.reach))
                .collect();
            // Views are written as they are; other toolkits are looked at as a whole first.
            let plain = window.toolkit == Toolkit::Views;
            let mut drafts = Drafts::default();
            let mut open: Vec<usize> = Vec::new();
            for (index, item) in window.scene.items.iter().enumerate() {
                while open.last().is_some_and(|end| *end <= index) {
                    open.pop();
                    if plain {
                        builder.close();
                    } else {
                        drafts.close();
                    }
                }
                let element = item.element();
                if !element.is_node() {
                    continue;
                }
                let mut node = element.node(&window.package, window.focus == Some(element.key));
                node.bounds = Some(item.bounds);
                node.state.set(State::VISIBLE, item.is_visible());
                node.state.set(
                    State::SCROLLABLE,
                    node.state.contains(State::SCROLLABLE)
                        || reach.get(&index).is_some_and(|reach| *reach > 0.0),
                );
                open.push(item.end);
                if plain {
                    builder.open(node);
                    keys.push((window.id, element.key));
                } else {
                    drafts.open(node, element.key, element.spec.tag.as_ref());
                }
            }
            for _ in open {
                if plain {
                    builder.close();
                } else {
                    drafts.close();
                }
            }
            drafts.write(window.toolkit, &mut builder, &mut |key| {
                keys.push((window.id, key));
            });
        }
        (builder.finish(), keys)
    }
}

/// The room that a window may take.
struct Room {
    screen: Rect,
    top: i32,
    bottom: i32,
    side: i32,
    /// The upper edge of the keyboard, or the end of the screen.
    keyboard_top: i32,
}

impl Room {
    fn lay_out(
        &self,
        env: &mut Env<'_>,
        elements: Vec<crate::widget::Element>,
        dialog: bool,
    ) -> Fragment {
        let (width, height) = (self.screen.width() as f32, self.screen.height() as f32);
        if !dialog {
            return lay_out(env, elements, Some(width), Some(height));
        }
        let width = width - 2.0 * self.side as f32;
        let most = height - (self.top + self.bottom + self.side) as f32;
        let fragment = lay_out(env, elements.clone(), Some(width), None);
        if fragment.height > most {
            lay_out(env, elements, Some(width), Some(most))
        } else {
            fragment
        }
    }

    /// Puts a window's widgets onto the screen and gives the window's place.
    fn place(&self, scene: &mut Scene, fragment: &Arc<Fragment>, local: &Local) -> Rect {
        let (width, height) = (fragment.width as i32, fragment.height as i32);
        let left = (self.screen.width() - width) / 2;
        let free = self.screen.height() - self.top - self.bottom - height;
        let full = height >= self.screen.height();
        let top = if full {
            0
        } else {
            self.top + (free / 2).max(0)
        };
        let area = Rect::new(left, top, left + width, top + height);
        scene.put(fragment, (left as f32, top as f32), self.screen, local);
        let pan = self.pan(scene, local);
        if pan > 0 {
            *scene = Scene::default();
            scene.put(
                fragment,
                (left as f32, (top - pan) as f32),
                self.screen,
                local,
            );
        }
        area
    }

    /// How far the window moves up so that the keyboard does not cover the field that it writes into.
    fn pan(&self, scene: &Scene, local: &Local) -> i32 {
        if self.keyboard_top >= self.screen.height() {
            return 0;
        }
        let item = local.focus.and_then(|key| scene.find(key));
        let Some((index, item)) = item.and_then(|index| Some((index, scene.items.get(index)?)))
        else {
            return 0;
        };
        // What stands in a scroller is scrolled into sight instead.
        let scrolls = scene
            .ancestors(index)
            .any(|each| scene.scrolls.iter().any(|scroll| scroll.item == each));
        if scrolls {
            0
        } else {
            (item.rect.bottom - self.keyboard_top).max(0)
        }
    }
}

/// Scrolls the focused widget into the part of its scroller that is left when the window's lower edge moves up from
/// `floor` to `limit`.
fn reveal(scene: &Scene, local: &mut Local, limit: i32, floor: i32) {
    local.reveal = false;
    let Some(index) = local.focus.and_then(|key| scene.find(key)) else {
        return;
    };
    let scroll = scene.ancestors(index).find_map(|each| {
        let same = |scroll: &&ScrollBox| scroll.item == each && scroll.axis == Axis::Vertical;
        scene.scrolls.iter().find(same)
    });
    let Some(scroll) = scroll else { return };
    let (Some(item), Some(window)) = (scene.items.get(index), scene.items.get(scroll.item)) else {
        return;
    };
    // What stands below the scrolling part, such as a bar with a button, moves up with the edge of the window.
    let bar = (floor - window.rect.bottom).max(0);
    let below = (item.rect.bottom - window.rect.bottom.min(limit - bar)).max(0);
    let above = (window.rect.top - item.rect.top).max(0);
    if below != above {
        // The end of the way is not known before the window has shrunk; the scene keeps to it.
        let offset = (scroll.offset + (below - above) as f32).max(0.0);
        local.scroll.insert(scroll.key, offset);
    }
}

/// How many pixels of a header can be scrolled away.
pub(crate) fn collapse_range(header: Header, density: f32) -> f32 {
    match header {
        Header::Large => crate::app::LARGE.open.px(density) - crate::app::LARGE.closed.px(density),
        Header::Plain | Header::None => 0.0,
    }
}
