//! Generated trees, including unlikely ones.

use proptest::prelude::*;
use uitree::{
    Drawing, NodeSpec, Rect, Role, ScrollDirections, Size, State, TreeBuilder, UiTree, WindowKind,
};

/// Texts, including characters that are hard to encode.
pub(crate) fn any_words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        3 => prop::sample::select(vec![
            "Wi-Fi", "it's", "\"", "\\", "a & b <c>", "two\nlines", "\r\n", "\t", " padded ", "\u{a0}",
            "\u{200f}مرحبا", "日本語", "🧊", "\u{0}\u{1}\u{1f}", "\u{fffe}", "\u{fffd}", "\u{85}\u{2028}", "&amp;",
            "]]>", "\\n", "\\u{41}", "#id", ".class", "[0,0][1,1]", "~9", "//", "\u{feff}",
        ]).prop_map(str::to_owned),
        2 => any::<String>(),
        1 => "[ -~]{0,12}",
    ]
}

fn any_class() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "android.widget.TextView", "android.widget.EditText", "android.widget.LinearLayout",
            "android.view.View", "android.widget.Button", "androidx.recyclerview.widget.RecyclerView",
            "android.widget.", "u11", "", "android.widget.a b", ".odd", "android.widget.ImageView",
        ]).prop_map(str::to_owned),
        1 => any_words(),
    ]
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "drawing-order",
            "displayed",
            "screen-reader-focusable",
            "NAF",
            "text",
            "bounds",
            "window-layer",
            "visible-to-user",
            "role",
            "é",
            "x:y",
            "a.b",
            "1no",
            "no no",
            "",
            "=",
        ])
        .prop_map(str::to_owned),
        any_words(),
    ]
}

fn any_edge() -> impl Strategy<Value = i32> {
    prop_oneof![6 => -50..2500i32, 1 => any::<i32>()]
}

fn any_bounds() -> impl Strategy<Value = Option<Rect>> {
    let edges = (any_edge(), any_edge(), any_edge(), any_edge());
    let bounds = edges.prop_map(|(left, top, right, bottom)| Rect::new(left, top, right, bottom));
    prop::option::weighted(0.9, bounds)
}

prop_compose! {
    fn any_spec()(
        role in prop::option::of(prop::sample::select(Role::ALL.to_vec())),
        index in prop::option::of(0..5u32),
        text in any_words(),
        label in any_words(),
        hint in any_words(),
        id in any_words(),
        class in any_class(),
        owner in prop_oneof![2 => Just("com.shop".to_owned()), 1 => Just("com.android.systemui".to_owned()), 1 => any_words()],
        bounds in any_bounds(),
        (state, can_scroll) in any::<(u16, u8)>(),
        attributes in prop::collection::vec((any_name(), prop_oneof![Just("true".to_owned()), Just("false".to_owned()), any_words()]), 0..3),
    ) -> NodeSpec {
        NodeSpec {
            role,
            index,
            text: text.into(),
            label: label.into(),
            hint: hint.into(),
            id: id.into(),
            class: class.into(),
            owner: owner.into(),
            bounds,
            state: State::from_bits_truncate(state),
            can_scroll: ScrollDirections::from_bits_truncate(can_scroll),
            drawing: Drawing::default(),
            attributes: attributes.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        }
    }
}

/// A call of a builder.
#[derive(Clone, Debug)]
enum Step {
    Window(WindowKind, i32, bool, String, Option<Rect>),
    Open(Box<NodeSpec>),
    Close,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => (prop::sample::select(WindowKind::ALL.to_vec()), -1..3i32, any::<bool>(), any_words(), any_bounds())
            .prop_map(|(kind, layer, active, title, bounds)| Step::Window(kind, layer, active, title, bounds)),
        8 => any_spec().prop_map(|spec| Step::Open(Box::new(spec))),
        5 => Just(Step::Close),
    ]
}

fn any_size() -> impl Strategy<Value = Size> {
    prop_oneof![
        3 => Just(Size::new(1080, 2400)),
        1 => (any_edge(), any_edge()).prop_map(|(width, height)| Size::new(width, height)),
    ]
}

prop_compose! {
    pub(crate) fn any_tree()(
        size in any_size(),
        rotation in 0..4u8,
        steps in prop::collection::vec(any_step(), 0..40),
    ) -> UiTree {
        let mut builder = TreeBuilder::new(size, rotation);
        for step in steps {
            match step {
                Step::Window(kind, layer, active, title, bounds) => {
                    builder.window(kind, layer, active, &title);
                    builder.window_bounds(bounds.unwrap_or_default());
                }
                Step::Open(spec) => {
                    builder.open(*spec);
                }
                Step::Close => builder.close(),
            }
        }
        builder.finish()
    }
}
