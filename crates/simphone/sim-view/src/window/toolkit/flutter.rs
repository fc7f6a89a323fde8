//! Flutter: one view whose nodes say everything in their descriptions; what is one thing to press is one node.

use uitree::State;

use super::{Draft, Part, joined};

const VIEW: &str = "android.view.View";

pub(super) fn host(content: &Draft, inside: Vec<Draft>) -> Draft {
    let mut shown = Vec::new();
    show_all(inside, &mut shown);
    // A node for each of: the view's root, its routes, the route in front and the page.
    let page = (0..4).fold(shown, |inside, _| {
        vec![content.like(VIEW, State::empty()).holding(inside)]
    });
    let view = content
        .like("android.widget.FrameLayout", State::FOCUSABLE)
        .holding(page);
    content
        .like("android.widget.FrameLayout", State::empty())
        .holding(vec![view])
}

fn show_all(drafts: Vec<Draft>, to: &mut Vec<Draft>) {
    let tabs = drafts.len() > 1
        && drafts.iter().all(|draft| {
            draft.part() == Part::Group && draft.is(State::FOCUSABLE) && draft.takes_taps()
        })
        && drafts
            .iter()
            .filter(|draft| draft.is(State::SELECTED))
            .count()
            == 1;
    let count = drafts.len();
    for (index, draft) in drafts.into_iter().enumerate() {
        if tabs {
            let label = format!("{}\nTab {} of {count}", joined(&draft, "\n"), index + 1);
            let mut tab = draft.bare(VIEW).with_text("").with_label(&label);
            tab.node.state |= State::CLICKABLE;
            to.push(tab);
        } else {
            show(draft, to);
        }
    }
}

fn show(mut draft: Draft, to: &mut Vec<Draft>) {
    let described = |draft: &Draft, class: &str| {
        let label = joined(draft, "\n");
        let mut node = draft.bare(class).with_text("").with_label(&label);
        node.node.state |= State::FOCUSABLE;
        node
    };
    match draft.part() {
        Part::Text => to.push(described(&draft, VIEW)),
        Part::Button | Part::ImageButton => {
            let node = described(&draft, "android.widget.Button");
            let inside = interactive(std::mem::take(&mut draft.inside));
            to.push(node.holding(inside));
        }
        Part::Switch => to.push(described(&draft, "android.widget.Switch")),
        Part::CheckBox | Part::Held => to.push(described(&draft, "android.widget.CheckBox")),
        Part::Radio => to.push(described(&draft, "android.widget.RadioButton")),
        Part::Slider => to.push(described(&draft, "android.widget.SeekBar")),
        Part::Field => {
            let mut field = draft.bare("android.widget.EditText");
            field.node.hint = draft.node.hint.clone();
            if draft.is(State::SHOWING_HINT) {
                field.node.text = "".into();
            }
            to.push(field);
        }
        Part::Image => {
            if draft.takes_taps() {
                to.push(described(&draft, "android.widget.Button"));
            } else if !draft.node.label.is_empty() {
                to.push(draft.bare("android.widget.ImageView"));
            }
        }
        Part::Progress => {
            if !draft.node.label.is_empty() {
                to.push(described(&draft, VIEW));
            }
        }
        Part::Web => to.push(draft),
        Part::Scroll | Part::List if draft.is(State::SCROLLABLE) => {
            let class = if draft.node.class.ends_with("HorizontalScrollView") {
                "android.widget.HorizontalScrollView"
            } else {
                "android.widget.ScrollView"
            };
            let mut inside = Vec::new();
            show_all(std::mem::take(&mut draft.inside), &mut inside);
            to.push(draft.bare(class).holding(inside));
        }
        Part::Scroll | Part::List | Part::Group => {
            if draft.takes_taps() {
                let node = described(&draft, VIEW);
                let inside = interactive(std::mem::take(&mut draft.inside));
                to.push(node.holding(inside));
                return;
            }
            if !draft.node.text.is_empty() || draft.tag.is_some() {
                let mut node = draft.bare(VIEW).with_text("");
                node.node.label = draft.node.text.clone();
                let mut inside = Vec::new();
                show_all(std::mem::take(&mut draft.inside), &mut inside);
                to.push(node.holding(inside));
                return;
            }
            show_all(draft.inside, to);
        }
    }
}

/// Of what is inside of one thing to press, only what takes presses by itself.
fn interactive(inside: Vec<Draft>) -> Vec<Draft> {
    let mut found = Vec::new();
    for mut inner in inside {
        if inner.takes_taps() && inner.part() != Part::Text {
            show(inner, &mut found);
        } else {
            found.extend(interactive(std::mem::take(&mut inner.inside)));
        }
    }
    found
}
