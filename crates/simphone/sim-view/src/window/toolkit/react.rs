//! React Native: view groups all the way down; what takes taps says all the words in it.

use uitree::State;

use super::{Draft, Part, joined};

const GROUP: &str = "android.view.ViewGroup";

pub(super) fn host(content: &Draft, inside: Vec<Draft>) -> Draft {
    let shown = inside.into_iter().map(show).collect();
    let root = content.like(GROUP, State::empty()).holding(shown);
    content
        .like("android.widget.FrameLayout", State::empty())
        .holding(vec![root])
}

fn show(mut draft: Draft) -> Draft {
    let inside: Vec<Draft> = std::mem::take(&mut draft.inside)
        .into_iter()
        .map(show)
        .collect();
    let part = draft.part();
    let mut shown = match part {
        Part::Text | Part::Image if !draft.takes_taps() => draft.bare(&draft.node.class),
        Part::Field => {
            let mut field = draft.bare("android.widget.EditText");
            field.node.hint = draft.node.hint.clone();
            field
        }
        Part::Switch | Part::CheckBox | Part::Radio | Part::Slider | Part::Progress => {
            draft.bare(&draft.node.class)
        }
        Part::Web => {
            draft.inside = inside;
            return draft;
        }
        Part::Scroll | Part::List => {
            let class = if draft.node.class.ends_with("HorizontalScrollView") {
                "android.widget.HorizontalScrollView"
            } else {
                "android.widget.ScrollView"
            };
            let content = draft.like(GROUP, State::empty()).holding(inside);
            return draft.bare(class).holding(vec![content]);
        }
        Part::Button | Part::ImageButton | Part::Held => draft.bare("android.widget.Button"),
        Part::Text | Part::Image | Part::Group => draft.bare(GROUP),
    };
    shown.inside = inside;
    if !draft.takes_taps() {
        // What is chosen is the thing that takes the taps, not what is in it.
        shown.node.state -= State::SELECTED;
    }
    if draft.takes_taps() && part != Part::Field {
        shown.node.state |= State::CLICKABLE;
        shown.node.text = "".into();
        let mut whole = draft.like(GROUP, State::empty());
        whole.inside.clone_from(&shown.inside);
        let own = joined(&draft, ", ");
        let within = joined(&whole, ", ");
        let label = if own.is_empty() { within } else { own };
        if !draft.node.text.is_empty() {
            let words = draft.like("android.widget.TextView", State::empty());
            shown.inside.insert(0, words.with_text(&draft.node.text));
        }
        shown.node.label = label.into();
    }
    shown
}
