//! Parses expressions: a tokenizer and a precedence parser.

use std::sync::Arc;

use crate::expr::functions::PATTERNS;
use crate::expr::value::Value;
use crate::expr::{EachExpr, Expr, GRANTED, Op};
use crate::schema::{FUNCTIONS, FunctionRow};
use crate::words::Words;

const DEPTH: usize = 32;

/// The maximum number of tokens.
const LENGTH: usize = 300;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Text(String),
    Number(f64),
    Symbol(&'static str),
}

const SYMBOLS: [&str; 17] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "(", ")", ",", "!",
];

pub(crate) fn parse(source: &str) -> Result<Expr, String> {
    nested(source, 0)
}

/// Parses an expression, which may be nested in a text of another one.
fn nested(source: &str, depth: usize) -> Result<Expr, String> {
    let tokens = tokens(source)?;
    if tokens.len() > LENGTH {
        return Err("the expression is too long".to_owned());
    }
    let mut reader = Reader { tokens, at: 0 };
    let expr = reader.expression(0, depth)?;
    match reader.peek() {
        None => Ok(expr),
        Some(token) => Err(format!("did not expect {}", show(token))),
    }
}

fn show(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("`{name}`"),
        Token::Text(text) => format!("'{text}'"),
        Token::Number(number) => format!("`{number}`"),
        Token::Symbol(symbol) => format!("`{symbol}`"),
    }
}

fn tokens(source: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = source;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        if first == '\'' {
            let inner = rest.get(1..).unwrap_or_default();
            let end = inner.find('\'').ok_or("a text in ' ' is not closed")?;
            tokens.push(Token::Text(inner.get(..end).unwrap_or_default().to_owned()));
            rest = inner.get(end + 1..).unwrap_or_default();
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
            let (number, tail) = rest.split_at(end.unwrap_or(rest.len()));
            let value = number.parse();
            let value = value.map_err(|_| format!("`{number}` is not a number"))?;
            tokens.push(Token::Number(value));
            rest = tail;
        } else if first.is_alphabetic() || first == '_' || first == '@' {
            let plain = |c: char| c.is_alphanumeric() || c == '_';
            let end = rest.find(|c: char| !plain(c) && c != '@');
            let mut end = end.unwrap_or(rest.len());
            while rest.get(..end).is_some_and(is_outer) && rest.get(end..end + 1) == Some(".") {
                let tail = rest.get(end + 1..).unwrap_or_default();
                end += 1 + tail.find(|c: char| !plain(c)).unwrap_or(tail.len());
            }
            let (name, tail) = rest.split_at(end);
            tokens.push(match name {
                "and" => Token::Symbol("&&"),
                "or" => Token::Symbol("||"),
                "not" => Token::Symbol("!"),
                _ => Token::Name(name.to_owned()),
            });
            rest = tail;
        } else {
            let mut symbols = SYMBOLS.iter();
            let symbol = symbols.find(|symbol| rest.starts_with(**symbol));
            let symbol = symbol.ok_or_else(|| match first {
                '=' => "a single `=` has no meaning here: `==` compares".to_owned(),
                '"' => "texts in expressions are in ' ', not in \" \"".to_owned(),
                _ => format!("`{first}` has no meaning here"),
            })?;
            tokens.push(Token::Symbol(symbol));
            rest = rest.get(symbol.len()..).unwrap_or_default();
        }
    }
}

