//! CSS selectors and their escaping.

use std::fmt::{self, Write};

/// A simple selector.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Piece {
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
pub(crate) struct Compound(pub(crate) Vec<Piece>);

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
    pub(crate) fn new(pieces: impl IntoIterator<Item = Piece>) -> Self {
        let mut pieces: Vec<Piece> = pieces.into_iter().collect();
        pieces.sort_by_key(|piece| match piece {
            Piece::TopOfShadow => 0,
            Piece::Tag(_) => 1,
            Piece::Id(_) => 2,
            Piece::Class(_) => 3,
            Piece::Attribute(..) | Piece::Prefix(..) => 4,
            Piece::Nth(_) => 5,
            Piece::Has(_) => 6,
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
        let typed = self.0.iter().any(|piece| matches!(piece, Piece::Tag(_)));
        let only_nth = self
            .0
            .iter()
            .all(|piece| matches!(piece, Piece::Nth(_) | Piece::TopOfShadow));
        for piece in &self.0 {
            match piece {
                Piece::TopOfShadow => f.write_str(":host > ")?,
                Piece::Tag(tag) => write_identifier(f, tag)?,
                Piece::Id(id) => {
                    f.write_char('#')?;
                    write_identifier(f, id)?;
                }
                Piece::Class(class) => {
                    f.write_char('.')?;
                    write_identifier(f, class)?;
                }
                Piece::Attribute(name, value) => {
                    f.write_char('[')?;
                    write_identifier(f, name)?;
                    f.write_char('=')?;
                    write_string(f, value)?;
                    f.write_char(']')?;
                }
                Piece::Prefix(name, value) => {
                    f.write_char('[')?;
                    write_identifier(f, name)?;
                    f.write_str("^=")?;
                    write_string(f, value)?;
                    f.write_char(']')?;
                }
                Piece::Nth(place) => {
                    if only_nth && !typed {
                        f.write_char('*')?;
                    }
                    write!(f, ":nth-child({place})")?;
                }
                Piece::Has(inside) => write!(f, ":has({inside})")?,
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

    fn css_of(piece: Piece) -> String {
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
            assert_eq!(css_of(Piece::Id(id.into())), css);
        }
        for (value, css) in [
            ("Sign In", r#"[title="Sign In"]"#),
            (r#"say "hi""#, r#"[title="say \"hi\""]"#),
            (r"a\b", r#"[title="a\\b"]"#),
            ("a\nb", "[title=\"a\\a b\"]"),
            ("]", "[title=\"]\"]"),
        ] {
            assert_eq!(css_of(Piece::Attribute("title".into(), value.into())), css);
        }
        assert_eq!(css_of(Piece::Class("md:flex".into())), ".md\\:flex");
        assert_eq!(css_of(Piece::Tag("fb:like".into())), "fb\\:like");
        assert_eq!(css_of(Piece::Nth(3)), "*:nth-child(3)");
    }

    #[test]
    fn pieces_are_written_in_css_order() {
        let compound = Compound::new([
            Piece::Nth(2),
            Piece::Attribute("type".into(), "submit".into()),
            Piece::Class("btn".into()),
            Piece::Tag("button".into()),
        ]);
        assert_eq!(
            compound.to_string(),
            "button.btn[type=\"submit\"]:nth-child(2)"
        );
        let top = Compound::new([Piece::Tag("p".into()), Piece::TopOfShadow]);
        assert_eq!(top.alone().to_string(), ":host > p");
    }
}
