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
    twelve: bool,
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
    /// English as it is written outside of America.
    british: bool,
}

impl Locale {
    /// The one of a language tag; English for languages that nothing is known of.
    pub(crate) fn of(tag: &str) -> Self {
        let mut parts = tag.split(['-', '_']);
        let language = parts.next().unwrap_or_default();
        let words = ALL
            .iter()
            .find(|words| words.tag.eq_ignore_ascii_case(language))
            .unwrap_or(&ENGLISH);
        let region = parts.find(|part| part.len() == 2).unwrap_or_default();
        let british = ["GB", "IE", "AU", "NZ", "IN", "ZA"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(region));
        Self {
            words,
            british: british && words.tag == "en",
        }
    }

    /// A day in one of [`STYLES`].
    pub(crate) fn date(self, date: Date, style: &str) -> String {
        const BRITISH: [&str; 4] = [
            "dd/MM/yyyy",
            "d MMM yyyy",
            "d MMMM yyyy",
            "EEEE d MMMM yyyy",
        ];
        let forms = if self.british {
            &BRITISH
        } else {
            &self.words.forms
        };
        let [short, medium, long, full] = forms;
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
        let pattern = if self.british {
            "E, d MMM"
        } else {
            self.words.chosen
        };
        self.write(date, pattern)
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
        if self.british { 1 } else { self.words.first }
    }

    /// Whether hours run to 24.
    pub(crate) const fn has_24_hours(self) -> bool {
        self.british || !self.words.twelve
    }

    /// What is said before and after noon.
    pub(crate) const fn halves(self) -> [&'static str; 2] {
        self.words.halves
    }

