//! The difference of two text views.

use std::borrow::Cow;
use std::collections::HashMap;

/// Above this many pairs of lines the screens are not compared.
const MAX_PAIRS: usize = 4_000_000;

/// The fewest known lines beside each other that are counted instead of written.
const FEWEST: usize = 3;

/// The most characters of the first of them that are written.
const MAX: usize = 40;

/// The lines of `after` that `before` does not have, each after `+`, and the number of removed lines; empty if the screens are
/// equal. Indentation, and the focus that an element has lost, do not count. `None` if the whole screen says it better: it
/// shows another window, or most of it has changed.
#[must_use]
pub fn difference(before: &str, after: &str) -> Option<String> {
    let known = Known::of(before, after)?;
    let mut text = String::new();
    for (line, at) in after.lines().zip(&known.lines) {
        if at.is_none() {
            text.push('+');
            text.push_str(line);
            text.push('\n');
        }
    }
    let removed = before.lines().count() - known.count();
    if removed > 0 {
        let lines = if removed == 1 { "line" } else { "lines" };
        text.push_str(&format!("- {removed} {lines}\n"));
    }
    (text.len() * 3 <= after.len() * 2).then_some(text)
}

/// The screen `after` without the lines that are beside each other in `before`, too: these are counted behind the first one.
/// `None` if it shows another window, or no such lines.
#[must_use]
pub fn without_known(before: &str, after: &str) -> Option<String> {
    let known = Known::of(before, after)?;
    let lines: Vec<&str> = after.lines().collect();
    let mut text = String::new();
    // The line of the window always stays.
    let mut at = 0;
    let mut is_shorter = false;
    while let Some(line) = lines.get(at) {
        let run = if at == 0 { 0 } else { known.run_at(at) };
        if run >= FEWEST {
            let name = line.trim_start();
            let indentation = &line[..line.len() - name.len()];
            let short: String = name.chars().take(MAX).collect();
            text.push_str(&format!("{indentation}{short} … {run} lines as before\n"));
            at += run;
            is_shorter = true;
        } else {
            text.push_str(line);
            text.push('\n');
            at += 1;
        }
    }
    is_shorter.then_some(text)
}

/// Which lines of a screen an earlier one has, in the same order.
struct Known {
    /// For each line its number on the earlier screen.
    lines: Vec<Option<usize>>,
}

impl Known {
    /// `None` for screens of different applications and for screens that are too long.
    fn of(before: &str, after: &str) -> Option<Self> {
        let window = |screen: &str| -> Vec<String> {
            let words = screen
                .lines()
                .next()
                .into_iter()
                .flat_map(|line| line.split(' '));
            words.take(2).map(str::to_owned).collect()
        };
        if window(before) != window(after) {
            return None;
        }
        let mut numbers = Numbers::default();
        let old: Vec<[u32; 2]> = before.lines().map(|line| numbers.of_old(line)).collect();
        let new: Vec<u32> = after
            .lines()
            .map(|line| numbers.of(line.trim_start()))
            .collect();
        let is_same = |(old, new): (&[u32; 2], &u32)| old.contains(new);
        let prefix = old
            .iter()
            .zip(&new)
            .take_while(|pair| is_same(*pair))
            .count();
        let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
        let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
        let suffix = pairs.take_while(|pair| is_same(*pair)).count();
        let old_rest = &old_rest[..old_rest.len() - suffix];
        let new_rest = &new_rest[..new_rest.len() - suffix];
        if old_rest.len().saturating_mul(new_rest.len()) > MAX_PAIRS {
            return None;
        }
        let between = common_lines(old_rest, new_rest).into_iter();
        let between = between.map(|at| at.map(|at| prefix + at));
        let equal_end = (old.len() - suffix..old.len()).map(Some);
        let lines = (0..prefix)
            .map(Some)
            .chain(between)
            .chain(equal_end)
            .collect();
        Some(Self { lines })
    }

    fn count(&self) -> usize {
        self.lines.iter().flatten().count()
    }

    /// How many lines from this one are beside each other on both screens.
    fn run_at(&self, at: usize) -> usize {
        let Some(Some(first)) = self.lines.get(at) else {
            return 0;
        };
        let rest = self.lines[at..].iter().enumerate();
        rest.take_while(|(away, line)| **line == Some(first + away))
            .count()
    }
}

/// Equal lines as equal numbers.
#[derive(Default)]
struct Numbers<'t>(HashMap<Cow<'t, str>, u32>);

impl<'t> Numbers<'t> {
    fn of(&mut self, line: impl Into<Cow<'t, str>>) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(line.into()).or_insert(next)
    }

