//! The same widgets as Jetpack Compose shows them to accessibility.
//!
//! An app made of views has a node for each view. Compose draws on one view and answers for what is on it itself: it
//! leaves out what only lays things out, knows classes by what a thing does, and has no resource ids but those given
//! for tests.

mod compose;

use std::sync::Arc;

use uitree::{NodeSpec, State, TreeBuilder};

use sim_format::Toolkit;
use sim_format::widget::Key;

/// A node before it is written, with all that is in it.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub node: NodeSpec,
    pub key: Key,
    /// Its name for tests.
    pub tag: Option<Arc<str>>,
    pub inside: Vec<Draft>,
}

/// Nodes of a window, collected from the outside in.
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

    /// Writes the nodes as `toolkit` shows them, and notes the widget behind each.
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

/// Replaces what is in the content view by the view on which `toolkit` draws.
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

/// What a view is, by the class that accessibility gives it.
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
    /// A button or chip that stays down.
    Held,
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
            "CompoundButton" => Part::Held,
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

    /// Whether it takes taps or could be chosen: the chosen one of several takes none.
    fn takes_taps(&self) -> bool {
        let state = self.node.state;
        state.intersects(State::CLICKABLE | State::CHECKABLE)
            || (state.contains(State::SELECTED | State::FOCUSABLE) && !self.node.label.is_empty())
    }

    /// A node of this class at the same place for the same widget, without words.
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

    /// This node without id, but for the one that was given for tests, and without what is in it.
    fn bare(&self, class: &str) -> Draft {
        let mut bare = self.like(class, self.node.state);
        bare.node.text = self.node.text.clone();
        bare.node.label = self.node.label.clone();
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

    /// The words in it, but for those of what takes taps by itself.
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
