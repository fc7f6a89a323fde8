//! Lays out the windows of the screen; the current and the observed revisions.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use driver::{Observation, Revision, WindowInfo};
use uitree::{Rect, UiTree, WindowKind};

use crate::journal::Event;
use sim_format::app::{MAX_WIDGETS, PageKind};
use sim_format::expr::Names;
use sim_format::widget::Key;
use sim_view::env::{Env, Insets};
use sim_view::layout::{Item, Layout, Scene, build, lay_out, scroll_fields, with_margin};
use sim_view::widget::Element;
use sim_view::window::{INPUT_METHOD, KEYBOARD_WINDOW, SYSTEM_UI, keyboard_height};
pub(crate) use sim_view::window::{ScreenWindow, lay_out_static, place_static};

use super::window_bounds::{WindowBounds, collapse_range, reveal};
use super::{Activity, Open, Phone, Task, static_screen};

/// How many observations are kept, so that their nodes can be acted on.
const KEPT_OBSERVATIONS: usize = 4;

#[derive(Debug)]
pub(crate) struct View {
    pub(crate) revision: u64,
    /// The active window, then those above it.
    pub(crate) windows: Vec<ScreenWindow>,
    pub(crate) tree: Arc<UiTree>,
    /// The widget of each node of the tree.
    pub(crate) keys: Vec<(u64, Key)>,
    pub(crate) infos: Vec<WindowInfo>,
}

impl View {
    pub(crate) fn window(&self, id: u64) -> Option<&ScreenWindow> {
        self.windows.iter().find(|window| window.id == id)
    }

    /// A widget in the layout of its window.
    pub(crate) fn item(&self, window: u64, key: Key) -> Option<(&ScreenWindow, &Item)> {
        let shown = self.window(window)?;
        let item = shown.scene.items.get(shown.scene.find(key)?)?;
        Some((shown, item))
    }

    /// The widgets of a window, in document order.
    pub(crate) fn elements(&self, window: u64) -> impl Iterator<Item = &Element> {
        let windows = self.window(window).into_iter();
        windows.flat_map(|window| window.scene.items.iter().map(Item::element))
    }
}

/// The current layout of the screen and the last observed ones.
#[derive(Debug)]
pub(crate) struct Frames {
    revision: u64,
    /// When this revision began; animations are drawn at this time, whenever the screen is observed.
    drawn: Duration,
    current: Option<Arc<View>>,
    /// The last observations, oldest first, which resolve references to nodes.
    observed: VecDeque<Arc<View>>,
}

impl Frames {
    pub(super) const fn new() -> Self {
        Self {
            revision: 1,
            drawn: Duration::ZERO,
            current: None,
            observed: VecDeque::new(),
        }
    }

    pub(crate) const fn revision(&self) -> u64 {
        self.revision
    }

    pub(crate) const fn drawn(&self) -> Duration {
        self.drawn
    }

    /// Starts a new revision.
    pub(super) const fn bump(&mut self, now: Duration) {
        self.revision += 1;
        self.drawn = now;
    }

    /// The last layout, of any revision.
    pub(crate) const fn current(&self) -> Option<&Arc<View>> {
        self.current.as_ref()
    }

    /// The layout of this revision, if there is one.
    fn valid(&self) -> Option<&Arc<View>> {
        self.current().filter(|view| view.revision == self.revision)
    }

    fn remember(&mut self, view: &Arc<View>) {
        let last = self.observed.back();
        if last.is_none_or(|last| last.revision != view.revision) {
            self.observed.push_back(Arc::clone(view));
            if self.observed.len() > KEPT_OBSERVATIONS {
                self.observed.pop_front();
            }
        }
    }

    pub(crate) fn observed(&self, revision: u64) -> Option<&Arc<View>> {
        self.observed.iter().find(|view| view.revision == revision)
    }
}

impl Phone {
    /// Observes the screen; `None` while it is off.
    pub fn observe(&mut self) -> Option<Observation> {
        if !self.awake {
            return None;
        }
        let view = self.view();
        self.frames.remember(&view);
        self.peek()
    }

    /// Reads the screen for a comparison with answers: unlike [`observe`](Self::observe) it does not change which
    /// observations are kept, and its nodes cannot be acted on.
    pub fn peek(&mut self) -> Option<Observation> {
        self.awake.then(|| self.view()).map(|view| Observation {
            tree: view.tree.clone(),
            revision: Revision(view.revision),
            foreground: self.foreground(),
            url: None,
            windows: view.infos.clone(),
            other_displays: Vec::new(),
        })
    }

    pub fn foreground(&self) -> Option<String> {
        if !self.awake {
            return None;
        }
        let above = self.system_window();
        let above = above.and_then(|window| self.overlay_owner(window));
        Some(above.as_ref().unwrap_or(self.tasks.front()).to_string())
    }

    /// The current layout, made at most once per revision.
    pub(crate) fn view(&mut self) -> Arc<View> {
        if let Some(view) = self.frames.valid() {
            return Arc::clone(view);
        }
        let view = Arc::new(self.make_view());
        self.frames.current = Some(Arc::clone(&view));
        view
    }

