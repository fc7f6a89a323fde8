//! What was written into password fields, and texts without it.

use std::sync::Arc;

/// How many passwords are known, the youngest ones.
const MOST: usize = 256;

/// The shortest password that is looked for in other texts; a shorter one would hide half of a screen.
const SHORTEST: usize = 4;

/// A password as far as it was ever written.
#[derive(Debug)]
struct Secret {
    text: Arc<str>,
    /// The fewest of its characters that a field has held: whoever types key by key writes every beginning of it.
    least: usize,
}

/// Everything that was written into password fields.
#[derive(Debug, Default)]
pub(super) struct Secrets(Vec<Secret>);

impl Secrets {
    /// Notes what a password field holds now. A beginning of a password is one with it, so that typing and deleting key
    /// by key forget no other password.
    pub(super) fn keep(&mut self, text: &Arc<str>) {
        let length = text.chars().count();
        if length < SHORTEST {
            return;
        }
        let related =
            |known: &Secret| known.text.starts_with(&**text) || text.starts_with(&*known.text);
        let secret = match self.0.iter().rposition(related) {
            Some(place) => {
                let known = self.0.remove(place);
                Secret {
                    least: known.least.min(length),
                    text: if known.text.len() < text.len() {
                        Arc::clone(text)
                    } else {
                        known.text
                    },
                }
            }
            None => Secret {
                text: Arc::clone(text),
                least: length,
            },
        };
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(secret);
    }

    /// A text with a dot for each character of a password, wherever passwords overlap.
    pub(super) fn mask(&self, text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        // How many characters from here on are hidden.
        let mut hidden = 0;
        for (place, letter) in text.char_indices() {
            let rest = text.get(place..).unwrap_or_default();
            let found = self.0.iter().map(|secret| secret.shown_by(rest)).max();
            hidden = hidden.max(found.unwrap_or(0));
            masked.push(if hidden > 0 { '•' } else { letter });
            hidden = hidden.saturating_sub(1);
        }
        masked
    }
}

impl Secret {
    /// How many characters of the password a text begins with; 0 when they are fewer than were ever written.
    fn shown_by(&self, text: &str) -> usize {
        let own = self.text.chars();
        let same = own.zip(text.chars()).take_while(|(a, b)| a == b).count();
        if same >= self.least { same } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(texts: &[&str]) -> Secrets {
        let mut secrets = Secrets::default();
        for text in texts {
            secrets.keep(&Arc::from(*text));
        }
        secrets
    }

    #[test]
    fn the_longest_of_a_password_is_hidden() {
        let typed = known(&["s", "se", "sec", "secr", "secre", "secret"]);
        assert_eq!(typed.0.len(), 1);
        assert_eq!(typed.mask("a secret, secre, sec"), "a ••••••, •••••, sec");
        // Deleted and typed otherwise: both stay known.
        let changed = known(&["secret", "secre", "secr", "secrxy"]);
        assert_eq!(changed.mask("secret secrxy secr"), "•••••• •••••• ••••");
        // Written at once: no beginning of it was ever there.
        assert_eq!(known(&["settings9"]).mask("settings"), "settings");
        assert_eq!(known(&["abcd", "cdef"]).mask("xabcdefx"), "x••••••x");
        assert_eq!(known(&["ecret", "secret"]).mask("secret"), "••••••");
        assert_eq!(known(&["äöü€🎉"]).mask("ßäöü€🎉ß"), "ß•••••ß");
    }

    #[test]
    fn a_long_password_forgets_no_other() {
        let mut secrets = known(&["opensesame"]);
        let long = "0123456789".repeat(60);
        for end in 1..=long.len() {
            secrets.keep(&Arc::from(&long[..end]));
        }
        assert_eq!(secrets.mask("opensesame"), "••••••••••");
        assert_eq!(secrets.mask(&long), "•".repeat(600));
        for number in 0..2 * MOST {
            secrets.keep(&Arc::from(format!("{number:05}-")));
        }
        assert_eq!(secrets.0.len(), MOST);
        assert_eq!(secrets.mask("opensesame"), "opensesame");
    }
}
