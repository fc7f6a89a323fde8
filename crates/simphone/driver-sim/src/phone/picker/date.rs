//! The date picker: a month of days, or the list of years.

use std::sync::Arc;

use uitree::State;

use crate::app::{Date, Dim, Ink, Page, PickAct, Sides, Stand, Template, days_in};
use crate::layout::Local;
use crate::motion::Moves;
use crate::widget::{Axis, Key, Kind, Scroller, Source, Spec};
use draw::{Flow, TextRole};

use super::parts::{FRAME, LINEAR, Maker, SLOTS, VIEW, acting, at_start, id_of, round, words};
use super::{Outcome, PickerStyle};

/// Slots of the days: each month has others, so that a day of one is never taken for the same of another.
const DAYS: u32 = SLOTS + 2048;

/// The slots of the list of years and of its rows.
const YEARS: u32 = SLOTS + 1024;

/// How high a year is in its list, and the list.
const YEAR: f32 = 64.0;
const LIST: f32 = 308.0;

/// How high a day is, and what stands above them.
const DAY: f32 = 40.0;
const WIDE_DAY: f32 = 34.0;
const ABOVE: f32 = 68.0;

/// What a date picker shows.
#[derive(Debug)]
pub(super) struct DateFace {
    pub(super) chosen: Date,
    /// The month in sight.
    year: i32,
    month: u8,
    first: Date,
    last: Date,
    today: Date,
    /// Whether it shows the years instead.
    years: bool,
}

impl DateFace {
    pub(super) fn new(kept: Option<Date>, (first, last): (Date, Date), today: Date) -> Self {
        let last = last.max(first);
        let chosen = kept.unwrap_or(today).clamp(first, last);
        Self {
            chosen,
            year: chosen.year,
            month: chosen.month,
            first,
            last,
            today,
            years: false,
        }
    }

    /// The month so many months further, if a day of it can be chosen.
    fn beside(&self, months: i32) -> Option<(i32, u8)> {
        let month = self.year * 12 + i32::from(self.month) - 1 + months;
        let (year, month) = (month.div_euclid(12), month.rem_euclid(12) as u8 + 1);
        let ends = |date: Date| (date.year, date.month);
        ((year, month) >= ends(self.first) && (year, month) <= ends(self.last))
            .then_some((year, month))
    }

    pub(super) fn act(&mut self, act: PickAct, looks: PickerStyle, local: &mut Local) -> Outcome {
        match act {
            PickAct::PreviousMonth | PickAct::NextMonth => {
                let months = if act == PickAct::NextMonth { 1 } else { -1 };
                let Some((year, month)) = self.beside(months) else {
                    return Outcome::Same;
                };
                (self.year, self.month) = (year, month);
            }
            PickAct::Years => {
                self.years = true;
                // The chosen year stands in the middle.
                let place = (self.chosen.year - self.first.year) as f32 * YEAR;
                let offset = (place - (LIST - YEAR) / 2.0) * looks.density;
                local
                    .scroll
                    .insert(Key::of(Key(0), YEARS), offset.round().max(0.0));
            }
            PickAct::Days => {
                self.years = false;
                (self.year, self.month) = (self.chosen.year, self.chosen.month);
            }
            PickAct::Year(year) => {
                let moved = self.chosen.moved_to(year, self.chosen.month);
                self.choose(moved.clamp(self.first, self.last));
                self.years = false;
            }
            PickAct::Day(day) => {
                let date = Date::new(self.year, self.month, day);
                if let Some(date) = date.filter(|date| *date >= self.first && *date <= self.last) {
                    self.choose(date);
                }
            }
            PickAct::Confirm => return Outcome::Same,
        }
        Outcome::Anew
    }

    const fn choose(&mut self, date: Date) {
        self.chosen = date;
        self.year = date.year;
        self.month = date.month;
    }

    pub(super) fn page(&self, looks: PickerStyle) -> Page {
        let mut maker = Maker::new();
        let head = self.head(&mut maker, looks);
        let mut animator = maker.group(Axis::Depth, "android.widget.ViewAnimator", "animator");
        let shown = if self.years {
            self.years(&mut maker, looks)
        } else {
            self.days(&mut maker, looks)
        };
        animator.children.push(Arc::new(shown));
        animator.frame.grow = looks.wide.then_some(1.0);
        let mut inner = maker.group(looks.axis(), LINEAR, "");
        inner.frame.align = Some(Stand::Stretch);
        inner.children = vec![Arc::new(head), Arc::new(animator)];
        let mut picker = maker.group(Axis::Depth, "android.widget.DatePicker", "datePicker");
        picker.children.push(Arc::new(inner));
        maker.page("date_picker", "android.app.DatePickerDialog", picker, None)
    }

