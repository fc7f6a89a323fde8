//! The difference of two text views.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::unfold::{elements, shared_elements, without_references};

/// Above this many pairs of lines the screens are not compared.
const MAX_PAIRS: usize = 4_000_000;

/// The fewest known lines beside each other that are counted instead of written.
const FEWEST: usize = 3;

/// How many characters are saved where fewer are.
const FEWEST_SAVED: usize = 24;

/// The most characters of the first of them that are written.
const MAX: usize = 40;

/// The lines of `after` that `before` does not have, each after `+`, and the number of removed lines; empty if the screens are
/// equal. Of controls that share a line, only the new ones are shown. A line that others look like follows the known line that
/// tells what it belongs to. Indentation, the focus that an element has lost, which controls share a line, and how many
/// elements are beyond an edge or behind a dialog, do not count. `None` if the whole screen says it better: it shows another
/// window, or most of it has changed.
#[must_use]
pub fn difference(before: &str, after: &str) -> Option<String> {
    let known = Known::of(before, after)?;
    let lines: Vec<&str> = after.lines().collect();
    let owners = owners(&lines, &known);
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate().filter(|(at, _)| known.is_new(*at)) {
        if let Some(owner) = owners[at] {
            text.push_str(&format!(" {}\n", shortened(lines[owner])));
        }
        text.push('+');
        match known.new_elements(line) {
            Some(elements) => text.push_str(&elements),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    if known.removed > 0 {
        let lines = if known.removed == 1 { "line" } else { "lines" };
        text.push_str(&format!("- {} {lines}\n", known.removed));
    }
    (text.len() * 3 <= after.len() * 2).then_some(text)
}

/// For each new line that is like others the known line before it that tells what it belongs to, unless a new line stands
/// between them.
fn owners(lines: &[&str], known: &Known) -> Vec<Option<usize>> {
    let names: Vec<String> = lines.iter().map(|line| without_references(line)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    let is_unique = |at: &usize| counts.get(&*names[*at]) == Some(&1);
    let owner = |at: usize| {
        let before = (1..at).rev();
        before.take_while(|at| !known.is_new(*at)).find(is_unique)
    };
    let of_line = |at: usize| match known.is_new(at) && !is_unique(&at) {
        true => owner(at),
        false => None,
    };
    (0..lines.len()).map(of_line).collect()
}

/// The start of a line.
fn shortened(line: &str) -> String {
    let name = line.trim_start();
    let (indentation, mut letters) = (&line[..line.len() - name.len()], name.chars());
    let start: String = letters.by_ref().take(MAX).collect();
    let end = if letters.next().is_some() { "…" } else { "" };
    format!("{indentation}{start}{end}")
}

/// The screen `after` without the lines that are beside each other in `before`, too: these are counted behind the first one. Of
/// controls that share one of these lines, those that are new are written behind them, such as the one that is selected now.
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
        let run = if at == 0 { 0 } else { known.run_at(at, &lines) };
        let written = counted(&lines[at..at + run], &known);
        let whole: usize = lines[at..at + run].iter().map(|line| line.len() + 1).sum();
        let is_long = run >= FEWEST || whole >= written.len() + FEWEST_SAVED;
        if run > 1 && is_long && written.len() < whole {
            text.push_str(&written);
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

/// The start of the first of these lines with their number, and what is new on them.
fn counted(lines: &[&str], known: &Known) -> String {
    let Some(first) = lines.first() else {
        return String::new();
    };
    let start = shortened(first);
    let start = start.trim_end_matches('…');
    let mut text = format!("{start} … {} lines as before\n", lines.len());
    for new in lines.iter().filter_map(|line| known.new_elements(line)) {
        text.push_str(&new);
        text.push('\n');
    }
    text
}

/// What an earlier screen says of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    New,
    /// It has the line, too, at this place; these lines are in the same order.
    Same(usize),
    /// It has the controls of the line, on lines that are shared otherwise.
    Regrouped,
}

/// Which lines of a screen an earlier one has.
struct Known {
    lines: Vec<Place>,
    /// How many lines of the earlier screen are gone; of controls that shared a line, these themselves.
    removed: usize,
    /// The controls of the lines of the earlier screen that have not stayed.
    elements: HashSet<String>,
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
            .map(|line| numbers.of(without_counts(line.trim_start())))
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
        let places = (0..prefix).map(Some).chain(between).chain(equal_end);
        let places: Vec<Option<usize>> = places.collect();
        Some(Self::with_regrouped(before, after, &places))
    }

    /// Finds the controls of lines that do not have the same place.
    fn with_regrouped(before: &str, after: &str, places: &[Option<usize>]) -> Self {
        let mut is_left = vec![false; before.lines().count()];
        for place in places.iter().flatten() {
            is_left[*place] = true;
        }
        let rest_of_old = before.lines().zip(is_left).filter(|(_, is_left)| !is_left);
        let old_lines: Vec<&str> = rest_of_old.map(|(line, _)| line).collect();
        let old: Vec<Vec<String>> = old_lines.iter().map(|line| elements(line)).collect();
        let rest_of_new = after
            .lines()
            .zip(places)
            .filter(|(_, place)| place.is_none());
        let new_lines: Vec<&str> = rest_of_new.map(|(line, _)| line).collect();
        let new: Vec<Vec<String>> = new_lines.iter().map(|line| elements(line)).collect();
        let is_regrouped = are_regrouped(&old, &new);
        let mut regrouped = are_regrouped(&new, &old).into_iter();
        let left: HashSet<&str> = new.iter().flatten().map(String::as_str).collect();
        let is_left =
            |control: &String| left.contains(&**control) || left.contains(&*without_focus(control));
        let gone = old_lines.iter().zip(is_regrouped);
        let gone = gone.map(|(line, is_regrouped)| match shared_elements(line) {
            _ if is_regrouped => 0,
            shared if shared.is_empty() => 1,
            // Some of them may have stayed.
            shared => shared.iter().filter(|control| !is_left(control)).count(),
        });
        let mut elements: HashSet<String> = old
            .iter()
            .flatten()
            .flat_map(|control| [control.clone(), without_focus(control).into_owned()])
            .collect();
        let deselected = deselected(old.iter().flatten(), new.iter().flatten(), &elements);
        elements.extend(deselected.iter().cloned());
        let mut controls = new_lines.iter().zip(&new);
        let lines = places.iter().map(|place| match place {
            Some(place) => Place::Same(*place),
            None => {
                let is_known =
                    controls
                        .next()
                        .is_some_and(|(line, alone)| match shared_controls(line) {
                            shared if shared.is_empty() => {
                                matches!(&alone[..], [control] if deselected.contains(control))
                            }
                            shared => shared.iter().all(|control| control.is_among(&elements)),
                        });
                match regrouped.next() == Some(true) || is_known {
                    true => Place::Regrouped,
                    false => Place::New,
                }
            }
        });
        Self {
            lines: lines.collect(),
            removed: gone.sum(),
            elements,
        }
    }

    /// The controls of a line that they share that are new, on a line of their own; `None` if all of them are or none, or if it
    /// is another line.
    fn new_elements(&self, line: &str) -> Option<String> {
        let all = shared_controls(line);
        let is_new = |control: &&Control| !control.is_among(&self.elements);
        let new: Vec<&str> = all.iter().filter(is_new).map(|new| &*new.whole).collect();
        if new.len() == all.len() {
            return None;
        }
        let (first, rest) = new.split_first()?;
        let role = first.split(' ').next().unwrap_or_default();
        let mut text = format!("{}{first}", &line[..line.len() - line.trim_start().len()]);
        for control in rest {
            text.push_str(control.strip_prefix(role).unwrap_or(control));
        }
        Some(text)
    }

    fn is_new(&self, at: usize) -> bool {
        self.lines.get(at) == Some(&Place::New)
    }

    /// How many lines from this one, a known one, are beside each other on both screens, apart from single controls on lines that
    /// several share.
    fn run_at(&self, at: usize, lines: &[&str]) -> usize {
        let Some(Place::Same(first)) = self.lines.get(at) else {
            return 0;
        };
        let mut last = *first;
        let mut shared = 0;
        let rest = self.lines[at + 1..].iter().zip(&lines[at + 1..]);
        let rest = rest.take_while(|(place, line)| match place {
            // One of the lines between is another one now.
            Place::Same(place) => {
                let is_next = *place == last + 1 + std::mem::take(&mut shared);
                last = *place;
                is_next
            }
            Place::New => {
                shared += 1;
                self.has_most_of(line)
            }
            Place::Regrouped => false,
        });
        1 + rest.count()
    }

    /// Whether the earlier screen has at least half of the controls that share a line.
    fn has_most_of(&self, line: &str) -> bool {
        let all = shared_elements(line);
        let known = all
            .iter()
            .filter(|control| self.elements.contains(*control));
        all.len() > 1 && known.count() * 2 >= all.len()
    }
}

/// A control of a line that several share.
struct Control {
    /// As it is written there.
    whole: String,
    /// With its first name only, as on other lines.
    short: String,
}

impl Control {
    fn is_among(&self, elements: &HashSet<String>) -> bool {
        elements.contains(&self.whole) || elements.contains(&self.short)
    }
}

/// The controls of a line that they share; empty for any other line.
fn shared_controls(line: &str) -> Vec<Control> {
    let both = shared_elements(line).into_iter().zip(elements(line));
    both.map(|(whole, short)| Control { whole, short })
        .collect()
}

/// The selected controls of an earlier screen as they are when they are not: others of their kind are selected now, which says so.
fn deselected<'l>(
    old: impl Iterator<Item = &'l String>,
    new: impl Iterator<Item = &'l String>,
    known: &HashSet<String>,
) -> HashSet<String> {
    const SELECTED: &str = " selected";
    let role = |control: &'l str| control.split(' ').next().unwrap_or_default();
    let is_selected = |control: &&String| without_state(control, SELECTED) != control.as_str();
    let is_new =
        |control: &&String| !known.contains(*control) && !known.contains(&*without_focus(control));
    let roles: HashSet<&str> = new
        .filter(is_selected)
        .filter(is_new)
        .map(|control| role(control))
        .collect();
    let old = old.filter(is_selected);
    old.filter(|control| roles.contains(role(control)))
        .map(|control| without_focus(&without_state(control, SELECTED)).into_owned())
        .collect()
}

/// Which of these lines have only controls that others have, too: alone where these share a line, and the reverse.
fn are_regrouped(lines: &[Vec<String>], others: &[Vec<String>]) -> Vec<bool> {
    let mut is_shared: HashMap<&str, bool> = HashMap::new();
    for line in others {
        is_shared.extend(line.iter().map(|control| (&**control, line.len() > 1)));
    }
    let is_regrouped = |line: &Vec<String>| {
        let is_alone = line.len() == 1;
        let mut controls = line.iter();
        !line.is_empty() && controls.all(|control| is_shared.get(&**control) == Some(&is_alone))
    };
    lines.iter().map(is_regrouped).collect()
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
        let line = without_counts(line.trim_start());
        let unfocused = without_focus(&line).into_owned();
        [self.of(line), self.of(unfocused)]
    }
}