    /// The number of a line of the earlier screen, and that of the same line without focus.
    fn of_old(&mut self, line: &'t str) -> [u32; 2] {
        let line = line.trim_start();
        let own = self.of(line);
        let states = line.rfind('"').map_or(0, |end| end + 1);
        let unfocused = match line[states..].find(" focused") {
            Some(at) => {
                let (start, rest) = line.split_at(states + at);
                self.of(format!("{start}{}", &rest[" focused".len()..]))
            }
            None => own,
        };
        [own, unfocused]
    }
}

/// The longest common subsequence: for each line of `new` its place in `old`.
fn common_lines(old: &[[u32; 2]], new: &[u32]) -> Vec<Option<usize>> {
    // The lengths of the longest common subsequences of the rests of both.
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i].contains(&new[j]) {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let mut places = vec![None; new.len()];
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if old[i].contains(&new[j]) {
            places[j] = Some(i);
            i += 1;
            j += 1;
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "application com.shop \"Shop\"\n title \"Basket\"\n listitem \"Apples\" #row\n listitem \"Pears\" #row\n \
                        switch \"Gift\" unchecked\n text \"Sum: 5 €\"\n button \"Buy\"\n";

    #[test]
    fn changed_lines_are_added_and_old_ones_counted() {
        let after = FORM
            .replace("unchecked", "checked")
            .replace(" listitem \"Pears\" #row\n", "");
        assert_eq!(
            difference(FORM, &after).unwrap(),
            "+ switch \"Gift\" checked\n- 2 lines\n"
        );
        let more = FORM.replace(" button", " text \"Thank you\"\n button");
        assert_eq!(difference(FORM, &more).unwrap(), "+ text \"Thank you\"\n");
        assert_eq!(difference(FORM, FORM).unwrap(), "");
    }

    #[test]
    fn indentation_and_lost_focus_are_no_change() {
        let before = FORM.replace("unchecked", "unchecked focused");
        let after = FORM.replace(" button", " list scrollable\n  button");
        assert_eq!(difference(&before, &after).unwrap(), "+ list scrollable\n");
        assert_eq!(
            difference(&after, &before).unwrap(),
            "+ switch \"Gift\" unchecked focused\n- 2 lines\n"
        );
        let named = FORM.replace("Gift", "I am focused now");
        assert_eq!(
            difference(FORM, &named).unwrap(),
            "+ switch \"I am focused now\" unchecked\n- 1 line\n"
        );
    }

    #[test]
    fn another_title_of_the_application_is_a_change() {
        let other = FORM.replace("\"Shop\"", "\"Basket (2)\"");
        assert_eq!(
            difference(FORM, &other).unwrap(),
            "+application com.shop \"Basket (2)\"\n- 1 line\n"
        );
    }

    #[test]
    fn known_lines_beside_each_other_are_counted() {
        let sidebar = " #sidebar\n  link \"In\" e1\n  link \"Out\" e2\n  link \"Spam\" e3\n";
        let page = |text: &str, end: &str| {
            format!("application a \"A\"\n{sidebar} text \"{text}\"\n{end}")
        };
        let before = page("Ann", " button \"Send\" e4\n");
        let long = "a new text that is longer than all of the rest ".repeat(9);
        let after = page(&long, " link \"In\" e1\n link \"Out\" e2\n");
        assert_eq!(difference(&before, &after), None);
        assert_eq!(
            without_known(&before, &after).unwrap(),
            format!(
                "application a \"A\"\n #sidebar … 4 lines as before\n text \"{long}\"\n link \"In\" e1\n link \"Out\" e2\n"
            )
        );
        assert_eq!(
            without_known(&before, "application a \"B\"\n text \"C\"\n"),
            None
        );
        assert_eq!(
            without_known(&before, &after.replace("application a", "application b")),
            None
        );
    }

    #[test]
    fn another_window_and_a_new_screen_are_shown_whole() {
        let other = FORM.replace("com.shop", "com.bank");
        assert_eq!(difference(FORM, &other), None);
        let new = "application com.shop \"Shop\"\n title \"Done\"\n text \"Thank you\"\n";
        assert_eq!(difference(FORM, new), None);
    }

    #[test]
    fn added_lines_and_common_lines_are_the_new_screen() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        for (before, after) in [
            ("w\na\nb\nc\nd\ne\nf\ng", "w\na\nx\nc\ne\nf\ng\nd"),
            ("w\na", "w\na\nb"),
        ] {
            let Some(text) = difference(before, after) else {
                continue;
            };
            for line in text.lines().filter_map(|line| line.strip_prefix('+')) {
                assert!(lines(after).contains(&line.to_owned()), "{text}");
            }
        }
    }
}
