//! Tells stable classes from generated classes, states and utilities.

use std::sync::LazyLock;

use super::generated::{count_case_rises, is_hash, why_random};
use crate::data::{self, word_lists};

word_lists! {
    fn is_state_word = "class_states";
    fn is_look = "class_looks";
    fn is_look_value = "class_look_values";
    fn is_kind = "class_kinds";
}

static LOOK_PREFIXES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    data::words(include_str!("../../data/words/class_look_prefixes.txt")).collect()
});

/// Whether a selector may use this class.
pub(crate) fn is_stable(class: &str) -> bool {
    !class.is_empty()
        && class.len() <= 64
        && !is_generated(class)
        && !is_state(class)
        && !is_utility(class)
}

/// Whether the class is common.
pub(crate) fn is_generic(class: &str) -> bool {
    is_kind(&class.to_ascii_lowercase())
}

/// Whether a build tool generated the class.
fn is_generated(class: &str) -> bool {
    const PREFIXES: &str = "_ng astro- css- data-v- emotion- jsx- ng- sc- styled__ svelte- tss-";
    if PREFIXES
        .split_whitespace()
        .any(|prefix| class.starts_with(prefix))
    {
        // `sc-` and `css-` may be written by hand: the rest decides.
        let people = ["css-", "sc-"];
        let Some(prefix) = people.iter().find(|prefix| class.starts_with(*prefix)) else {
            return true;
        };
        let rest = class.get(prefix.len()..).unwrap_or_default();
        let made = |part: &str| {
            part.bytes().any(|byte| byte.is_ascii_digit())
                || count_case_rises(part) > 0
                || !part.bytes().any(|byte| b"aeiouy".contains(&byte))
        };
        return made(rest)
            || rest
                .split('-')
                .next()
                .is_some_and(|first| first.len() >= 5 && made(first));
    }
    if why_random(class).is_some() || is_counted(class) {
        return true;
    }
    // `Button_root__3xY9k`, `Button-module__root--xYz12`: the last part is a hash.
    let parts = [class.rsplit_once("__"), class.rsplit_once("--")];
    if parts
        .into_iter()
        .flatten()
        .any(|(_, last)| is_random_suffix(last))
    {
        return true;
    }
    // `module_local__` with a lower-case hash: `styles_button__hwrjp`.
    if let Some((before, last)) = class.rsplit_once("__") {
        let named = before.contains('_') && !before.contains('-');
        let vowels = last.bytes().filter(|byte| b"aeiouy".contains(byte)).count();
        if named && last.len() == 5 && vowels == 0 {
            return true;
        }
    }
    // `_button_x8k2p_7` of a bundler.
    if let Some(rest) = class.strip_prefix('_') {
        let parts: Vec<&str> = rest.split('_').collect();
        if parts.len() >= 3
            && parts
                .last()
                .is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()))
        {
            return true;
        }
    }
    false
}

/// Whether the last part of a class is random.
fn is_random_suffix(last: &str) -> bool {
    let has = |of: fn(&u8) -> bool| last.as_bytes().iter().any(of);
    let small = has(u8::is_ascii_lowercase);
    let kinds = (has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic))
        || (has(u8::is_ascii_uppercase) && small && count_case_rises(last) > 0);
    (5..=8).contains(&last.len())
        && (is_hash(last) || kinds)
        && last
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Whether a style library counted it: `jss12`, `makeStyles-root-14`, `c7`.
fn is_counted(class: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let counted = ["jss", "c", "e", "s", "_"]
        .iter()
        .any(|prefix| class.strip_prefix(prefix).is_some_and(digits));
    let named = ["makeStyles-", "withStyles-", "Mui"]
        .iter()
        .any(|prefix| class.starts_with(prefix));
    counted || (named && class.rsplit('-').next().is_some_and(digits))
}

/// Whether the class is a state.
fn is_state(class: &str) -> bool {
    let bare = class
        .rsplit_once("--")
        .map_or(class, |(_, modifier)| modifier);
    let lower = bare.to_ascii_lowercase();
    let word = [
        "is-",
        "has-",
        "js-is-",
        "ui-state-",
        "state-",
        "mui-",
        "was-",
    ]
    .iter()
    .find_map(|prefix| lower.strip_prefix(prefix))
    .unwrap_or(&lower);
    is_state_word(word)
        || ["is-", "has-", "ui-state-", "was-"]
            .iter()
            .any(|prefix| lower.starts_with(prefix))
}

/// Whether the class is a utility of a framework: `mt-4`, `md:flex`, `text-sm`, `d-none`.
fn is_utility(class: &str) -> bool {
    if class.contains([':', '[', ']', '/', '(', ')', '!', '@', '%', '=']) {
        return true;
    }
    let class = class.strip_prefix('-').unwrap_or(class);
    let class = class.strip_prefix("tw-").unwrap_or(class);
    if is_look(class) {
        return true;
    }
    // The longest prefix counts, so that `col-` does not match `columns-`.
    let rest = LOOK_PREFIXES
        .iter()
        .filter_map(|prefix| class.strip_prefix(prefix))
        .min_by_key(|rest| rest.len());
    rest.is_some_and(|rest| {
        rest.split('-').all(|value| {
            let number = value.trim_matches(|c: char| c.is_ascii_alphabetic());
            let unit = value.len() - number.len() <= 2;
            let numeric = !number.is_empty()
                && unit
                && number
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'.');
            numeric || is_look_value(value)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meaningful_classes_are_stable() {
        const STABLE: &str = "btn btn-primary submit-btn nav__link card-title login-form searchBox Header-nav menu-item post-list \
            product_card__title MuiButton-root site-logo text-block row-actions table-of-contents list-item \
            left-rail top-story css-editor sc-header x-button story--featured block__element select-country \
            content-main retry-action ant-btn h-card";
        for class in STABLE.split(' ') {
            assert!(is_stable(class), "{class}");
        }
    }

    #[test]
    fn generated_state_and_utility_classes_are_dropped() {
        const OTHERS: &str = "css-1x2y3z css-0 sc-bdfBwQ sc-1abc2de-0 Button_root__3xY9k styles_button__hWrJp styles_button__hwrjp \
            Button-module__root--xYz12 _button_x8k2p_7 jss12 c12 makeStyles-root-14 svelte-1abcxyz \
            astro-J7PV25F6 ng-tns-c42 ng-pristine item-48213 active is-open nav__link--active has-error \
            ui-state-hover selected mt-4 -mt-2 md:flex hover:bg-blue-500 w-1/2 text-sm bg-blue-500 d-none \
            col-md-6 p-0.5 flex items-center text-[13px] rounded-lg z-10 sr-only clearfix pull-right h-full \
            justify-between font-semibold tw-flex mb-3 float-left odd loading";
        for class in OTHERS.split(' ') {
            assert!(!is_stable(class), "{class}");
        }
    }
}
