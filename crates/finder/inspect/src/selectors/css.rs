//! CSS selectors and their escaping.

use std::fmt::{self, Write};

/// A simple selector.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SimpleSelector {
    Tag(String),
    Id(String),
    Class(String),
    /// Attribute with this value.
    Attribute(String, String),
    /// Attribute with this prefix.
    Prefix(String, String),
    /// `:nth-child`, from 1.
    Nth(u32),
    /// `:has`.
    Has(Box<Compound>),
    /// Top level of a shadow tree.
    TopOfShadow,
}

/// A compound selector, in the order of CSS.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Compound(pub(crate) Vec<SimpleSelector>);

/// Combinator of a compound and the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combinator {
    /// Ancestor.
    Around,
    /// Parent.
    Parent,
}

/// A complex selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complex {
    /// Compounds before the last, the outermost first.
    pub(crate) ancestors: Vec<(Compound, Combinator)>,
    /// Compound of the element.
    pub(crate) subject: Compound,
}

impl Compound {
    /// Sorts the pieces: the tag first, the position last.
    pub(crate) fn new(pieces: impl IntoIterator<Item = SimpleSelector>) -> Self {
        let mut pieces: Vec<SimpleSelector> = pieces.into_iter().collect();
        pieces.sort_by_key(|piece| match piece {
            SimpleSelector::TopOfShadow => 0,
            SimpleSelector::Tag(_) => 1,
            SimpleSelector::Id(_) => 2,
            SimpleSelector::Class(_) => 3,
            SimpleSelector::Attribute(..) | SimpleSelector::Prefix(..) => 4,
            SimpleSelector::Nth(_) => 5,
            SimpleSelector::Has(_) => 6,
        });
        pieces.dedup();
        Self(pieces)
    }

    /// A complex selector of only this compound.
    pub(crate) fn alone(self) -> Complex {
        Complex {
            ancestors: Vec::new(),
            subject: self,
        }
    }
}

impl fmt::Display for Complex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (compound, combinator) in &self.ancestors {
            write!(f, "{compound}")?;
            f.write_str(match combinator {
                Combinator::Around => " ",
                Combinator::Parent => " > ",
            })?;
        }
        write!(f, "{}", self.subject)
    }
}

impl fmt::Display for Compound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let typed = self
            .0
            .iter()
            .any(|piece| matches!(piece, SimpleSelector::Tag(_)));
        let only_nth = self
            .0
            .iter()
            .all(|piece| matches!(piece, SimpleSelector::Nth(_) | SimpleSelector::TopOfShadow));
        for piece in &self.0 {
            match piece {
                SimpleSelector::TopOfShadow => f.write_str(":host > ")?,
                SimpleSelector::Tag(tag) => write_identifier(f, tag)?,
                SimpleSelector::Id(id) => {
                    f.write_char('#')?;
                    write_identifier(f, id)?;
                }
                SimpleSelector::Class(class) => {
                    f.write_char('.')?;
                    write_identifier(f, class)?;
                }
                SimpleSelector::Attribute(name, value) => {
                    f.write_char('[')?;
                    write_identifier(f, name)?;
                    f.write_char('=')?;
                    write_string(f, value)?;
                    f.write_char(']')?;
                }
                SimpleSelector::Prefix(name, value) => {
                    f.write_char('[')?;
                    write_identifier(f, name)?;
                    f.write_str("^=")?;
                    write_string(f, value)?;
                    f.write_char(']')?;
                }
                SimpleSelector::Nth(place) => {
                    if only_nth && !typed {
                        f.write_char('*')?;
                    }
                    write!(f, ":nth-child({place})")?;
                }
                SimpleSelector::Has(inside) => write!(f, ":has({inside})")?,
            }
        }
        Ok(())
    }
}

/// Writes an identifier as `CSS.escape` does.
fn write_identifier(f: &mut impl Write, word: &str) -> fmt::Result {
    let alone = word == "-";
    for (at, c) in word.chars().enumerate() {
        let first_digit = c.is_ascii_digit() && (at == 0 || (at == 1 && word.starts_with('-')));
        match c {
            '\0' => f.write_char('\u{fffd}')?,
            _ if c.is_ascii_control() || first_digit => write!(f, "\\{:x} ", u32::from(c))?,
            '-' if alone => f.write_str("\\-")?,
            _ if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii() => {
                f.write_char(c)?;
            }
            _ => write!(f, "\\{c}")?,
        }
    }
    Ok(())
}

/// Writes a quoted string.
fn write_string(f: &mut impl Write, value: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in value.chars() {
        match c {
            '\0' => f.write_char('\u{fffd}')?,
            _ if c.is_ascii_control() => write!(f, "\\{:x} ", u32::from(c))?,
            '"' | '\\' => write!(f, "\\{c}")?,
            _ => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn css_of(piece: SimpleSelector) -> String {
        Compound::new([piece]).to_string()
    }

    #[test]
    fn css_escapes_round_trip() {
        for (id, css) in [
            ("login", "#login"),
            ("1st", "#\\31 st"),
            ("-1", "#-\\31 "),
            ("-", "#\\-"),
            ("--x", "#--x"),
            ("a:b", "#a\\:b"),
            ("a.b", "#a\\.b"),
            ("a b", "#a\\ b"),
            ("ü/ñ", "#ü\\/ñ"),
            ("登录", "#登录"),
            ("a\nb", "#a\\a b"),
            ("a\"]", "#a\\\"\\]"),
        ] {
            assert_eq!(css_of(SimpleSelector::Id(id.into())), css);
        }
        for (value, css) in [
            ("Sign In", r#"[title="Sign In"]"#),
            (r#"say "hi""#, r#"[title="say \"hi\""]"#),
            (r"a\b", r#"[title="a\\b"]"#),
            ("a\nb", "[title=\"a\\a b\"]"),
            ("]", "[title=\"]\"]"),
        ] {
            assert_eq!(
                css_of(SimpleSelector::Attribute("title".into(), value.into())),
                css
            );
        }
        assert_eq!(
            css_of(SimpleSelector::Class("md:flex".into())),
            ".md\\:flex"
        );
        assert_eq!(css_of(SimpleSelector::Tag("fb:like".into())), "fb\\:like");
        assert_eq!(css_of(SimpleSelector::Nth(3)), "*:nth-child(3)");
    }

    #[test]
    fn pieces_are_written_in_css_order() {
        let compound = Compound::new([
            SimpleSelector::Nth(2),
            SimpleSelector::Attribute("type".into(), "submit".into()),
            SimpleSelector::Class("btn".into()),
            SimpleSelector::Tag("button".into()),
        ]);
        assert_eq!(
            compound.to_string(),
            "button.btn[type=\"submit\"]:nth-child(2)"
        );
        let top = Compound::new([SimpleSelector::Tag("p".into()), SimpleSelector::TopOfShadow]);
        assert_eq!(top.alone().to_string(), ":host > p");
    }
}
