//! Jetpack Compose: bare views by what they do; layouts are absent, words inside what takes taps stay leaves, and the
//! role of a button is a node of its own.

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

/// Whether something is in what takes taps.
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
                // What is chosen is the thing that takes the taps, not the words in it.
                words.node.state -= State::SELECTED;
            }
            to.push(words);
        }
        Part::Button | Part::ImageButton | Part::Held => {
            let mut inside = within(&mut draft, Place::Merged);
            inside.splice(0..0, words(&draft));
            if draft.part() != Part::Held {
                inside.push(draft.like("android.widget.Button", State::empty()));
            }
            to.push(quiet(&draft).holding(inside));
        }
        Part::Switch | Part::CheckBox | Part::Radio => {
            let class = match draft.part() {
                Part::CheckBox => "android.widget.CheckBox",
                Part::Radio => "android.widget.RadioButton",
                // A switch names its role in text, not by its class.
                _ => VIEW,
            };
            let mut inside = words(&draft);
            let shown = if inside.is_empty() {
                let mut shown = quiet(&draft);
                shown.node.class = class.into();
                shown
            } else {
                inside.push(draft.like(class, State::empty()));
                quiet(&draft).holding(inside)
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
            to.push(quiet(&draft).holding(inside));
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
                to.push(quiet(&draft).holding(inside));
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

/// A view with the flags of `draft`; its words are nodes of their own.
fn quiet(draft: &Draft) -> Draft {
    draft.bare(VIEW).with_text("").with_label("")
}

/// The words of `draft` as nodes.
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

/// Whether the description only says what is in it anyway.
fn repeats(draft: &Draft) -> bool {
    draft.words().contains(&&*draft.node.label)
}
