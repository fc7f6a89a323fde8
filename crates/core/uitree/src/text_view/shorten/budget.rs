//! Shortens a text view to a number of tokens.

use crate::text_view::line::tokens::estimate_tokens;
use crate::text_view::line::{Rank, WrittenLine};

/// Removes the least important lines, the lowest on the screen first, until the rest and a line with their number cost at most
/// `budget` tokens. Window lines are kept. Returns the number of removed lines.
pub(crate) fn fit(lines: &mut Vec<WrittenLine>, budget: usize) -> usize {
    let costs: Vec<usize> = lines.iter().map(cost).collect();
    let mut total: usize = costs.iter().sum();
    if total <= budget {
        return 0;
    }
    let mut order: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].rank != Rank::Window)
        .collect();
    // Document order is close to reading order.
    order.sort_by_key(|at| std::cmp::Reverse((lines[*at].rank, *at)));
    let mut dropped = vec![false; lines.len()];
    let mut counts = [0_usize; 2];
    for at in order {
        if total + estimate_tokens(&summary(counts)) < budget {
            break;
        }
        dropped[at] = true;
        total -= costs[at];
        counts[usize::from(lines[at].rank.is_actionable())] += 1;
    }
    let mut dropped_lines = dropped.iter();
    lines.retain(|_| !dropped_lines.next().copied().unwrap_or(false));
    lines.push(WrittenLine {
        rank: Rank::Window,
        depth: 0,
        text: summary(counts),
    });
    counts.iter().sum()
}

/// The number of removed lines, in words.
fn summary([text, actionable]: [usize; 2]) -> String {
    match (text, actionable) {
        (0, actionable) => format!("… {actionable} more to act on (raise budget, or use matcher)"),
        (text, 0) => format!("… {text} more lines of text (raise budget, or use matcher)"),
        (text, actionable) => {
            format!(
                "… {text} more lines of text, {actionable} to act on (raise budget, or use matcher)"
            )
        }
    }
}

/// The tokens of a line with its indentation and line break.
fn cost(line: &WrittenLine) -> usize {
    estimate_tokens(&line.text) + 1
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
    fn least_important_lines_are_removed_first() {
        let whole = UiTree::parse_notation(SHOP).unwrap().to_compact();
        assert_eq!(view(1000), (whole, 0));
        expect_test::expect![[r#"
            application com.shop "Shop"
             title "Basket"
             button "Buy"
             textfield hint="Coupon" focused
            … 2 more lines of text, 1 to act on (raise budget, or use matcher)
        "#]]
        .assert_eq(&view(56).0);
        expect_test::expect![[r#"
            application com.shop "Shop"
             textfield hint="Coupon" focused
            … 3 more lines of text, 2 to act on (raise budget, or use matcher)
        "#]]
        .assert_eq(&view(44).0);
        let (least, omitted) = view(1);
        assert!(
            least.starts_with("application com.shop \"Shop\"\n…"),
            "{least}"
        );
        assert_eq!(omitted, 6);
    }

    #[test]
    fn budget_is_never_exceeded() {
        for budget in 36..126 {
            let (text, _) = view(budget);
            let cost: usize = text
                .lines()
                .map(|line| estimate_tokens(line.trim_start()) + 1)
                .sum();
            assert!(cost <= budget, "{budget}: {cost}\n{text}");
        }
    }
}