/// A line, or a control of one, without the focus of its last element.
fn without_focus(line: &str) -> Cow<'_, str> {
    without_state(line, " focused")
}

/// A line, or a control of one, without a state of its last element.
fn without_state<'l>(line: &'l str, state: &str) -> Cow<'l, str> {
    let states = line.rfind('"').map_or(0, |end| end + 1);
    match line[states..].find(state) {
        Some(at) => {
            let (start, rest) = line.split_at(states + at);
            Cow::Owned(format!("{start}{}", &rest[state.len()..]))
        }
        None => Cow::Borrowed(line),
    }
}

/// A line without the numbers of what is beyond the edges of its container, or behind a dialog.
fn without_counts(line: &str) -> Cow<'_, str> {
    let behind = line.starts_with("behind the dialog: ").then_some(0);
    let Some(begin) = behind.or_else(|| start_of_counts(line)) else {
        return Cow::Borrowed(line);
    };
    let (start, rest) = line.split_at(begin);
    let (counts, rest) = rest.split_at(rest.rfind(')').unwrap_or(rest.len()));
    let mut is_quoted = false;
    let words = counts.chars().filter(|letter| {
        is_quoted ^= *letter == '"';
        // One element, or several.
        is_quoted || !(letter.is_ascii_digit() || *letter == 's')
    });
    Cow::Owned(format!("{start}{}{rest}", words.collect::<String>()))
}