    pub(crate) fn make_view(&mut self) -> View {
        let mut windows = Vec::new();
        if self.awake {
            match self.system_window() {
                Some(window) => windows.extend(self.overlay_window(window)),
                None => {
                    let front = Arc::clone(self.tasks.front());
                    windows.extend(self.app_windows(&front));
                }
            }
            windows.extend(self.keyboard_window());
            for window in self.banners() {
                windows.extend(self.overlay_window(window));
            }
        }
        let (tree, keys) = self.tree(&windows);
        let system = |_: usize| WindowInfo {
            kind: WindowKind::System,
            package: Some(SYSTEM_UI.to_owned()),
            active: false,
        };
        // The status bar and the navigation bar are the topmost.
        let mut infos: Vec<WindowInfo> = (0..2).map(system).collect();
        if static_screen::screen(&windows).is_some() {
            // The tree of a static screen has all windows.
            infos.clear();
        }
        infos.extend(windows.iter().rev().flat_map(static_screen::infos));
        View {
            revision: self.frames.revision(),
            windows,
            tree: Arc::new(tree),
            keys,
            infos,
        }
    }

    /// The topmost window of an app; a screen with the banners above it.
    fn app_windows(&mut self, package: &Arc<str>) -> Vec<ScreenWindow> {
        let area = self.display.size().to_rect();
        let Some(task) = self.task(package) else {
            return Vec::new();
        };
        match task.stack.last().filter(|_| task.ready) {
            Some(activity) => {
                let (active, top) = (activity.top_depth(), activity.dialogs.len());
                (active..=top)
                    .filter_map(|depth| {
                        let mut shown = self.page_window(package, None, depth)?;
                        shown.active = depth == active;
                        Some(shown)
                    })
                    .collect()
            }
            // While the app starts, it has an empty window.
            None => vec![ScreenWindow {
                class: Arc::from("android.widget.FrameLayout"),
                title: Arc::clone(&task.app.label),
                active: true,
                ..ScreenWindow::empty(u64::MAX, WindowKind::Application, Arc::clone(package), area)
            }],
        }
    }

    /// Lays out a screen (`depth` 0) or one of the dialogs above it, of the app's topmost screen or of the one at
    /// `level` of its stack.
    pub(crate) fn page_window(
        &mut self,
        package: &str,
        level: Option<usize>,
        depth: usize,
    ) -> Option<ScreenWindow> {
        let area = self.display.size().to_rect();
        let insets = self.insets_of(area);
        let screen = self.display.size();
        let now = self.clock.now();
        let drawn = self.frames.drawn();
        let density = self.theme.density;
        let Phone {
            tasks,
            ruler,
            system,
            editor,
            ..
        } = self;
        let keyboard = &editor.keyboard;
        let Task {
            app,
            vars,
            stack,
            package,
            ..
        } = tasks.get_mut(package)?;
        let Activity {
            open,
            dialogs,
            snackbar,
            ..
        } = match level {
            Some(level) => stack.get_mut(level)?,
            None => stack.last_mut()?,
        };
        let open = match depth.checked_sub(1) {
            Some(above) => dialogs.get_mut(above)?,
            None => open,
        };
        let of = keyboard.as_ref().map(|keyboard| keyboard.window);
        let covered = of == Some(open.id);
        // Pages that scroll shrink for the keyboard, others move up.
        let shrinks = covered && open.page.scrolls;
        let keyboard_top = if covered {
            (screen.height - keyboard_height(screen)).min(area.bottom)
        } else {
            area.bottom
        };
        let kind = open.page.kind;
        let age = now.saturating_sub(open.since);
        let drawn_age = drawn.saturating_sub(open.since);
        let mut revealed = None;
        let (mut scene, place) = loop {
            // A field to be revealed is located before the window shrinks: afterwards its row may be outside.
            let reveals = open.local.reveal;
            let bottom = if shrinks && !reveals {
                (area.bottom - keyboard_top) as f32
            } else {
                insets.bottom
            };
            let bounds = WindowBounds {
                area,
                top: insets.top as i32,
                right: insets.right as i32,
                bottom: bottom as i32,
                side: ruler.theme().dp(28.0),
                keyboard_top,
                anchor: open.anchor,
                density,
            };
            let Open {
                page,
                local,
                cache,
                scope,
                ..
            } = &mut *open;
            local.motion.set_time(drawn, drawn_age, density);
            cache.begin();
            let env = Env {
                app,
                vars,
                local,
                system,
                ruler,
                insets: Insets { bottom, ..insets },
                collapse_range: collapse_range(page.header, density),
                age,
                passed: page.moments.iter().filter(|moment| **moment <= age).count(),
            };
            let mut layout = Layout { env, cache };
            let elements = build(&layout, &page.root, scope, Key(0));
            let static_screen = page.static_screen.as_ref();
            let fragment = match static_screen {
                Some(static_screen) => Arc::new(lay_out_static(static_screen, &layout, scope)),
                None => bounds.lay_out(&mut layout, elements, kind),
            };
            let bar = snackbar
                .as_ref()
                .filter(|_| kind == PageKind::Screen)
                .map(|bar| {
                    let elements = build(&layout, &bar.root, &bar.scope, Key(0));
                    let width = area.width() as f32 - insets.right;
                    let fragment = lay_out(&mut layout, elements, Some(width), None);
                    let density = layout.ruler.theme().density;
                    Arc::new(with_margin(fragment, &bar.root, density))
                });
            let mut scene = Scene::default();
            let place = match static_screen {
                Some(static_screen) => place_static(static_screen, &mut scene, &fragment, screen),
                None => bounds.place(&mut scene, &fragment, kind, local),
            };
            if let Some(bar) = bar {
                let y = area.bottom as f32 - bottom - bar.height + local.motion.message().1;
                if static_screen.is_some() {
                    scene.put(&bar, (0.0, y), area, local);
                    break (scene, place);
                }
                scene.put_above(0, &bar, (area.left as f32, y), area, local);
            }
            if !reveals {
                break (scene, place);
            }
            let floor = area.bottom - insets.bottom as i32;
            let limit = if shrinks { keyboard_top } else { floor };
            revealed = reveal(&scene, local, limit, floor);
        };
        scroll_fields(&mut scene, &mut open.local, ruler);
        let names = Names {
            vars,
            scope: &open.scope,
        };
        let cut = open.cache.budget.is_cut() && !std::mem::replace(&mut open.cache.reported, true);
        let app = Arc::clone(package);
        let shown = ScreenWindow {
            id: open.id,
            kind: WindowKind::Application,
            package: Arc::clone(open.page.owner.as_ref().unwrap_or(package)),
            class: Arc::clone(&open.page.class),
            title: open.page.title.text(&names),
            layer: i32::try_from(depth).unwrap_or(i32::MAX),
            active: true,
            area: place,
            scene,
            static_screen: open.page.static_screen.clone(),
            focus: open.local.focus,
            cursor: open.local.cursor,
            ring: open.local.ring,
            toolkit: open.page.toolkit,
        };
        if cut {
            self.note(Event::WidgetsCut {
                app,
                most: MAX_WIDGETS,
            });
        }
        if let Some((key, from)) = revealed {
            self.note_revealed(&shown, key, from);
        }
        Some(shown)
    }