    fn head(&self, maker: &mut Maker, looks: PickerStyle) -> Spec {
        let mut head = maker.group(Axis::Vertical, LINEAR, "date_picker_header");
        head.frame.padding = Some(Sides::axes(Dim::Dp(16.0), Dim::Dp(24.0)));
        head.frame.gap = Dim::Dp(4.0);
        if looks.wide {
            head.frame.width = Dim::Dp(132.0);
            head.frame.padding = Some(Sides::axes(Dim::Dp(16.0), Dim::Dp(16.0)));
        }
        let lit = |chosen: bool| if chosen { Ink::Primary } else { Ink::Muted };
        let year = self.chosen.year.to_string();
        let mut year = maker.words(
            &year,
            TextRole::TitleMedium,
            lit(self.years),
            "date_picker_header_year",
        );
        at_start(&mut year);
        year.on_click = acting(PickAct::Years);
        let date = looks.locale.chosen(self.chosen);
        let mut date = maker.words(
            &date,
            TextRole::HeadlineSmall,
            lit(!self.years),
            "date_picker_header_date",
        );
        if let (Kind::Text(text), true) = (&mut date.kind, looks.wide) {
            text.style.lines = Some(2);
        }
        at_start(&mut date);
        date.on_click = acting(PickAct::Days);
        head.children = vec![Arc::new(year), Arc::new(date)];
        head
    }

