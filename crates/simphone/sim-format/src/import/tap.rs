//! The ways between imported screens: `home: "Settings" -> settings`.

/// What is tapped on which screen, and the screen that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tap {
    /// As it was written, for what is said about it.
    pub given: String,
    /// The screen on which it is tapped.
    pub from: String,
    /// The node, in the words of a handler: key and value.
    pub node: Vec<(&'static str, String)>,
    /// Which one, from 1, when several are like that.
    pub nth: Option<u32>,
    /// The screen that opens, or `back` or `home`.
    pub to: String,
}

/// The words for a node, each with the key of a handler.
const WORDS: [(&str, &str); 7] = [
    ("text", "text"),
    ("text-contains", "text_contains"),
    ("id", "id"),
    ("desc", "desc"),
    ("label", "desc"),
    ("desc-contains", "desc_contains"),
    ("role", "role"),
];

/// How a place is left that is no screen: back to the one before, or to the home screen. The name cannot be one of a
/// screen that is imported, which `Tap::parse` sees to.
pub(super) fn leaves(to: &str) -> Option<&'static str> {
    match to {
        "@back" => Some("pop"),
        "@home" => Some("home"),
        _ => None,
    }
}

impl Tap {
    /// Reads `home: text=Settings, role=button -> settings`.
    ///
    /// The screen in front may be left out when there is only one. The node is described as on the command line, without
    /// the dashes: `text=`, `text-contains=`, `id=`, `desc=`, `desc-contains=`, `role=`, with commas between them;
    /// `"Settings"` is short for `text=`, `#com.example:id/login` for `id=`, and `nth=2` picks one of several. It leads
    /// to a screen, or, unless a screen is called so, `back` or `home`.
    ///
    /// # Errors
    ///
    /// In words, what is not understood.
    pub fn parse(text: &str, screens: &[&str]) -> Result<Tap, String> {
        let wrong = |what: &str| {
            format!("`{text}`: {what}; a tap is written `home: text=Settings -> settings`")
        };
        let (left, to) = text
            .rsplit_once("->")
            .ok_or_else(|| wrong("there is no `->`"))?;
        let to = to.trim();
        if to.is_empty() {
            return Err(wrong("nothing stands behind `->`"));
        }
        let named = left.split_once(':').filter(|(name, _)| {
            let name = name.trim();
            screens.contains(&name) || !name.contains(['=', '#', '"'])
        });
        let (from, node) = match (named, screens) {
            (Some((name, node)), _) => (name.trim(), node),
            (None, [only]) => (*only, left),
            (None, _) => {
                return Err(wrong("there are several screens, so it must say on which"));
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
            tap.add(part).map_err(|what| wrong(&what))?;
        }
        if tap.node.is_empty() {
            return Err(wrong("it does not say what is tapped"));
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
            return Err(format!("`{part}` describes no node"));
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
                Err(format!("`{word}` is no word for a node{hint}"))
            }
        }
    }
}

/// The parts between the commas that are in no quotes.
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

/// A value without the quotes around it.
fn bare(value: &str) -> String {
    let inner = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(value).to_owned()
}
