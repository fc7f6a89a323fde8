//! The time picker: a clock to touch, or two fields to write into.

use std::sync::Arc;

use uitree::State;

use crate::app::{Dim, Faces, Ink, Page, PickAct, Sides, Stand, Template, Time};
use crate::draw::TextRole;
use crate::layout::Local;
use crate::widget::{
    Afloat, Axis, Canvas, Drawing, EditorAction, Field, Group, Key, Kind, Spec, TextKind,
};

use super::parts::{FRAME, LINEAR, Maker, SLOTS, VIEW, acting, at_start, id_of, round, words};
use super::{Led, Looks};

/// Slots of the two fields and of the numbers on the clock.
const HOUR: u32 = SLOTS + 900;
const MINUTE: u32 = SLOTS + 901;
const NUMBERS: u32 = SLOTS + 1024;

/// How wide the clock is.
const CLOCK: f32 = 256.0;
const WIDE_CLOCK: f32 = 232.0;

/// How far from the middle the numbers stand, and those of the inner ring, in hundredths of the clock.
const OUTER: f32 = 41.0;
const INNER: f32 = 27.0;

/// The sines of every sixth degree up to a right angle: machines round the functions of their libraries differently.
const SINES: [f32; 16] = [
    0.0, 0.104_528, 0.207_912, 0.309_017, 0.406_737, 0.5, 0.587_785, 0.669_131, 0.743_145,
    0.809_017, 0.866_025, 0.913_545, 0.951_057, 0.978_148, 0.994_522, 1.0,
];

/// Which way the hand points at a minute: right and down.
fn way(minute: u8) -> (f32, f32) {
    let sine = |step: u8| SINES.get(usize::from(step)).copied().unwrap_or(0.0);
    let within = minute % 15;
    let (along, across) = (sine(within), sine(15 - within));
    match minute / 15 % 4 {
        0 => (along, -across),
        1 => (across, along),
        2 => (-along, across),
        _ => (-across, -along),
    }
}

/// Which hand is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    Hours,
    Minutes,
}

/// What a time picker shows.
#[derive(Debug)]
pub(super) struct TimeFace {
    pub(super) chosen: Time,
    hour_24: bool,
    hand: Hand,
    face: Faces,
    /// Whether what is written in the fields was found to be no time.
    wrong: bool,
}

impl TimeFace {
    pub(super) const fn new(chosen: Time, hour_24: bool, face: Faces) -> Self {
        Self {
            chosen,
            hour_24,
            hand: Hand::Hours,
            face,
            wrong: false,
        }
    }

    /// The hour as it is shown.
    fn hour(&self) -> String {
        if self.hour_24 {
            format!("{:02}", self.chosen.hour)
        } else {
            self.chosen.of_twelve().to_string()
        }
    }

    /// Puts the time into the fields.
    pub(super) fn write(&self, local: &mut Local) {
        let minute = format!("{:02}", self.chosen.minute);
        for (slot, text) in [(HOUR, self.hour()), (MINUTE, minute)] {
            local.texts.insert(Key::of(Key(0), slot), Arc::from(text));
        }
        local.version += 1;
    }

    /// The time that is written in the fields.
    fn written(&self, local: &Local) -> Option<Time> {
        let number = |slot: u32| {
            let text = local.texts.get(&Key::of(Key(0), slot))?;
            text.trim().parse::<u8>().ok()
        };
        let (hour, minute) = (number(HOUR)?, number(MINUTE)?);
        if self.hour_24 {
            return Time::new(hour, minute);
        }
        let half = if self.chosen.is_afternoon() { 12 } else { 0 };
        (1..=12)
            .contains(&hour)
            .then(|| Time::new(hour % 12 + half, minute))?
    }

    /// What the button that agrees takes; nothing while what is written is no time.
    pub(super) fn confirmed(&mut self, local: &Local) -> Option<Time> {
        match self.face {
            Faces::Clock => Some(self.chosen),
            Faces::Input => {
                let written = self.written(local);
                self.wrong = written.is_none();
                written
            }
        }
    }

