//! The node tree of Jetpack Compose: layouts are absent, text inside clickable nodes stays a leaf, and the role of a
//! button is a separate node.

use uitree::State;

use super::{Draft, Part};

const VIEW: &str = "android.view.View";
const TEXT: &str = "android.widget.TextView";

pub(super) fn host(content: &Draft, inside: Vec<Draft>) -> Draft {
    let mut shown = Vec::new();
    for draft in inside {
        show(draft, Place::Free, &mut shown);
    }
    let root = content.like(VIEW, State::empty()).holding(shown);
    content
        .like("androidx.compose.ui.platform.ComposeView", State::empty())
        .holding(vec![root])
}

/// Whether a node is inside a clickable node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Free,
    Merged,
}

fn show(draft: Draft, place: Place, to: &mut Vec<Draft>) {
    let within = |draft: &mut Draft, place| {
        let mut shown = Vec::new();
        for inner in std::mem::take(&mut draft.inside) {
            show(inner, place, &mut shown);
        }
        shown
    };
    let mut draft = draft;
    match draft.part() {
        Part::Text => {
            let mut words = draft.bare(TEXT);
            if place == Place::Merged {
                // The selected state belongs to the clickable node, not to the text in it.
                words.node.state -= State::SELECTED;
            }
            to.push(words);
        }
        Part::Button | Part::ImageButton | Part::ToggleButton => {
            let mut inside = within(&mut draft, Place::Merged);
            inside.splice(0..0, words(&draft));
            if draft.part() != Part::ToggleButton {
                inside.push(draft.like("android.widget.Button", State::empty()));
            }
            to.push(without_text(&draft).holding(inside));
        }
        Part::Switch | Part::CheckBox | Part::Radio => {
            let class = match draft.part() {
                Part::CheckBox => "android.widget.CheckBox",
                Part::Radio => "android.widget.RadioButton",
                // A switch has its role as text, not as a class.
                _ => VIEW,
            };
            let mut inside = words(&draft);
            let shown = if inside.is_empty() {
                let mut shown = without_text(&draft);
                shown.node.class = class.into();
                shown
            } else {
                inside.push(draft.like(class, State::empty()));
                without_text(&draft).holding(inside)
            };
            to.push(shown);
        }
        Part::Field => {
            let mut shown = draft.bare("android.widget.EditText");
            let mut inside = Vec::new();
            if !draft.node.hint.is_empty() {
                inside.push(draft.like(TEXT, State::empty()).with_text(&draft.node.hint));
            }
            if draft.is(State::SHOWING_HINT) {
                // The hint is a separate text node; the field is empty.
                shown.node.text = "".into();
                shown.node.state -= State::SHOWING_HINT;
            }
            to.push(shown.holding(inside));
        }
        Part::Image if draft.takes_taps() => {
            let mut inside = words(&draft);
            inside.push(draft.like("android.widget.Button", State::empty()));
            to.push(without_text(&draft).holding(inside));
        }
        Part::Image => {
            if !draft.node.label.is_empty() {
                to.push(draft.bare(match place {
                    Place::Free => "android.widget.ImageView",
                    Place::Merged => VIEW,
                }));
            }
        }
        Part::Slider => to.push(draft.bare("android.widget.SeekBar")),
        Part::Progress => to.push(draft.bare("android.widget.ProgressBar")),
        Part::Web => {
            let holder = draft.like(
                "androidx.compose.ui.viewinterop.ViewFactoryHolder",
                State::empty(),
            );
            to.push(holder.holding(vec![draft]));
        }
        Part::Scroll | Part::List if draft.is(State::SCROLLABLE) => {
            let class = match draft.part() {
                Part::Scroll => draft.node.class.to_string(),
                _ => VIEW.to_owned(),
            };
            let inside = within(&mut draft, place);
            to.push(draft.bare(&class).holding(inside));
        }
        Part::Scroll | Part::List | Part::Group => {
            if draft.takes_taps() {
                let mut inside = words(&draft);
                inside.extend(within(&mut draft, Place::Merged));
                to.push(without_text(&draft).holding(inside));
                return;
            }
            if draft.tag.is_some() {
                let inside = within(&mut draft, place);
                to.push(draft.bare(VIEW).holding(inside));
                return;
            }
            to.extend(words(&draft));
            to.extend(within(&mut draft, place));
        }
    }
}

/// Returns a view with the flags of `draft` and without text, which is in separate nodes.
fn without_text(draft: &Draft) -> Draft {
    draft.bare(VIEW).with_text("").with_label("")
}

/// Returns the texts of `draft` as nodes.
fn words(draft: &Draft) -> Vec<Draft> {
    let mut words = Vec::new();
    if !draft.node.label.is_empty() && !repeats(draft) {
        words.push(
            draft
                .like(VIEW, State::empty())
                .with_label(&draft.node.label),
        );
    }
    if !draft.node.text.is_empty() {
        words.push(draft.like(TEXT, State::empty()).with_text(&draft.node.text));
    }
    words
}

/// Whether the description only repeats the texts inside.
fn repeats(draft: &Draft) -> bool {
    draft.words().contains(&&*draft.node.label)
}
