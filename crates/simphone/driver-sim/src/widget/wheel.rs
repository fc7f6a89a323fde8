//! `number_picker`: a wheel of numbers, with the ones beside the chosen one to press and the chosen one to write.

use std::sync::Arc;

use uitree::State;

use crate::app::{
    Computed, Dim, Effect, Effects, Expr, Function, Ink, Lookup, Op, Reader, Stand, Template,
    Value, take_effects,
};
use crate::draw::{Align, TextRole};

use super::read::Body;
use super::{Axis, EditorAction, Element, Field, Group, Kind, Spec, TextKind, make};

/// A wheel of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Wheel {
    /// The variable that keeps the number.
    pub(crate) bind: Arc<str>,
    min: f32,
    max: f32,
    step: f32,
    /// Whether the last number is followed by the first.
    wraps: bool,
    /// The slot of the field that the number can be written into.
    pub(crate) input: u32,
    pub(crate) on_change: Effects,
}

/// So many values make a wheel that goes round, unless the file says otherwise.
const ROUND: f32 = 3.0;

fn number(number: f32) -> Expr {
    Expr::Value(Value::Number(f64::from(number)))
}

fn pair(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::Pair(op, Box::new((a, b)))
}

impl Wheel {
    fn variable(&self) -> Expr {
        Expr::Name(Arc::clone(&self.bind))
    }

    /// What the number is when it is kept between its ends.
    fn kept(&self) -> Expr {
        let least = Expr::Call(Function::Max, vec![self.variable(), number(self.min)]);
        Expr::Call(Function::Min, vec![least, number(self.max)])
    }

    /// Whether there is a number one step further; on a wheel that goes round there always is.
    fn goes_on(&self, op: Op) -> Expr {
        if self.wraps {
            return Expr::Value(Value::Bool(true));
        }
        let next = pair(op, self.kept(), number(self.step));
        match op {
            Op::Plus => pair(Op::LessOrEqual, next, number(self.max)),
            _ => pair(Op::GreaterOrEqual, next, number(self.min)),
        }
    }

    /// The number one step further.
    pub(crate) fn beside(&self, op: Op) -> Expr {
        let next = pair(op, self.kept(), number(self.step));
        let (beyond, other_end) = match op {
            Op::Plus => (pair(Op::Greater, next.clone(), number(self.max)), self.min),
            _ => (pair(Op::Less, next.clone(), number(self.min)), self.max),
        };
        let otherwise = if self.wraps {
            number(other_end)
        } else {
            self.kept()
        };
        Expr::Call(Function::If, vec![beyond, otherwise, next])
    }

    /// The number that it ought to be when it is another one than it is.
    pub(crate) fn mended(&self, names: &dyn Lookup) -> Option<Value> {
        let kept = self.kept().value(names);
        let is = names.get(&self.bind)?;
        (is.number() != kept.number() || is.to_text().is_empty()).then_some(kept)
    }

    /// The effects of a press that turns it by a step.
    fn turning(&self, op: Op) -> Effects {
        let to = Computed::Expr(self.beside(op));
        let mut effects = vec![Effect::Set(vec![(Arc::clone(&self.bind), to)])];
        effects.extend(self.on_change.iter().cloned());
        Effects::from(effects)
    }
}

impl Element {
    /// What makes it a wheel.
    pub(crate) fn wheel(&self) -> Option<&Arc<Wheel>> {
        match &self.spec.kind {
            Kind::Group(group) => group.wheel.as_ref(),
            _ => None,
        }
    }
}

/// A line above or below the chosen number.
fn edge(reader: &mut Reader) -> Arc<Spec> {
    let mut edge = make::seen(super::small::divider(reader.slot()));
    edge.frame.height = Dim::Dp(1.0);
    edge.frame.background = Some(Ink::Primary);
    Arc::new(edge)
}

/// A number beside the chosen one: a button to accessibility.
fn button(reader: &mut Reader, wheel: &Wheel, op: Op) -> Spec {
    let both = (Ink::Muted, Ink::Muted);
    let text = Template::of(wheel.beside(op));
    let mut spec = make::label(reader, text, TextRole::BodyLarge, both);
    spec.class = Some(Arc::from("android.widget.Button"));
    spec.visible = Some(wheel.goes_on(op));
    spec.on_click = wheel.turning(op);
    spec.clickable = Some(true);
    spec.frame.width = Dim::Dp(80.0);
    spec.frame.height = Dim::Dp(48.0);
    spec.frame.padding = make::padding(12.0, 0.0);
    // Where there is no number its room stays.
    let mut room = make::frame(reader, Axis::Depth);
    room.frame.height = Dim::Dp(48.0);
    room.children.push(Arc::new(spec));
    room
}

pub(super) fn number_picker(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let main = body.main_or("bind");
    let path = body.fields.path.clone();
    let bind = main.as_ref().and_then(|at| reader.bound(at));
    if main.is_none() {
        reader.problem_here(&path, "`bind` is missing: the number that it changes");
    }
    let min = body.fields.number(reader, "min").unwrap_or(0.0);
    let max = body.fields.number(reader, "max").unwrap_or(100.0);
    let step = body.fields.number(reader, "step").unwrap_or(1.0);
    if min >= max || step <= 0.0 {
        reader.problem_here(
            &path,
            "`min` must lie below `max`, and `step` must be more than 0",
        );
    }
    let wraps = body.fields.flag(reader, "wrap");
    let wheel = Arc::new(Wheel {
        bind: bind.unwrap_or_else(|| Arc::from("")),
        min,
        max,
        step,
        wraps: wraps.unwrap_or((max - min) / step >= ROUND),
        input: reader.slot(),
        on_change: take_effects(reader, &mut body.fields, "on_change"),
    });
    let before = button(reader, &wheel, Op::Minus);
    let mut line = make::frame(reader, Axis::Vertical);
    line.frame.width = Dim::Dp(64.0);
    let mut input = Spec::new(
        wheel.input,
        Kind::Field(Field {
            bind: Some(Arc::clone(&wheel.bind)),
            kind: TextKind::Number,
            action: EditorAction::Done,
            on_change: wheel.on_change.clone(),
            on_submit: Effects::from(vec![Effect::Set(vec![(
                Arc::clone(&wheel.bind),
                Computed::Expr(wheel.kept()),
            )])]),
            plain: true,
            align: Align::Center,
            ..Field::default()
        }),
    );
    input.id = Arc::from("android:id/numberpicker_input");
    line.children = vec![edge(reader), Arc::new(input), edge(reader)];
    let after = button(reader, &wheel, Op::Plus);
    let mut spec = Spec::new(
        slot,
        Kind::Group(Group {
            class: "android.widget.NumberPicker",
            wheel: Some(wheel),
            ..Group::new(Axis::Vertical)
        }),
    );
    spec.flags |= State::SCROLLABLE;
    spec.frame.width = Dim::Dp(80.0);
    spec.frame.align = Some(Stand::Center);
    spec.children = vec![Arc::new(before), Arc::new(line), Arc::new(after)];
    spec
}
