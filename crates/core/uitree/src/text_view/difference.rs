//! The difference of two text views.

/// Above this many pairs of lines the screens are not compared.
const MOST_PAIRS: usize = 4_000_000;

/// The lines of `after` that `before` does not have, each after `+`, and the number of removed lines; empty if the screens are
/// equal. `None` if the whole screen says it better: it shows another window, or most of it has changed.
#[must_use]
pub fn difference(before: &str, after: &str) -> Option<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if old.first() != new.first() {
        return None;
    }
    let same = |(one, other): &(&&str, &&str)| one == other;
    let prefix = old.iter().zip(&new).take_while(same).count();
    let (old, new) = (&old[prefix..], &new[prefix..]);
    let suffix = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let (old, new) = (&old[..old.len() - suffix], &new[..new.len() - suffix]);
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        return None;
    }
    let kept = kept_lines(old, new);
    let mut text = String::new();
    for (line, _) in new.iter().zip(&kept).filter(|(_, kept)| !**kept) {
        text.push('+');
        text.push_str(line);
        text.push('\n');
    }
    let removed = old.len() - kept.iter().filter(|kept| **kept).count();
    if removed > 0 {
        let lines = if removed == 1 { "line" } else { "lines" };
        text.push_str(&format!("- {removed} {lines}\n"));
    }
    (text.len() * 3 <= after.len() * 2).then_some(text)
}

/// Which lines of `new` belong to a longest common subsequence.
fn kept_lines(old: &[&str], new: &[&str]) -> Vec<bool> {
    // The lengths of the longest common subsequences of the rests of both.
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i] == new[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let mut kept = vec![false; new.len()];
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            kept[j] = true;
            i += 1;
            j += 1;
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    kept
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
