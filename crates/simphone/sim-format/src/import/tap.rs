//! Taps that link imported screens: `home: "Settings" -> settings`.

/// A tap on a screen and the screen that it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tap {
    pub given: String,
    pub from: String,
    /// The keys and values of the handler's selector.
    pub node: Vec<(&'static str, String)>,
    /// Which of several matching nodes, from 1.
    pub nth: Option<u32>,
    /// The screen that opens, or `back` or `home`.
    pub to: String,
}

/// The selector words, each with the key of a handler.
const WORDS: [(&str, &str); 7] = [
    ("text", "text"),
    ("text-contains", "text_contains"),
    ("id", "id"),
    ("desc", "desc"),
    ("label", "desc"),
    ("desc-contains", "desc_contains"),
    ("role", "role"),
];

/// Returns the effect of a target that is not an imported screen: back, or the home screen.
pub(super) fn navigation_effect(to: &str) -> Option<&'static str> {
    match to {
        "@back" => Some("pop"),
        "@home" => Some("home"),
        _ => None,
    }
}

impl Tap {
    /// Parses `home: text=Settings, role=button -> settings`.
    ///
    /// The first screen name may be omitted if there is only one screen. The selector has the words of the command line
    /// without dashes, separated by commas: `text=`, `text-contains=`, `id=`, `desc=`, `desc-contains=`, `role=`;
    /// `"Settings"` is short for `text=`, `#com.example:id/login` for `id=`, and `nth=2` selects one of several. The target
    /// is a screen or, unless a screen has that name, `back` or `home`.
    pub fn parse(text: &str, screens: &[&str]) -> Result<Tap, String> {
        let invalid = |what: &str| {
            format!("`{text}`: {what}; a tap is written `home: text=Settings -> settings`")
        };
        let (left, to) = text
            .rsplit_once("->")
            .ok_or_else(|| invalid("there is no `->`"))?;
        let to = to.trim();
        if to.is_empty() {
            return Err(invalid("nothing follows `->`"));
        }
        let named = left.split_once(':').filter(|(name, _)| {
            let name = name.trim();
            screens.contains(&name) || !name.contains(['=', '#', '"'])
        });
        let (from, node) = match (named, screens) {
            (Some((name, node)), _) => (name.trim(), node),
            (None, [only]) => (*only, left),
            (None, _) => {
                return Err(invalid(
                    "there are several screens, so it must say on which",
                ));
            }
        };
        let mut tap = Tap {
            given: text.to_owned(),
            from: from.to_owned(),
            node: Vec::new(),
            nth: None,
            to: match to {
                "back" | "home" if !screens.contains(&to) => format!("@{to}"),
                _ => to.to_owned(),
            },
        };
        for part in parts(node) {
            tap.add(part).map_err(|what| invalid(&what))?;
        }
        if tap.node.is_empty() {
            return Err(invalid("it does not say what is tapped"));
        }
        Ok(tap)
    }

    fn add(&mut self, part: &str) -> Result<(), String> {
        if part.starts_with('"') {
            self.node.push(("text", bare(part)));
            return Ok(());
        }
        if let Some(id) = part.strip_prefix('#') {
            self.node.push(("id", bare(id)));
            return Ok(());
        }
        let Some((word, value)) = part.split_once('=') else {
            return Err(format!("`{part}` does not describe a node"));
        };
        let (word, value) = (word.trim().replace('_', "-"), bare(value.trim()));
        if word == "nth" {
            let nth = value.parse().ok().filter(|nth| *nth > 0);
            self.nth = Some(nth.ok_or("`nth` is a number from 1")?);
            return Ok(());
        }
        match WORDS.iter().find(|(name, _)| *name == word) {
            Some((_, key)) => {
                self.node.push((*key, value));
                Ok(())
            }
            None => {
                let hint = crate::words::nearest(&word, WORDS.iter().map(|(name, _)| *name));
                Err(format!("`{word}` is not a selector word{hint}"))
            }
        }
    }
}

/// Splits a text at commas outside of quotes.
fn parts(text: &str) -> Vec<&str> {
    let mut quoted = false;
    text.split(|c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
    .collect()
}

/// Returns a value without quotes around it.
fn bare(value: &str) -> String {
    let inner = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(value).to_owned()
}