    /// A time of day.
    pub(crate) fn time(self, time: Time) -> String {
        if self.has_24_hours() {
            return time.to_string();
        }
        let [before, after] = self.halves();
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

const NOON: [&str; 2] = ["AM", "PM"];

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
    twelve: true,
    halves: NOON,
};

const ALL: [Words; 8] = [
    ENGLISH,
    Words {
        tag: "de",
        months: [
            "Januar",
            "Februar",
            "März",
            "April",
            "Mai",
            "Juni",
            "Juli",
            "August",
            "September",
            "Oktober",
            "November",
            "Dezember",
        ],
        short_months: [
            "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.",
            "Dez.",
        ],
        weekdays: [
            "Sonntag",
            "Montag",
            "Dienstag",
            "Mittwoch",
            "Donnerstag",
            "Freitag",
            "Samstag",
        ],
        short_weekdays: ["So.", "Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa."],
        letters: ["S", "M", "D", "M", "D", "F", "S"],
        forms: [
            "dd.MM.yy",
            "dd.MM.yyyy",
            "d. MMMM yyyy",
            "EEEE, d. MMMM yyyy",
        ],
        headline: "MMMM yyyy",
        chosen: "E, d. MMM",
        first: 1,
        twelve: false,
        halves: NOON,
    },
    Words {
        tag: "fr",
        months: [
            "janvier",
            "février",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "août",
            "septembre",
            "octobre",
            "novembre",
            "décembre",
        ],
        short_months: [
            "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.",
            "nov.", "déc.",
        ],
        weekdays: [
            "dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi",
        ],
        short_weekdays: ["dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."],
        letters: ["D", "L", "M", "M", "J", "V", "S"],
        forms: [
            "dd/MM/yyyy",
            "d MMM yyyy",
            "d MMMM yyyy",
            "EEEE d MMMM yyyy",
        ],
        headline: "MMMM yyyy",
        chosen: "E d MMM",
        first: 1,
        twelve: false,
        halves: NOON,
    },
    Words {
        tag: "es",
        months: [
            "enero",
            "febrero",
            "marzo",
            "abril",
            "mayo",
            "junio",
            "julio",
            "agosto",
            "septiembre",
            "octubre",
            "noviembre",
            "diciembre",
        ],
        short_months: [
            "ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic",
        ],
        weekdays: [
            "domingo",
            "lunes",
            "martes",
            "miércoles",
            "jueves",
            "viernes",
            "sábado",
        ],
        short_weekdays: ["dom", "lun", "mar", "mié", "jue", "vie", "sáb"],
        letters: ["D", "L", "M", "X", "J", "V", "S"],
        forms: [
            "d/M/yy",
            "d MMM yyyy",
            "d 'de' MMMM 'de' yyyy",
            "EEEE, d 'de' MMMM 'de' yyyy",
        ],
        headline: "MMMM 'de' yyyy",
        chosen: "E, d MMM",
        first: 1,
        twelve: false,
        halves: ["a. m.", "p. m."],
    },
    Words {
        tag: "it",
        months: [
            "gennaio",
            "febbraio",
            "marzo",
            "aprile",
            "maggio",
            "giugno",
            "luglio",
            "agosto",
            "settembre",
            "ottobre",
            "novembre",
            "dicembre",
        ],
        short_months: [
            "gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic",
        ],
        weekdays: [
            "domenica",
            "lunedì",
            "martedì",
            "mercoledì",
            "giovedì",
            "venerdì",
            "sabato",
        ],
        short_weekdays: ["dom", "lun", "mar", "mer", "gio", "ven", "sab"],
        letters: ["D", "L", "M", "M", "G", "V", "S"],
        forms: ["dd/MM/yy", "d MMM yyyy", "d MMMM yyyy", "EEEE d MMMM yyyy"],
        headline: "MMMM yyyy",
        chosen: "E d MMM",
        first: 1,
        twelve: false,
        halves: NOON,
    },
    Words {
        tag: "pt",
        months: [
            "janeiro",
            "fevereiro",
            "março",
            "abril",
            "maio",
            "junho",
            "julho",
            "agosto",
            "setembro",
            "outubro",
            "novembro",
            "dezembro",
        ],
        short_months: [
            "jan.", "fev.", "mar.", "abr.", "mai.", "jun.", "jul.", "ago.", "set.", "out.", "nov.",
            "dez.",
        ],
        weekdays: [
            "domingo",
            "segunda-feira",
            "terça-feira",
            "quarta-feira",
            "quinta-feira",
            "sexta-feira",
            "sábado",
        ],
        short_weekdays: ["dom.", "seg.", "ter.", "qua.", "qui.", "sex.", "sáb."],
        letters: ["D", "S", "T", "Q", "Q", "S", "S"],
        forms: [
            "dd/MM/yyyy",
            "d 'de' MMM 'de' yyyy",
            "d 'de' MMMM 'de' yyyy",
            "EEEE, d 'de' MMMM 'de' yyyy",
        ],
        headline: "MMMM 'de' yyyy",
        chosen: "E, d 'de' MMM",
        first: 0,
        twelve: false,
        halves: NOON,
    },
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
        twelve: true,
        halves: ["ص", "م"],
    },
    Words {
        tag: "ja",
        months: JAPANESE_MONTHS,
        short_months: JAPANESE_MONTHS,
        weekdays: [
            "日曜日",
            "月曜日",
            "火曜日",
            "水曜日",
            "木曜日",
            "金曜日",
            "土曜日",
        ],
        short_weekdays: ["日", "月", "火", "水", "木", "金", "土"],
        letters: ["日", "月", "火", "水", "木", "金", "土"],
        forms: [
            "yyyy/MM/dd",
            "yyyy/MM/dd",
            "yyyy年M月d日",
            "yyyy年M月d日EEEE",
        ],
        headline: "yyyy年M月",
        chosen: "M月d日(E)",
        first: 0,
        twelve: false,
        halves: ["午前", "午後"],
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

const JAPANESE_MONTHS: [&str; 12] = [
    "1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_writes_a_day_in_its_own_way() {
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
                "en-GB",
                "5 Mar 2026",
                "Thursday 5 March 2026",
                "Thu, 5 Mar",
                "15:04",
            ),
            (
                "de-AT",
                "05.03.2026",
                "Donnerstag, 5. März 2026",
                "Do., 5. März",
                "15:04",
            ),
            (
                "fr",
                "5 mars 2026",
                "jeudi 5 mars 2026",
                "jeu. 5 mars",
                "15:04",
            ),
            (
                "es",
                "5 mar 2026",
                "jueves, 5 de marzo de 2026",
                "jue, 5 mar",
                "15:04",
            ),
            (
                "it",
                "5 mar 2026",
                "giovedì 5 marzo 2026",
                "gio 5 mar",
                "15:04",
            ),
            (
                "pt-BR",
                "5 de mar. de 2026",
                "quinta-feira, 5 de março de 2026",
                "qui., 5 de mar.",
                "15:04",
            ),
            (
                "ar",
                "05/03/2026",
                "الخميس، 5 مارس 2026",
                "الخميس، 5 مارس",
                "3:04 م",
            ),
            (
                "ja",
                "2026/03/05",
                "2026年3月5日木曜日",
                "3月5日(木)",
                "15:04",
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
        assert_eq!(Locale::of("es").headline(2026, 3), "marzo de 2026");
        assert_eq!(Locale::of("ar").first_weekday(), 6);
    }
}
