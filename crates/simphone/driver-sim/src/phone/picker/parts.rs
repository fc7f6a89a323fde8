//! The views that both pickers are made of.

use std::sync::Arc;

use crate::app::{
    Dim, Effect, Effects, Frame, Header, Ink, Orientation, Page, PageKind, PickAct, Sides,
    SoftInput, Stand, Template, Transition, no_effects,
};
use crate::motion::Plays;
use crate::widget::{Axis, Button, ButtonLook, Group, Icon, IconLook, Kind, Lettering, Spec, Text};
use crate::window::Toolkit;
use draw::{Align, TextRole};

use super::PickerStyle;

/// Slots of a picker's widgets, beyond those of any app file and below those of the lists that open above it.
pub(super) const SLOTS: u32 = u32::MAX - 8192;

/// Makes widgets with slots of their own.
pub(super) struct Maker {
    slot: u32,
}

impl Maker {
    pub(super) const fn new() -> Self {
        Self { slot: SLOTS }
    }

    pub(super) fn spec(&mut self, kind: Kind) -> Spec {
        self.slot += 1;
        Spec::new(self.slot, kind)
    }

    pub(super) fn group(&mut self, axis: Axis, class: &'static str, id: &str) -> Spec {
        let mut spec = self.spec(Kind::Group(Group {
            class,
            ..Group::new(axis)
        }));
        spec.id = id_of(id);
        spec
    }

    /// What gives room and is no view.
    pub(super) fn room(&mut self, axis: Axis) -> Spec {
        self.spec(Kind::Group(Group {
            node: false,
            ..Group::new(axis)
        }))
    }

    pub(super) fn words(&mut self, text: &str, role: TextRole, color: Ink, id: &str) -> Spec {
        let mut spec = self.spec(words(text, role, color));
        spec.id = id_of(id);
        spec
    }

    /// A picture to press.
    pub(super) fn icon(&mut self, icon: &str, says: &str, id: &str, act: PickAct) -> Spec {
        let mut picture = Icon::new(Template::fixed(icon), IconLook::Button, 24.0);
        picture.color = Ink::Muted;
        let mut spec = self.spec(Kind::Icon(picture));
        spec.id = id_of(id);
        spec.label = Template::fixed(says);
        spec.on_click = acting(act);
        spec.frame.width = Dim::Dp(48.0);
        spec.frame.height = Dim::Dp(48.0);
        spec
    }

    fn button(&mut self, text: &str, id: &str, effect: Effect) -> Spec {
        let button = Button::new(Template::fixed(text), ButtonLook::Text);
        let mut spec = self.spec(Kind::Button(button));
        spec.id = id_of(id);
        spec.on_click = Effects::from(vec![effect]);
        spec
    }

    /// The whole window around the picker itself; `beside` stands at the other end of the line of the buttons.
    pub(super) fn page(
        &mut self,
        name: &str,
        class: &str,
        picker: Spec,
        beside: Option<Spec>,
    ) -> Page {
        let mut custom = self.group(Axis::Depth, FRAME, "custom");
        custom.children.push(Arc::new(picker));
        let mut bar = self.group(Axis::Horizontal, LINEAR, "buttonPanel");
        bar.frame.padding = Some(Sides {
            top: Dim::Dp(4.0),
            right: Dim::Dp(16.0),
            bottom: Dim::Dp(12.0),
            left: Dim::Dp(16.0),
        });
        bar.frame.gap = Dim::Dp(8.0);
        bar.frame.align = Some(Stand::Center);
        bar.children.extend(beside.map(Arc::new));
        let mut gap = self.room(Axis::Depth);
        gap.frame.grow = Some(1.0);
        let cancel = self.button("Cancel", "button2", Effect::Dismiss);
        let ok = self.button("OK", "button1", Effect::Picker(PickAct::Confirm));
        bar.children
            .extend([gap, cancel, ok].into_iter().map(Arc::new));
        let mut panel = self.group(Axis::Vertical, LINEAR, "parentPanel");
        panel.frame = Frame {
            background: Some(Ink::Surface),
            radius: Some(Dim::Dp(28.0)),
            ..Frame::default()
        };
        panel.children = vec![Arc::new(custom), Arc::new(bar)];
        let mut content = self.group(Axis::Depth, FRAME, "content");
        content.children.push(Arc::new(panel));
        let mut decor = self.group(Axis::Depth, FRAME, "");
        decor.children.push(Arc::new(content));
        let root = Arc::new(decor);
        Page {
            name: Arc::from(name),
            kind: PageKind::Dialog { cancelable: true },
            title: Template::default(),
            class: Arc::from(class),
            plays: Plays::of(&root),
            root,
            timers: Vec::new(),
            single_top: false,
            on_resume: no_effects(),
            on_pause: no_effects(),
            on_back: no_effects(),
            on_open: no_effects(),
            on_menu: no_effects(),
            on_search: no_effects(),
            moments: Vec::new(),
            header: Header::None,
            toolkit: Toolkit::Views,
            drawer: false,
            orientation: Orientation::Any,
            owner: None,
            scrolls: false,
            auto_focus: false,
            soft_input: SoftInput::default(),
            transition: Transition::default(),
            still: None,
        }
    }
}

pub(super) const LINEAR: &str = "android.widget.LinearLayout";
pub(super) const FRAME: &str = "android.widget.FrameLayout";
pub(super) const VIEW: &str = "android.view.View";

/// Words in one line, in the middle.
pub(super) fn words(text: &str, role: TextRole, color: Ink) -> Kind {
    Kind::Text(Text {
        text: Template::fixed(text),
        style: Lettering {
            lines: Some(1),
            align: Align::Center,
            ..Lettering::new(role, color)
        },
        heading: false,
    })
}

/// Words that begin where their line begins.
pub(super) fn at_start(spec: &mut Spec) {
    if let Kind::Text(text) = &mut spec.kind {
        text.style.align = Align::Start;
    }
}

/// An id of the platform; none for no name.
pub(super) fn id_of(name: &str) -> Arc<str> {
    if name.is_empty() {
        Arc::default()
    } else {
        Arc::from(format!("android:id/{name}"))
    }
}

pub(super) fn acting(act: PickAct) -> Effects {
    Effects::from(vec![Effect::Picker(act)])
}

/// A round thing of this size, on a ground while it is the chosen one.
pub(super) fn round(spec: &mut Spec, side: f32, line: f32, chosen: Option<Ink>) {
    spec.frame.width = Dim::Dp(side);
    spec.frame.height = Dim::Dp(side);
    spec.frame.radius = Some(Dim::Dp(side / 2.0));
    let above = ((side - line) / 2.0).max(0.0);
    spec.frame.padding = Some(Sides::axes(Dim::Dp(above), Dim::Dp(0.0)));
    spec.frame.background = chosen;
}

impl PickerStyle {
    /// Which way the head of a picker stands to the rest of it.
    pub(super) const fn axis(self) -> Axis {
        if self.wide {
            Axis::Horizontal
        } else {
            Axis::Vertical
        }
    }
}