    /// The month in sight, between the buttons that go to the ones beside it.
    fn days(&self, maker: &mut Maker, looks: PickerStyle) -> Spec {
        let mut picker = maker.group(
            Axis::Depth,
            "android.view.ViewGroup",
            "date_picker_day_picker",
        );
        let month = self.month(maker, looks);
        let mut pager = maker.group(
            Axis::Depth,
            "com.android.internal.widget.ViewPager",
            "day_picker_view_pager",
        );
        pager.flags |= State::SCROLLABLE;
        // The next month is in the reading direction.
        let (left, right) = match looks.flow {
            Flow::LeftToRight => (PickAct::NextMonth, PickAct::PreviousMonth),
            Flow::RightToLeft => (PickAct::PreviousMonth, PickAct::NextMonth),
        };
        let pages = Moves::of_pages(acting(left), acting(right));
        pager.moves = Some(Box::new(pages));
        pager.children.push(Arc::new(month));
        picker.children.push(Arc::new(pager));
        let mut line = maker.room(Axis::Horizontal);
        line.frame.padding = Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(8.0)));
        line.frame.height = Dim::Dp(48.0);
        let (back, on) = match looks.flow {
            Flow::LeftToRight => ("chevron_left", "chevron_right"),
            Flow::RightToLeft => ("chevron_right", "chevron_left"),
        };
        // A button that leads nowhere is gone.
        if self.beside(-1).is_some() {
            let act = PickAct::PreviousMonth;
            let previous = maker.icon(back, "Previous month", "prev", act);
            line.children.push(Arc::new(previous));
        }
        let mut gap = maker.room(Axis::Depth);
        gap.frame.grow = Some(1.0);
        line.children.push(Arc::new(gap));
        if self.beside(1).is_some() {
            let next = maker.icon(on, "Next month", "next", PickAct::NextMonth);
            line.children.push(Arc::new(next));
        }
        picker.children.push(Arc::new(line));
        picker
    }

    /// A view that draws its month itself; its days are known to accessibility alone.
    fn month(&self, maker: &mut Maker, looks: PickerStyle) -> Spec {
        let height = if looks.wide { WIDE_DAY } else { DAY };
        let mut view = maker.group(Axis::Vertical, VIEW, "month_view");
        view.frame.padding = Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(12.0)));
        view.frame.height = Dim::Dp(ABOVE + 6.0 * height);
        let headline = looks.locale.headline(self.year, self.month);
        let mut headline = maker.words(&headline, TextRole::TitleSmall, Ink::Text, "");
        headline.frame.height = Dim::Dp(48.0);
        headline.frame.padding = Some(Sides::axes(Dim::Dp(14.0), Dim::Dp(0.0)));
        headline.decorative = true;
        view.children.push(Arc::new(headline));
        let first = looks.locale.first_weekday();
        let mut letters = maker.room(Axis::Horizontal);
        letters.frame.justify = Some(Stand::Between);
        letters.frame.height = Dim::Dp(20.0);
        for column in 0..7 {
            let letter = looks.locale.letter((first + column) % 7);
            let mut letter = maker.words(letter, TextRole::BodySmall, Ink::Muted, "");
            letter.frame.width = Dim::Dp(height);
            letter.decorative = true;
            letters.children.push(Arc::new(letter));
        }
        view.children.push(Arc::new(letters));
        let start = self.chosen.moved_to(self.year, self.month);
        let start = Date { day: 1, ..start };
        let blank = (start.weekday() + 7 - first) % 7;
        let count = usize::from(days_in(self.year, self.month));
        for week in 0..6_usize {
            let mut line = maker.room(Axis::Horizontal);
            line.frame.justify = Some(Stand::Between);
            line.frame.height = Dim::Dp(height);
            for column in 0..7 {
                let place = week * 7 + column;
                let day = place
                    .checked_sub(blank)
                    .map(|day| day + 1)
                    .filter(|day| *day <= count);
                let cell = match day {
                    Some(day) => self.day(day as u8, looks, height),
                    None => {
                        let mut empty = maker.room(Axis::Depth);
                        empty.frame.width = Dim::Dp(height);
                        empty
                    }
                };
                line.children.push(Arc::new(cell));
            }
            view.children.push(Arc::new(line));
        }
        view
    }

    fn day(&self, day: u8, looks: PickerStyle, side: f32) -> Spec {
        let date = Date {
            year: self.year,
            month: self.month,
            day,
        };
        let chosen = date == self.chosen;
        let allowed = date >= self.first && date <= self.last;
        let color = if chosen {
            Ink::OnPrimary
        } else if date == self.today {
            Ink::Primary
        } else {
            Ink::Text
        };
        let months = (self.year * 12 + i32::from(self.month)).rem_euclid(64) as u32;
        let slot = DAYS + months * 32 + u32::from(day);
        let text = words(&day.to_string(), TextRole::BodyMedium, color);
        let mut spec = Spec::new(slot, text);
        round(&mut spec, side, 20.0, chosen.then_some(Ink::Primary));
        spec.class = Some(Arc::from(VIEW));
        spec.label = Template::fixed(&looks.locale.day(date));
        if allowed {
            spec.on_click = acting(PickAct::Day(day));
        } else {
            spec.enabled = Some(crate::app::Expr::Value(crate::app::Value::Bool(false)));
        }
        spec.flags.set(State::CHECKED, chosen);
        spec
    }

    fn years(&self, maker: &mut Maker, looks: PickerStyle) -> Spec {
        let rows = (self.first.year..=self.last.year).map(|year| {
            let chosen = year == self.chosen.year;
            let (role, color) = if chosen {
                (TextRole::HeadlineSmall, Ink::Primary)
            } else {
                (TextRole::BodyLarge, Ink::Text)
            };
            let mut row = Spec::new(YEARS + 1, words(&year.to_string(), role, color));
            row.id = id_of("text1");
            row.frame.height = Dim::Dp(YEAR);
            row.frame.padding = Some(Sides::axes(
                Dim::Dp(if chosen { 16.0 } else { 20.0 }),
                Dim::Dp(0.0),
            ));
            row.on_click = acting(PickAct::Year(year));
            (Arc::new(row), Vec::new())
        });
        let scroller = Scroller {
            alike: true,
            ..Scroller::of_rows(Source::Written(rows.collect()))
        };
        let mut list = Spec::new(YEARS, Kind::Scroller(scroller));
        list.class = Some(Arc::from("android.widget.ListView"));
        list.id = id_of("date_picker_year_picker");
        let height = if looks.wide {
            ABOVE + 6.0 * WIDE_DAY
        } else {
            LIST
        };
        list.frame.height = Dim::Dp(height);
        let mut holder = maker.group(Axis::Vertical, FRAME, "");
        holder.children.push(Arc::new(list));
        holder
    }
}
