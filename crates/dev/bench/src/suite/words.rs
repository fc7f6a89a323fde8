//! Words and role names for the suites, and a portable hash.

/// Text in lower case, with everything but letters and digits replaced by single spaces.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

pub fn words(text: &str) -> Vec<String> {
    plain(text).split_whitespace().map(str::to_owned).collect()
}

/// FNV-1a over all parts, each ended by a byte that no text contains: the same on every machine.
pub fn hash(parts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    };
    for part in parts {
        part.bytes().for_each(&mut eat);
        eat(0xff);
    }
    hash
}

/// The common word for an ARIA role; `None` for roles without interaction.
pub fn role_word(role: &str) -> Option<&'static str> {
    Some(match role {
        "link" => "link",
        "button" => "button",
        "textbox" => "text box",
        "searchbox" => "search box",
        "checkbox" => "checkbox",
        "radio" => "radio button",
        "combobox" => "combo box",
        "listbox" => "list box",
        "option" => "option",
        "tab" => "tab",
        "menuitem" | "menuitemcheckbox" | "menuitemradio" => "menu item",
        "switch" => "switch",
        "slider" => "slider",
        "spinbutton" => "spin button",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_into_plain_words() {
        assert_eq!(plain("  Sign-in:  «Über» uns!"), "sign in über uns");
        assert_eq!(words("Go to 2nd"), ["go", "to", "2nd"]);
        assert_eq!(plain("…"), "");
    }

    #[test]
    fn hash_separates_parts_and_is_stable() {
        assert_ne!(hash(&["a", "b"]), hash(&["ab", ""]));
        assert_eq!(hash(&["page", "Sign in"]), hash(&["page", "Sign in"]));
        assert_eq!(hash(&[]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(&["a"]), 0x089b_c907_b544_c769);
    }
}
