//! The value of a slider of a phone: a number within its range, or a share of it such as `70%`.

use contract::ErrorCode;
use contract::actions::EnterText;
use driver::NodeAct;
use uitree::{Node, Role, State, ValueRange};

use crate::describe::{describe_node, quoted};
use crate::failure::Failure;

/// By how much of its range a slider may differ from what was asked: platforms keep values with few digits.
const TOLERANCE: f64 = 1e-4;

/// Whether a node is a slider that can be set.
pub(crate) fn is_slider(node: &Node) -> bool {
    node.role == Role::Slider && node.is(State::FOCUSABLE)
}

/// The requested value of a text, and by how much the slider may differ from it.
fn requested_value(text: &str, range: ValueRange) -> Option<(f64, f64)> {
    let length = range.highest - range.lowest;
    let number = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite())
    };
    let text = text.trim();
    let Some(share) = text.strip_suffix('%') else {
        return Some((number(text)?, length * TOLERANCE));
    };
    let value = range.lowest + length * number(share)? / 100.0;
    // Most sliders take whole numbers only.
    let is_whole = [range.lowest, range.highest]
        .iter()
        .all(|end| end.fract() == 0.0);
    match is_whole && length > 1.0 {
        true => Some((value.round(), length * TOLERANCE)),
        false => Some((value, length * TOLERANCE)),
    }
}

/// How to set a slider to what the step asks for.
pub(crate) fn act(slider: &Node, params: &EnterText) -> Result<NodeAct, Failure> {
    let refused = |why: String| {
        let message = format!("{} {why}", describe_node(slider));
        Failure::new(ErrorCode::TextNotEntered, message)
            .with_hint("Give a number within the range of the slider, or a share of it such as 70%")
    };
    if !params.clear() {
        return Err(refused("takes no text behind its value".to_owned()));
    }
    if params.submit() {
        return Err(refused("has nothing to submit".to_owned()));
    }
    let Some(range) = slider.range() else {
        // The driver knows whether it can set a slider of which it does not see the range.
        return Ok(NodeAct::SetText(params.text.trim().to_owned()));
    };
    let value = requested_value(&params.text, range).map(|(value, _)| value);
    match value {
        Some(value) if (range.lowest..=range.highest).contains(&value) => {
            Ok(NodeAct::SetText(value.to_string()))
        }
        Some(_) | None => Err(refused(format!(
            "takes a number from {} to {}, not {}",
            range.lowest,
            range.highest,
            quoted(&params.text)
        ))),
    }
}

/// Whether a slider is seen to be at what a text asks for; `false` if it does not show its value.
pub(crate) fn is_at(slider: &Node, text: &str) -> Result<bool, Failure> {
    let Some(range) = slider.range() else {
        return Ok(false);
    };
    let is_right = requested_value(text, range)
        .is_some_and(|(value, tolerance)| (range.value - value).abs() <= tolerance);
    if is_right {
        return Ok(true);
    }
    let message = format!("the slider is at {range}, not at {text}");
    Err(Failure::new(ErrorCode::TextNotEntered, message)
        .with_data("read_back", range.value.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(lowest: f64, highest: f64, value: f64) -> ValueRange {
        ValueRange {
            lowest,
            highest,
            value,
        }
    }

    #[test]
    fn share_is_a_whole_number_where_the_ends_are() {
        let value = |text: &str, range| requested_value(text, range).map(|(value, _)| value);
        assert_eq!(value("70%", range(0.0, 100.0, 0.0)), Some(70.0));
        assert_eq!(value(" 50 %", range(0.0, 7.0, 0.0)), Some(4.0));
        assert_eq!(value("30%", range(0.0, 1.0, 0.0)), Some(0.3));
        assert_eq!(value("-3", range(-5.0, 5.0, 0.0)), Some(-3.0));
        for wrong in ["", "%", "loud", "inf", "NaN", "7 of 10"] {
            assert_eq!(value(wrong, range(0.0, 10.0, 0.0)), None, "{wrong}");
        }
    }
}
