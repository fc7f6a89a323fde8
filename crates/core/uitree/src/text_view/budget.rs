//! Shortening a text view to a number of tokens.

use super::line::{Rank, WrittenLine};

/// Leaves out the least needed lines, the lowest on the screen first, until the rest and a line that counts them fit into
/// `budget` tokens. Window lines always stay. Returns the number of lines left out.
pub(super) fn fit(lines: &mut Vec<WrittenLine>, budget: usize) -> usize {
    let costs: Vec<usize> = lines.iter().map(cost).collect();
    let mut total: usize = costs.iter().sum();
    if total <= budget {
        return 0;
    }
    let mut order: Vec<usize> = (0..lines.len())
        .filter(|place| lines[*place].rank != Rank::Window)
        .collect();
    // Document order is close to reading order.
    order.sort_by_key(|place| std::cmp::Reverse((lines[*place].rank, *place)));
    let mut dropped = vec![false; lines.len()];
    let mut counts = [0_usize; 2];
    for place in order {
        if total + estimate_tokens(&summary(counts)) < budget {
            break;
        }
        dropped[place] = true;
        total -= costs[place];
        counts[usize::from(lines[place].rank.is_actionable())] += 1;
    }
    let mut places = dropped.iter();
    lines.retain(|_| !places.next().copied().unwrap_or(false));
    lines.push(WrittenLine {
        rank: Rank::Window,
        depth: 0,
        text: summary(counts),
    });
    counts.iter().sum()
}

/// Says how many lines were left out.
fn summary([text, actionable]: [usize; 2]) -> String {
    match (text, actionable) {
        (0, actionable) => format!("… {actionable} more to act on (budget)"),
        (text, 0) => format!("… {text} more lines of text (budget)"),
        (text, actionable) => {
            format!("… {text} more lines of text, {actionable} to act on (budget)")
        }
    }
}

/// The tokens of a line, with its indentation and line break.
fn cost(line: &WrittenLine) -> usize {
    estimate_tokens(&line.text) + 1
}

/// The words of views, one token each.
const WORDS: &[&str] = &[
    "above",
    "application",
    "button",
    "checkbox",
    "checked",
    "clickable",
    "collapsed",
    "container",
    "dialog",
    "disabled",
    "dropdown",
    "elements",
    "expanded",
    "focused",
    "heading",
    "image",
    "invalid",
    "label",
    "listitem",
    "mixed",
    "scrollable",
    "selected",
    "switch",
    "system",
    "textfield",
    "title",
    "toggle",
    "unchecked",
    "webview",
];

/// About how many tokens a text costs; a test compares it with a tokenizer.
///
/// A word of views costs one token, any other word one for every five letters, a number one for every three digits, any other visible character one
/// each.
pub fn estimate_tokens(text: &str) -> usize {
    Pieces::of(text).map(|(_, tokens)| tokens).sum()
}

/// How many characters of a text cost no more than a number of tokens.
pub(super) fn fitting(text: &str, most: usize) -> usize {
    // No character costs more than one.
    if text.len() <= most {
        return text.len();
    }
    let mut left = most;
    let mut characters = 0;
    for (length, tokens) in Pieces::of(text) {
        if tokens > left {
            return characters + left.min(length);
        }
        left -= tokens;
        characters += length;
    }
    characters
}

#[derive(PartialEq, Clone, Copy)]
enum Kind {
    Letters,
    Digits,
    Other,
    Space,
    Mark,
}

impl Kind {
    fn of(letter: char) -> Self {
        match letter {
            'a'..='z' | 'A'..='Z' => Self::Letters,
            '0'..='9' => Self::Digits,
            letter if letter.is_whitespace() => Self::Space,
            letter if letter.is_alphabetic() => Self::Other,
            _ => Self::Mark,
        }
    }
}

/// The words, numbers and other pieces of a text: how many characters each has, and how many tokens it costs.
struct Pieces<'t> {
    text: &'t str,
    letters: std::iter::Peekable<std::str::CharIndices<'t>>,
}

impl<'t> Pieces<'t> {
    fn of(text: &'t str) -> Self {
        let letters = text.char_indices().peekable();
        Self { text, letters }
    }
}

impl Iterator for Pieces<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let (start, first) = self.letters.next()?;
        let is = Kind::of(first);
        let mut length = 1_usize;
        let mut previous = first;
        // A capital letter inside of a word begins another one.
        while let Some((_, next)) = self.letters.next_if(|(_, next)| {
            Kind::of(*next) == is && !(previous.is_ascii_lowercase() && next.is_ascii_uppercase())
        }) {
            previous = next;
            length += 1;
        }
        let tokens = match is {
            Kind::Letters if WORDS.contains(&&self.text[start..start + length]) => 1,
            Kind::Letters => 1 + length / 5,
            Kind::Digits => length.div_ceil(3),
            // A space is part of the word behind it.
            Kind::Space => usize::from(length > 1),
            Kind::Other | Kind::Mark => length,
        };
        Some((length, tokens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TextView, UiTree};

    const SHOP: &str = "
        window application active \"Shop\" owner=com.shop
          column
            title \"Basket\"
            text \"Apples from the garden of a neighbour, red and sweet\"
            button \"Buy\" clickable
            textfield hint=\"Coupon\" focused editable
            button clickable [0,900][100,1000]
            text \"Free returns\"
    ";

    fn view(budget: usize) -> (String, usize) {
        let tree = UiTree::parse_notation(SHOP).unwrap();
        let screen = tree.text_view(TextView {
            budget: Some(budget),
            ..TextView::default()
        });
        (screen.text, screen.omitted)
    }

    #[test]
    fn least_needed_lines_are_left_out_first() {
        let whole = UiTree::parse_notation(SHOP).unwrap().to_compact();
        assert_eq!(view(1000), (whole, 0));
        expect_test::expect![[r#"
            application com.shop "Shop"
             title "Basket"
             button "Buy"
             textfield hint="Coupon" focused
            … 2 more lines of text, 1 to act on (budget)
        "#]]
        .assert_eq(&view(50).0);
        expect_test::expect![[r#"
            application com.shop "Shop"
             textfield hint="Coupon" focused
            … 3 more lines of text, 2 to act on (budget)
        "#]]
        .assert_eq(&view(38).0);
        let (least, omitted) = view(1);
        assert!(
            least.starts_with("application com.shop \"Shop\"\n…"),
            "{least}"
        );
        assert_eq!(omitted, 6);
    }

    #[test]
    fn budget_is_kept_at_every_size() {
        for budget in 30..120 {
            let (text, _) = view(budget);
            let cost: usize = text
                .lines()
                .map(|line| estimate_tokens(line.trim_start()) + 1)
                .sum();
            assert!(cost <= budget, "{budget}: {cost}\n{text}");
        }
    }
}