/// Whether a name is `outer` or `outer.outer` and so on, the prefix of a name of an outer scope.
fn is_outer(name: &str) -> bool {
    name.split('.').all(|part| part == "outer")
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), String> {
        match self.next() {
            Some(Token::Symbol(found)) if found == symbol => Ok(()),
            Some(token) => Err(format!("expected `{symbol}` instead of {}", show(&token))),
            None => Err(format!("expected `{symbol}` at the end")),
        }
    }

    /// Parses an expression whose operators have at least the precedence `least`.
    fn expression(&mut self, min_precedence: u8, depth: usize) -> Result<Expr, String> {
        let mut left = self.operand(depth)?;
        while let Some((op, strength)) = self.peek().and_then(operator) {
            if strength < min_precedence {
                break;
            }
            self.at += 1;
            let right = self.expression(strength + 1, depth + 1)?;
            left = Expr::Pair(op, Box::new((left, right)));
        }
        Ok(left)
    }

    fn operand(&mut self, depth: usize) -> Result<Expr, String> {
        if depth > DEPTH {
            return Err("the expression is nested too deeply".to_owned());
        }
        match self.next() {
            Some(Token::Number(number)) => Ok(Expr::Value(Value::Number(number))),
            Some(Token::Text(text)) => Ok(Expr::Value(Value::text(&text))),
            Some(Token::Symbol("!")) => Ok(Expr::Not(Box::new(self.operand(depth + 1)?))),
            Some(Token::Symbol("-")) => Ok(Expr::Minus(Box::new(self.operand(depth + 1)?))),
            Some(Token::Symbol("(")) => {
                let inner = self.expression(0, depth + 1)?;
                self.expect(")")?;
                Ok(inner)
            }
            Some(Token::Name(name)) => match (name.as_str(), self.peek()) {
                (_, Some(Token::Symbol("("))) => self.call(&name, depth),
                ("true", _) => Ok(Expr::Value(Value::Bool(true))),
                ("false", _) => Ok(Expr::Value(Value::Bool(false))),
                _ if crate::expr::vars::SCREEN.contains(&&*name) => Ok(Expr::Name(Arc::from(name))),
                _ if name.starts_with('@') => {
                    let known = crate::expr::vars::SCREEN.join(", ");
                    Err(format!("`{name}` is none of {known}"))
                }
                _ => Ok(Expr::Name(Arc::from(name))),
            },
            Some(token) => Err(format!("did not expect {}", show(&token))),
            None => Err("something is missing at the end".to_owned()),
        }
    }

    fn call(&mut self, name: &str, depth: usize) -> Result<Expr, String> {
        let row = FUNCTIONS.iter().find(|row| row.name == name);
        let row = row.ok_or_else(|| {
            let known = FUNCTIONS.iter().map(|row| row.name);
            let hint = crate::words::nearest(name, known.clone());
            let known = known.collect::<Vec<_>>().join(", ");
            format!("there is no function `{name}`{hint} (there are {known})")
        })?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        if self.peek() != Some(&Token::Symbol(")")) {
            loop {
                arguments.push(self.expression(0, depth + 1)?);
                if self.peek() != Some(&Token::Symbol(",")) {
                    break;
                }
                self.at += 1;
            }
        }
        self.expect(")")?;
        let (min, max) = row.takes;
        if !(min..=max).contains(&arguments.len()) {
            let count = match (min, max) {
                (1, 1) => "1 value".to_owned(),
                (min, max) if min == max => format!("{min} values"),
                (min, max) => format!("{min} to {max} values"),
            };
            let (form, given) = (row.form, arguments.len());
            return Err(format!("`{form}` takes {count}, not {given}"));
        }
        applied(row, arguments, depth)
    }
}

/// Converts a call to an expression.
fn applied(row: &FunctionRow, arguments: Vec<Expr>, depth: usize) -> Result<Expr, String> {
    use crate::schema::Function::*;
    let over_entries = match row.function {
        Count | Sum | Any | First | Last | Join => true,
        // With a name and a text, these functions are over the entries of a list.
        Min | Max => matches!(
            arguments.as_slice(),
            [Expr::Name(_), Expr::Value(Value::Text(_))]
        ),
        _ => false,
    };
    let literal = |at: usize| match arguments.get(at) {
        Some(Expr::Value(Value::Text(text))) => Some(Arc::clone(text)),
        _ => None,
    };
    if over_entries {
        let Some(Expr::Name(list)) = arguments.first() else {
            return Err(format!("`{}` takes the name of a list first", row.form));
        };
        let of = match (arguments.get(1), literal(1)) {
            (None, _) => None,
            (_, Some(source)) => Some(nested(&source, depth + 1)?),
            (Some(_), None) => {
                return Err(format!(
                    "the second value of `{}` is an expression for each entry, in ' '",
                    row.form
                ));
            }
        };
        return Ok(Expr::Each(Box::new(EachExpr {
            function: row.function,
            list: Arc::clone(list),
            of,
            between: arguments.get(2).cloned(),
        })));
    }
    match row.function {
        Granted => {
            let name = literal(0).ok_or("`granted` takes the name of a permission in ' '")?;
            if crate::Permission::of_word(&name).is_none() {
                let known = crate::Permission::WORDS;
                let hint = crate::words::nearest(&name, known.iter().copied());
                let known = known.join(", ");
                return Err(format!(
                    "there is no permission `{name}`{hint} (there are {known})"
                ));
            }
            Ok(Expr::Name(Arc::from(format!("{GRANTED}{name}"))))
        }
        Matches => match literal(1) {
            Some(pattern) if PATTERNS.contains(&&*pattern) => {
                Ok(Expr::Call(row.function, arguments))
            }
            _ => Err(format!(
                "`matches` knows the patterns '{}'",
                PATTERNS.join("', '")
            )),
        },
        function => Ok(Expr::Call(function, arguments)),
    }
}

fn operator(token: &Token) -> Option<(Op, u8)> {
    let Token::Symbol(symbol) = token else {
        return None;
    };
    Some(match *symbol {
        "||" => (Op::Or, 1),
        "&&" => (Op::And, 2),
        "==" => (Op::Equal, 3),
        "!=" => (Op::Unequal, 3),
        "<" => (Op::Less, 4),
        "<=" => (Op::LessOrEqual, 4),
        ">" => (Op::Greater, 4),
        ">=" => (Op::GreaterOrEqual, 4),
        "+" => (Op::Plus, 5),
        "-" => (Op::Minus, 5),
        "*" => (Op::Times, 6),
        "/" => (Op::Over, 6),
        "%" => (Op::Modulo, 6),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_of_expressions_is_limited() {
        for (source, part) in [
            ("(".repeat(200), "too deeply"),
            ("!".repeat(200), "too deeply"),
            ("1+".repeat(5000), "too long"),
        ] {
            let message = parse(&source).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
