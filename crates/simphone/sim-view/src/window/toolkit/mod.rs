//! Converts the node tree of a window to that of another UI toolkit.
//!
//! An app made of views has a node for each view. Compose draws on one view and reports virtual nodes: it omits layouts,
//! derives classes from roles, and has no resource ids except test tags.

mod compose;

use std::sync::Arc;

use uitree::{NodeSpec, State, TreeBuilder};

use sim_format::Toolkit;
use sim_format::widget::Key;

/// A node that is not written yet, with its children.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub node: NodeSpec,
    pub key: Key,
    pub tag: Option<Arc<str>>,
    pub inside: Vec<Draft>,
}

/// The nodes of a window, collected in document order.
#[derive(Debug, Default)]
pub struct Drafts {
    done: Vec<Draft>,
    open: Vec<Draft>,
}

impl Drafts {
    pub fn open(&mut self, node: NodeSpec, key: Key, tag: Option<Arc<str>>) {
        self.open.push(Draft {
            node,
            key,
            tag,
            inside: Vec::new(),
        });
    }

    pub fn close(&mut self) {
        if let Some(draft) = self.open.pop() {
            match self.open.last_mut() {
                Some(around) => around.inside.push(draft),
                None => self.done.push(draft),
            }
        }
    }

    /// Writes the nodes as `toolkit` reports them, and passes the widget of each to `noted`.
    pub fn write(self, toolkit: Toolkit, builder: &mut TreeBuilder, noted: &mut impl FnMut(Key)) {
        for mut draft in self.done {
            host(&mut draft, toolkit);
            put(draft, builder, noted);
        }
    }
}

fn put(draft: Draft, builder: &mut TreeBuilder, noted: &mut impl FnMut(Key)) {
    builder.open(draft.node);
    noted(draft.key);
    for inner in draft.inside {
        put(inner, builder, noted);
    }
    builder.close();
}

/// Replaces the children of the content view by the host view of `toolkit`.
fn host(draft: &mut Draft, toolkit: Toolkit) {
    if &*draft.node.id != "android:id/content" {
        for inner in &mut draft.inside {
            host(inner, toolkit);
        }
        return;
    }
    let inside = std::mem::take(&mut draft.inside);
    draft.inside = match toolkit {
        Toolkit::Views => inside,
        Toolkit::Compose => vec![compose::host(draft, inside)],
    };
}

/// The kind of a view, derived from its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Text,
    Button,
    ImageButton,
    Image,
    Field,
    Switch,
    CheckBox,
    Radio,
    ToggleButton,
    Slider,
    Progress,
    Scroll,
    List,
    Web,
    Group,
}

impl Draft {
    fn part(&self) -> Part {
        match self.node.class.rsplit('.').next().unwrap_or_default() {
            "TextView" | "CheckedTextView" => Part::Text,
            "Button" => Part::Button,
            "ImageButton" => Part::ImageButton,
            "ImageView" => Part::Image,
            "EditText" | "AutoCompleteTextView" => Part::Field,
            "Switch" => Part::Switch,
            "CheckBox" => Part::CheckBox,
            "RadioButton" => Part::Radio,
            "CompoundButton" => Part::ToggleButton,
            "SeekBar" => Part::Slider,
            "ProgressBar" => Part::Progress,
            "ScrollView" | "HorizontalScrollView" => Part::Scroll,
            "RecyclerView" | "ViewPager" => Part::List,
            "WebView" => Part::Web,
            _ => Part::Group,
        }
    }

    fn is(&self, flag: State) -> bool {
        self.node.state.contains(flag)
    }

    /// Whether it is clickable or selectable: the selected one of several is not clickable.
    fn takes_taps(&self) -> bool {
        let state = self.node.state;
        state.intersects(State::CLICKABLE | State::CHECKABLE)
            || (state.contains(State::SELECTED | State::FOCUSABLE) && !self.node.label.is_empty())
    }

    /// Returns a node of this class with the same bounds and widget, without text.
    fn like(&self, class: &str, state: State) -> Draft {
        Draft {
            node: NodeSpec {
                class: class.into(),
                owner: self.node.owner.clone(),
                bounds: self.node.bounds,
                state: state | (self.node.state & (State::VISIBLE | State::ENABLED)),
                ..NodeSpec::default()
            },
            key: self.key,
            tag: None,
            inside: Vec::new(),
        }
    }

    /// Returns this node without children, and with the test tag as its id.
    fn bare(&self, class: &str) -> Draft {
        let mut bare = self.like(class, self.node.state);
        bare.node.text = self.node.text.clone();
        bare.node.label = self.node.label.clone();
        bare.node.attributes = self.node.attributes.clone();
        bare.node.can_scroll = self.node.can_scroll;
        bare.node.id = self.tag.as_deref().unwrap_or_default().into();
        bare
    }

    fn with_text(mut self, text: &str) -> Draft {
        self.node.text = text.into();
        self
    }

    fn with_label(mut self, label: &str) -> Draft {
        self.node.label = label.into();
        self
    }

    fn holding(mut self, inside: Vec<Draft>) -> Draft {
        self.inside = inside;
        self
    }

    /// Returns the texts inside, except those of clickable nodes.
    fn words(&self) -> Vec<&str> {
        let mut words = Vec::new();
        for inner in &self.inside {
            if inner.takes_taps() && inner.part() != Part::Text {
                continue;
            }
            let own = [&*inner.node.text, &*inner.node.label]
                .into_iter()
                .find(|own| !own.is_empty());
            words.extend(own);
            words.extend(inner.words());
        }
        words
    }
}