/// Where a line begins to count what is beyond the edges of its container: behind its names and states.
fn start_of_counts(line: &str) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut letters = line.char_indices();
    letters.find_map(|(at, letter)| {
        is_quoted ^= letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        let begins = letter == '(' && !is_quoted && line[..at].ends_with("scrollable ");
        begins.then_some(at)
    })
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
    fn known_lines_on_which_another_control_is_selected_are_counted() {
        let page = |[inbox, sent]: [&str; 2], text: &str| {
            format!(
                "application a \"A\"\n text \"FOLDERS OF ANN\"\n button \"Inbox\"{inbox} e1 \"Drafts\" e2 \"Archive of all years\" e3 \"Sent\"{sent} e4\n text \"{text}\"\n"
            )
        };
        let long = "a new text that is longer than all of the rest ".repeat(9);
        let before = page([" selected", ""], "One");
        let folders = " text \"FOLDERS OF ANN\" … 2 lines as before\n";
        assert_eq!(
            without_known(&before, &page(["", " selected"], &long)).unwrap(),
            format!(
                "application a \"A\"\n{folders} button \"Sent\" selected e4\n text \"{long}\"\n"
            )
        );
        // Most of them are others.
        let other = page(["", ""], &long)
            .replace("\"Drafts\" e2 \"Archive of all years\" e3", "\"Trash\" e5");
        assert_eq!(without_known(&before, &other), None);
    }

    #[test]
    fn controls_that_share_lines_otherwise_are_no_change() {
        let row = |name: &str| format!(" text \"{name}\"\n");
        let whole = |at: usize| {
            format!(
                " button \"☆\" label=\"Star\" e{at}\n button \"✓\" label=\"Done\" e{}\n",
                at + 1
            )
        };
        let shared =
            |at: usize, star: &str| format!(" button \"{star}\" e{at} \"✓\" e{}\n", at + 1);
        let rest = " text \"The end of the page\"\n".repeat(3);
        let before = format!(
            "application a\n{}{}{}{}{rest}",
            row("Ann"),
            whole(1),
            row("Ben"),
            shared(3, "☆")
        );
        let scrolled = format!("application a\n{}{}{rest}", row("Ben"), whole(3));
        assert_eq!(difference(&before, &scrolled).unwrap(), "- 3 lines\n");
        assert_eq!(
            difference(&scrolled, &before).unwrap(),
            format!("+{}+{}", row("Ann"), whole(1).replace("\n ", "\n+ "))
        );
        let starred = before.replace(&shared(3, "☆"), &shared(3, "★"));
        assert_eq!(
            difference(&before, &starred).unwrap(),
            "+ button \"★\" e3\n- 1 line\n"
        );
    }

    #[test]
    fn changed_cell_of_a_row_with_controls_is_a_change() {
        let rest = " text \"The end of the page\"\n".repeat(3);
        let screen = |paid: &str, controls: &str| {
            format!(
                "application a\n row \"A\" e1 \"3 €\" label=\"{paid}\" e2 button \"Open\" e3{controls}\n{rest}"
            )
        };
        let before = screen("not paid", " \"Pay\" e4");
        for after in [screen("paid", " \"Pay\" e4"), screen("paid", "")] {
            let line = after.lines().nth(1).unwrap();
            assert_eq!(
                difference(&before, &after).unwrap(),
                format!("+{line}\n- 1 line\n")
            );
        }
    }

    #[test]
    fn new_line_like_others_follows_the_line_that_it_belongs_to() {
        let screen = |buttons: [usize; 3]| {
            let names = [
                "Ann",
                "Ben with a name that is longer than one line of a phone",
                "Cleo",
            ];
            let rows = names.iter().zip(buttons);
            let rows =
                rows.map(|(name, at)| format!(" text \"{name}\"\n button \"Remove\" e{at}\n"));
            format!("application a\n{}", rows.collect::<String>())
        };
        assert_eq!(
            difference(&screen([1, 2, 3]), &screen([1, 4, 3])).unwrap(),
            "  text \"Ben with a name that is longer tha…\n+ button \"Remove\" e4\n- 1 line\n"
        );
    }

    #[test]
    fn numbers_of_what_is_out_of_view_are_no_change() {
        let screen = |beyond: &str, behind: usize| {
            format!(
                "application a\n list \"(1)\" scrollable{beyond} e1\n  text \"One\"\nbehind the dialog: {behind} elements\n"
            )
        };
        let before = screen(" (1 element above, 20 below: \"Part 2\")", 12);
        let change = |after: &str| difference(&before, after).unwrap();
        assert_eq!(
            change(&screen(" (3 elements above, 9 below: \"Part 2\")", 3)),
            ""
        );
        for other in [
            " (3 elements above)",
            " (1 element above, 20 below: \"Part 3\")",
            "",
        ] {
            let line = format!("+ list \"(1)\" scrollable{other} e1\n- 1 line\n");
            assert_eq!(change(&screen(other, 12)), line);
        }
        let named = screen("", 12).replace("(1)", "scrollable (2)");
        assert_eq!(
            difference(&named, &named.replace("(2)", "(3)")).unwrap(),
            "+ list \"scrollable (3)\" scrollable e1\n- 1 line\n"
        );
    }

    #[test]
    fn only_new_controls_of_a_shared_line_are_shown() {
        let rest = " text \"The end of the page\"\n".repeat(3);
        let screen = |line: &str| format!("application a\n  {line}\n{rest}");
        let before = screen("button \"One\" selected focused e1 \"Two\" e2 \"Three\" e3");
        let change = |line: &str| difference(&before, &screen(line)).unwrap();
        assert_eq!(
            change("button \"One\" selected e1 \"Two\" focused e2 \"Three\" e3"),
            "+  button \"Two\" focused e2\n- 1 line\n"
        );
        assert_eq!(
            change("button \"One\" e1 \"Two\" e2 \"Three\" selected e3 \"Four\" e4"),
            "+  button \"Three\" selected e3 \"Four\" e4\n- 2 lines\n"
        );
        assert_eq!(
            change("button \"One\" selected e1 \"Two\" e2"),
            "- 1 line\n"
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