    pub(super) fn act(
        &mut self,
        act: PickAct,
        touched: Option<(f32, f32)>,
        local: &mut Local,
    ) -> Led {
        match act {
            PickAct::Hours => self.hand = Hand::Hours,
            PickAct::Minutes => self.hand = Hand::Minutes,
            PickAct::Hour(hour) => {
                self.chosen.hour = hour;
                // The minutes come next.
                self.hand = Hand::Minutes;
            }
            PickAct::Minute(minute) => self.chosen.minute = minute,
            PickAct::Clock => {
                let Some(at) = touched else { return Led::Same };
                self.touch(at);
            }
            PickAct::Morning => self.chosen.hour %= 12,
            PickAct::Afternoon => self.chosen.hour = self.chosen.hour % 12 + 12,
            PickAct::Mode => {
                if self.face == Faces::Input {
                    self.chosen = self.written(local).unwrap_or(self.chosen);
                    self.face = Faces::Clock;
                    self.wrong = false;
                } else {
                    self.face = Faces::Input;
                    self.write(local);
                }
            }
            // What is written is no time: it says so.
            PickAct::Confirm => {}
            PickAct::PreviousMonth
            | PickAct::NextMonth
            | PickAct::Years
            | PickAct::Days
            | PickAct::Year(_)
            | PickAct::Day(_)
            | PickAct::Halves => return Led::Same,
        }
        Led::Anew
    }