    /// Notes that content was scrolled to reveal a field.
    fn note_revealed(&mut self, shown: &ScreenWindow, key: Key, from: f32) {
        let scene = &shown.scene;
        let scroll = scene.scrolls.iter().find(|scroll| scroll.key == key);
        if let Some(scroll) = scroll
            && let Some(item) = scene.items.get(scroll.item)
            && let dy = (scroll.offset - from).round() as i32
            && dy != 0
        {
            let widget = self.widget(shown.id, item.element());
            self.note(Event::Scrolled { widget, dx: 0, dy });
        }
    }

    /// Whether the window at this depth above an app's topmost screen dims those below.
    pub(crate) fn window_dims(&self, package: &str, depth: usize) -> bool {
        let activity = self.task(package).and_then(|task| task.stack.last());
        let above = depth.checked_sub(1);
        let open = above.and_then(|above| activity?.dialogs.get(above));
        open.is_some_and(|open| open.page.kind.dims())
    }

    fn keyboard_window(&mut self) -> Option<ScreenWindow> {
        let insets = self.insets_of(self.display.size().to_rect());
        let height = keyboard_height(self.display.size());
        let screen = self.display.size();
        let drawn = self.frames.drawn();
        let Phone {
            editor,
            tasks,
            ruler,
            system,
            ..
        } = self;
        let keyboard = editor.keyboard.as_mut()?;
        let root = keyboard.root();
        let task = tasks.get(tasks.front())?;
        keyboard.cache.begin();
        let env = Env {
            app: &task.app,
            vars: &task.vars,
            local: &keyboard.local,
            system,
            ruler,
            insets: Insets { top: 0.0, ..insets },
            collapse_range: 0.0,
            age: std::time::Duration::ZERO,
            passed: 0,
        };
        let mut layout = Layout {
            env,
            cache: &mut keyboard.cache,
        };
        let elements = build(&layout, &root, &keyboard.scope, Key(0));
        let size = (screen.width as f32, height as f32);
        let fragment = lay_out(&mut layout, elements, Some(size.0), Some(size.1));
        let mut scene = Scene::default();
        let top = screen.height - height;
        let area = Rect::new(0, top, screen.width, screen.height);
        keyboard
            .local
            .motion
            .set_time(drawn, std::time::Duration::ZERO, ruler.theme().density);
        let (dx, dy) = keyboard.local.motion.window();
        scene.put(
            &Arc::new(fragment),
            (dx, top as f32 + dy),
            area,
            &keyboard.local,
        );
        Some(ScreenWindow {
            class: Arc::from("android.inputmethodservice.SoftInputWindow"),
            title: Arc::from("InputMethod"),
            layer: 10,
            scene,
            ..ScreenWindow::empty(
                KEYBOARD_WINDOW,
                WindowKind::InputMethod,
                Arc::from(INPUT_METHOD),
                area,
            )
        })
    }
}
