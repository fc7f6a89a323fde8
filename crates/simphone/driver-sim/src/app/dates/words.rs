//! How days and times are written: the names of months and weekdays, and the order of the parts, by language.

use super::{Date, Time};

/// What a language says.
#[derive(Debug)]
struct Words {
    tag: &'static str,
    months: [&'static str; 12],
    short_months: [&'static str; 12],
    /// From Sunday.
    weekdays: [&'static str; 7],
    short_weekdays: [&'static str; 7],
    letters: [&'static str; 7],
    /// Patterns of the platform's formatter: short, medium, long, full.
    forms: [&'static str; 4],
    /// A month with its year.
    headline: &'static str,
    /// Weekday, day and month, as a date picker says what is chosen.
    chosen: &'static str,
    /// The first day of the week, 0 for Sunday.
    first: usize,
    /// The words for before and after noon.
    halves: [&'static str; 2],
}

/// The styles of `date` in expressions.
pub(crate) const STYLES: [&str; 7] = [
    "short", "medium", "long", "full", "weekday", "month", "year",
];

/// How days and times are written for somebody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Locale {
    words: &'static Words,
}

impl Locale {
    /// The locale of a language tag; English for a language without words of its own.
    pub(crate) fn of(tag: &str) -> Self {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        let words = ALL
            .iter()
            .find(|words| words.tag.eq_ignore_ascii_case(language))
            .unwrap_or(&ENGLISH);
        Self { words }
    }

    /// A day in one of [`STYLES`].
    pub(crate) fn date(self, date: Date, style: &str) -> String {
        let [short, medium, long, full] = &self.words.forms;
        let pattern = match style {
            "short" => short,
            "long" => long,
            "full" => full,
            "weekday" => "EEEE",
            "month" => "MMMM",
            "year" => "yyyy",
            _ => medium,
        };
        self.write(date, pattern)
    }

    /// A month with its year, as it stands above its days.
    pub(crate) fn headline(self, year: i32, month: u8) -> String {
        let first = Date {
            year,
            month,
            day: 1,
        };
        self.write(first, self.words.headline)
    }

    /// What a date picker says is chosen.
    pub(crate) fn chosen(self, date: Date) -> String {
        self.write(date, self.words.chosen)
    }

    /// How accessibility calls a day of a month.
    pub(crate) fn day(self, date: Date) -> String {
        self.write(date, "dd MMMM yyyy")
    }

    /// The letter above a column of days; 0 is Sunday.
    pub(crate) fn letter(self, weekday: usize) -> &'static str {
        self.words.letters.get(weekday).copied().unwrap_or_default()
    }

    /// The first day of the week, 0 for Sunday.
    pub(crate) const fn first_weekday(self) -> usize {
        self.words.first
    }

    /// A time of day.
    pub(crate) fn time(self, time: Time) -> String {
        let [before, after] = self.words.halves;
        let half = if time.is_afternoon() { after } else { before };
        format!("{}:{:02} {half}", time.of_twelve(), time.minute)
    }

    /// Puts a day into a pattern of `y`, `M`, `d` and `E`; what stands between `'` is written as it is.
    fn write(self, date: Date, pattern: &str) -> String {
        let words = self.words;
        let month = usize::from(date.month.saturating_sub(1));
        let mut written = String::new();
        let mut letters = pattern.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter == '\'' {
                written.extend(letters.by_ref().take_while(|letter| *letter != '\''));
                continue;
            }
            if !"yMdE".contains(letter) {
                written.push(letter);
                continue;
            }
            let mut count = 1;
            while letters.next_if_eq(&letter).is_some() {
                count += 1;
            }
            let name = |names: &[&'static str], at: usize| names.get(at).copied().unwrap_or("");
            match (letter, count) {
                ('y', 2) => written.push_str(&format!("{:02}", date.year % 100)),
                ('y', _) => written.push_str(&date.year.to_string()),
                ('M', 1) => written.push_str(&date.month.to_string()),
                ('M', 2) => written.push_str(&format!("{:02}", date.month)),
                ('M', 3) => written.push_str(name(&words.short_months, month)),
                ('M', _) => written.push_str(name(&words.months, month)),
                ('d', 1) => written.push_str(&date.day.to_string()),
                ('d', _) => written.push_str(&format!("{:02}", date.day)),
                (_, 4) => written.push_str(name(&words.weekdays, date.weekday())),
                _ => written.push_str(name(&words.short_weekdays, date.weekday())),
            }
        }
        written
    }
}

const ENGLISH: Words = Words {
    tag: "en",
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    short_months: [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ],
    weekdays: [
        "Sunday",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
    ],
    short_weekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
    letters: ["S", "M", "T", "W", "T", "F", "S"],
    forms: [
        "M/d/yy",
        "MMM d, yyyy",
        "MMMM d, yyyy",
        "EEEE, MMMM d, yyyy",
    ],
    headline: "MMMM yyyy",
    chosen: "E, MMM d",
    first: 0,
    halves: ["AM", "PM"],
};

const ALL: [Words; 2] = [
    ENGLISH,
    Words {
        tag: "ar",
        months: ARABIC_MONTHS,
        short_months: ARABIC_MONTHS,
        weekdays: ARABIC_WEEKDAYS,
        short_weekdays: ARABIC_WEEKDAYS,
        letters: ["ح", "ن", "ث", "ر", "خ", "ج", "س"],
        forms: ["d/M/yyyy", "dd/MM/yyyy", "d MMMM yyyy", "EEEE، d MMMM yyyy"],
        headline: "MMMM yyyy",
        chosen: "E، d MMM",
        first: 6,
        halves: ["ص", "م"],
    },
];

const ARABIC_MONTHS: [&str; 12] = [
    "يناير",
    "فبراير",
    "مارس",
    "أبريل",
    "مايو",
    "يونيو",
    "يوليو",
    "أغسطس",
    "سبتمبر",
    "أكتوبر",
    "نوفمبر",
    "ديسمبر",
];

const ARABIC_WEEKDAYS: [&str; 7] = [
    "الأحد",
    "الاثنين",
    "الثلاثاء",
    "الأربعاء",
    "الخميس",
    "الجمعة",
    "السبت",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_written_in_english_and_arabic() {
        let date = Date::parse("2026-03-05").unwrap();
        let time = Time::parse("15:04").unwrap();
        let table = [
            (
                "en",
                "Mar 5, 2026",
                "Thursday, March 5, 2026",
                "Thu, Mar 5",
                "3:04 PM",
            ),
            (
                "ar",
                "05/03/2026",
                "الخميس، 5 مارس 2026",
                "الخميس، 5 مارس",
                "3:04 م",
            ),
            (
                "tlh",
                "Mar 5, 2026",
                "Thursday, March 5, 2026",
                "Thu, Mar 5",
                "3:04 PM",
            ),
        ];
        for (tag, medium, full, chosen, clock) in table {
            let locale = Locale::of(tag);
            assert_eq!(locale.date(date, "medium"), medium, "{tag}");
            assert_eq!(locale.date(date, "full"), full, "{tag}");
            assert_eq!(locale.chosen(date), chosen, "{tag}");
            assert_eq!(locale.time(time), clock, "{tag}");
        }
        assert_eq!(Locale::of("en").day(date), "05 March 2026");
        assert_eq!(Locale::of("ar-EG").headline(2026, 3), "مارس 2026");
        assert_eq!(Locale::of("ar").first_weekday(), 6);
    }
}