    /// A finger on the clock: the hand goes to what is nearest, minutes one by one.
    fn touch(&mut self, (x, y): (f32, f32)) {
        let (dx, dy) = (x - 50.0, y - 50.0);
        let nearest = |step: u8| {
            let far = |minute: &u8| {
                let (right, down) = way(*minute);
                right * dx + down * dy
            };
            let all = (0..60).step_by(usize::from(step));
            all.max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0)
        };
        match self.hand {
            Hand::Minutes => self.chosen.minute = nearest(1),
            Hand::Hours => {
                let place = nearest(5) / 5;
                let middle = (OUTER + INNER) / 2.0;
                let inner = dx * dx + dy * dy < middle * middle;
                self.chosen.hour = self.hour_at(place, self.hour_24 && inner);
                self.hand = Hand::Minutes;
            }
        }
    }

    /// The hour at one of the twelve places of a ring.
    const fn hour_at(&self, place: u8, inner: bool) -> u8 {
        if !self.hour_24 {
            return place % 12 + if self.chosen.is_afternoon() { 12 } else { 0 };
        }
        match (inner, place) {
            (true, 0) => 0,
            (true, place) => place + 12,
            (false, 0) => 12,
            (false, place) => place,
        }
    }

    pub(super) fn page(&self, looks: Looks) -> Page {
        let mut maker = Maker::new();
        let mut inner = match self.face {
            Faces::Clock => {
                let head = self.head(&mut maker, looks);
                let clock = self.clock(&mut maker, looks);
                let mut inner = maker.group(looks.axis(), LINEAR, "");
                inner.children = vec![Arc::new(head), Arc::new(clock)];
                inner
            }
            Faces::Input => self.fields(&mut maker, looks),
        };
        inner.frame.align = Some(Stand::Center);
        let mut picker = maker.group(Axis::Depth, "android.widget.TimePicker", "timePicker");
        picker.children.push(Arc::new(inner));
        let (icon, says) = match self.face {
            Faces::Clock => ("keyboard", "Switch to text input mode for the time input."),
            Faces::Input => ("clock", "Switch to clock mode for the time input."),
        };
        let mode = maker.icon(icon, says, "toggle_mode", PickAct::Mode);
        maker.page(
            "time_picker",
            "android.app.TimePickerDialog",
            picker,
            Some(mode),
        )
    }

    /// The time in large figures, of which one is set by the clock.
    fn head(&self, maker: &mut Maker, looks: Looks) -> Spec {
        let mut head = maker.group(Axis::Horizontal, LINEAR, "time_header");
        head.frame.padding = Some(Sides::axes(Dim::Dp(20.0), Dim::Dp(16.0)));
        head.frame.justify = Some(Stand::Center);
        head.frame.align = Some(Stand::Center);
        head.frame.gap = Dim::Dp(4.0);
        let lit = |hand: Hand| {
            if self.hand == hand {
                Ink::Primary
            } else {
                Ink::Muted
            }
        };
        let role = if looks.wide {
            TextRole::HeadlineLarge
        } else {
            TextRole::Display
        };
        let mut hours = maker.words(&self.hour(), role, lit(Hand::Hours), "hours");
        hours.on_click = acting(PickAct::Hours);
        let separator = maker.words(":", role, Ink::Muted, "separator");
        let minute = format!("{:02}", self.chosen.minute);
        let mut minutes = maker.words(&minute, role, lit(Hand::Minutes), "minutes");
        minutes.on_click = acting(PickAct::Minutes);
        head.children = vec![Arc::new(hours), Arc::new(separator), Arc::new(minutes)];
        if !self.hour_24 {
            head.children.push(Arc::new(self.halves(maker, looks)));
        }
        head
    }

    fn halves(&self, maker: &mut Maker, looks: Looks) -> Spec {
        let mut halves = maker.group(Axis::Vertical, "android.widget.RadioGroup", "ampm_layout");
        halves.frame.margin = Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(8.0)));
        let afternoon = self.chosen.is_afternoon();
        let [before, after] = looks.locale.halves();
        for (text, id, act, on) in [
            (before, "am_label", PickAct::Morning, !afternoon),
            (after, "pm_label", PickAct::Afternoon, afternoon),
        ] {
            let color = if on { Ink::Primary } else { Ink::Muted };
            let mut half = maker.words(text, TextRole::TitleMedium, color, id);
            half.class = Some(Arc::from("android.widget.RadioButton"));
            half.flags |= State::CHECKABLE;
            half.flags.set(State::CHECKED, on);
            half.frame.height = Dim::Dp(48.0);
            half.frame.padding = Some(Sides::axes(Dim::Dp(12.0), Dim::Dp(8.0)));
            half.on_click = acting(act);
            halves.children.push(Arc::new(half));
        }
        halves
    }

    /// A view that draws the clock itself; its numbers are known to accessibility alone.
    fn clock(&self, maker: &mut Maker, looks: Looks) -> Spec {
        let side = if looks.wide { WIDE_CLOCK } else { CLOCK };
        let (place, reach) = match self.hand {
            Hand::Minutes => (self.chosen.minute, OUTER),
            Hand::Hours => {
                let inner = self.hour_24 && (self.chosen.hour == 0 || self.chosen.hour > 12);
                let reach = if inner { INNER } else { OUTER };
                (self.chosen.hour % 12 * 5, reach)
            }
        };
        let (right, down) = way(place);
        let end = (50.0 + right * reach, 50.0 + down * reach);
        let shapes = vec![
            Drawing::disc((50.0, 50.0), side / 2.0, Ink::SurfaceVariant),
            Drawing::line(&[(50.0, 50.0), end], 2.0, Ink::Primary),
            Drawing::disc((50.0, 50.0), 4.0, Ink::Primary),
            Drawing::disc(end, 18.0, Ink::Primary),
        ];
        let canvas = Canvas::of(shapes, acting(PickAct::Clock));
        let mut clock = maker.spec(Kind::Group(Group {
            class: VIEW,
            canvas: Some(Arc::new(canvas)),
            ..Group::new(Axis::Depth)
        }));
        clock.id = id_of("radial_picker");
        clock.frame.direction = Some(crate::draw::Flow::LeftToRight);
        clock.frame.width = Dim::Dp(side);
        clock.frame.height = Dim::Dp(side);
        clock.frame.margin = Some(Sides::axes(Dim::Dp(8.0), Dim::Dp(0.0)));
        clock.children = self.numbers().into_iter().map(Arc::new).collect();
        clock
    }

    fn numbers(&self) -> Vec<Spec> {
        let mut numbers = Vec::new();
        match self.hand {
            Hand::Minutes => {
                for minute in (0..60).step_by(5) {
                    let on = self.chosen.minute == minute;
                    let act = PickAct::Minute(minute);
                    numbers.push(number((minute, OUTER), &format!("{minute:02}"), on, act));
                }
                if !self.chosen.minute.is_multiple_of(5) {
                    // Between the numbers only the chosen minute is known.
                    let minute = self.chosen.minute;
                    let act = PickAct::Minute(minute);
                    numbers.push(number((minute, OUTER), &format!("{minute:02}"), true, act));
                }
            }
            Hand::Hours => {
                let rings: &[bool] = if self.hour_24 {
                    &[false, true]
                } else {
                    &[false]
                };
                for inner in rings.iter().copied() {
                    for place in 0..12 {
                        let hour = self.hour_at(place, inner);
                        let text = match (self.hour_24, place) {
                            (false, 0) => "12".to_owned(),
                            (false, place) => place.to_string(),
                            (true, _) => format!("{hour:02}"),
                        };
                        let reach = if inner { INNER } else { OUTER };
                        let on = self.chosen.hour == hour;
                        let act = PickAct::Hour(hour);
                        numbers.push(number((place * 5, reach), &text, on, act));
                    }
                }
            }
        }
        numbers
    }

    /// Two fields for the figures.
    fn fields(&self, maker: &mut Maker, looks: Looks) -> Spec {
        let mut title = maker.words("Set time", TextRole::TitleMedium, Ink::Muted, "top_label");
        at_start(&mut title);
        let mut line = maker.group(
            Axis::Horizontal,
            "android.widget.RelativeLayout",
            "input_header",
        );
        line.frame.gap = Dim::Dp(8.0);
        line.frame.align = Some(Stand::Start);
        let column = |maker: &mut Maker, slot, id: &str, below: &str, label: &str, action| {
            let mut column = maker.room(Axis::Vertical);
            let mut field = Spec::new(
                slot,
                Kind::Field(Field {
                    kind: TextKind::Number,
                    max_length: Some(2),
                    action,
                    ..Field::default()
                }),
            );
            field.id = id_of(id);
            field.frame.width = Dim::Dp(72.0);
            let mut words = maker.words(below, TextRole::BodySmall, Ink::Muted, label);
            at_start(&mut words);
            column.children = vec![Arc::new(field), Arc::new(words)];
            column
        };
        let hour = column(
            maker,
            HOUR,
            "input_hour",
            "hour",
            "label_hour",
            EditorAction::Next,
        );
        let minute = column(
            maker,
            MINUTE,
            "input_minute",
            "minute",
            "label_minute",
            EditorAction::Done,
        );
        let mut separator = maker.words(":", TextRole::HeadlineLarge, Ink::Text, "input_separator");
        separator.frame.padding = Some(Sides::axes(Dim::Dp(6.0), Dim::Dp(0.0)));
        line.children = vec![Arc::new(hour), Arc::new(separator), Arc::new(minute)];
        if !self.hour_24 {
            line.children.push(Arc::new(self.spinner(maker, looks)));
        }
        let mut fields = maker.group(Axis::Vertical, FRAME, "input_mode");
        fields.frame.padding = Some(Sides::axes(Dim::Dp(24.0), Dim::Dp(24.0)));
        fields.frame.gap = Dim::Dp(12.0);
        fields.frame.width = Dim::Percent(100.0);
        fields.children = vec![Arc::new(title), Arc::new(line)];
        if self.wrong {
            let error = maker.words(
                "Enter a valid time",
                TextRole::BodySmall,
                Ink::Error,
                "label_error",
            );
            let mut error = error;
            at_start(&mut error);
            fields.children.push(Arc::new(error));
        }
        fields
    }

    fn spinner(&self, maker: &mut Maker, looks: Looks) -> Spec {
        let [before, after] = looks.locale.halves();
        let half = if self.chosen.is_afternoon() {
            after
        } else {
            before
        };
        let mut spinner = maker.group(Axis::Horizontal, "android.widget.Spinner", "am_pm_spinner");
        spinner.frame.min_height = Dim::Dp(48.0);
        spinner.frame.padding = Some(Sides::axes(Dim::Dp(4.0), Dim::Dp(8.0)));
        spinner.frame.align = Some(Stand::Center);
        spinner.on_click = acting(PickAct::Halves);
        let text = maker.words(half, TextRole::BodyLarge, Ink::Text, "text1");
        let mut arrow = crate::widget::Icon::new(
            Template::fixed("arrow_drop_down"),
            crate::widget::IconLook::Plain,
            24.0,
        );
        arrow.color = Ink::Muted;
        let mut arrow = maker.spec(Kind::Icon(arrow));
        arrow.decorative = true;
        spinner.children = vec![Arc::new(text), Arc::new(arrow)];
        spinner
    }
}

/// A number on the clock, at one of its sixty places.
fn number((place, reach): (u8, f32), text: &str, on: bool, act: PickAct) -> Spec {
    use crate::app::{Expr, Value};
    let color = if on { Ink::OnPrimary } else { Ink::Text };
    let role = if reach < OUTER {
        TextRole::BodySmall
    } else {
        TextRole::BodyLarge
    };
    let line = if reach < OUTER { 16.0 } else { 24.0 };
    let side = if reach < OUTER { 32.0 } else { 40.0 };
    let slot = NUMBERS
        + match act {
            PickAct::Hour(hour) => u32::from(hour),
            PickAct::Minute(minute) => 32 + u32::from(minute),
            _ => 127,
        };
    let mut spec = Spec::new(slot, words(text, role, color));
    round(&mut spec, side, line, None);
    let (right, down) = way(place);
    let at = |middle: f32| Some(Expr::Value(Value::Number(f64::from(middle))));
    let spot = [
        at(50.0 + right * reach),
        at(50.0 + down * reach),
        None,
        None,
    ];
    spec.afloat = Some(Afloat::At(Box::new(spot)));
    spec.class = Some(Arc::from(
        "android.widget.RadialTimePickerView$RadialPickerTouchHelper",
    ));
    // The figures are drawn; accessibility is told them.
    spec.label = Template::fixed(text);
    spec.flags.set(State::SELECTED, on);
    spec.on_click = acting(act);
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_goes_round() {
        for (minute, (right, down)) in [
            (0, (0.0, -1.0)),
            (15, (1.0, 0.0)),
            (30, (0.0, 1.0)),
            (45, (-1.0, 0.0)),
            (5, (0.5, -0.866_025)),
            (25, (0.5, 0.866_025)),
            (35, (-0.5, 0.866_025)),
            (55, (-0.5, -0.866_025)),
        ] {
            assert_eq!(way(minute), (right, down), "{minute}");
        }
    }

    #[test]
    fn every_place_of_the_clock_gives_its_time() {
        for minute in 0..60 {
            let mut face = TimeFace::new(Time::default(), false, Faces::Clock);
            face.hand = Hand::Minutes;
            let (right, down) = way(minute);
            face.touch((50.0 + right * 20.0, 50.0 + down * 20.0));
            assert_eq!(face.chosen.minute, minute);
        }
        for hour in 0..24 {
            let mut face = TimeFace::new(Time::default(), true, Faces::Clock);
            let inner = hour == 0 || hour > 12;
            let (right, down) = way(hour % 12 * 5);
            let reach = if inner { INNER } else { OUTER };
            face.touch((50.0 + right * reach, 50.0 + down * reach));
            assert_eq!((face.chosen.hour, face.hand), (hour, Hand::Minutes));
        }
    }
}
