//! Arithmetic of the shell: whole numbers, names, the four operations, comparisons and parentheses.

/// What a sum comes to; what cannot be worked out counts as 0, and so does a division by zero.
pub(crate) fn evaluate(text: &str, named: &dyn Fn(&str) -> Option<i64>) -> i64 {
    let mut reader = Reader {
        rest: text,
        named,
        depth: 0,
    };
    reader.level(0)
}

/// Operators by how tightly they bind, the loosest first.
const LEVELS: [&[&str]; 4] = [
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%"],
];
/// How deep parentheses may lie.
const DEEPEST: u32 = 50;

struct Reader<'a> {
    rest: &'a str,
    named: &'a dyn Fn(&str) -> Option<i64>,
    depth: u32,
}

impl Reader<'_> {
    fn level(&mut self, level: usize) -> i64 {
        let Some(operators) = LEVELS.get(level) else {
            return self.value();
        };
        let mut left = self.level(level + 1);
        loop {
            self.rest = self.rest.trim_start();
            let Some(operator) = operators.iter().find(|each| self.rest.starts_with(**each)) else {
                return left;
            };
            self.rest = self.rest.get(operator.len()..).unwrap_or_default();
            let right = self.level(level + 1);
            left = match *operator {
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right).unwrap_or(0),
                _ => left.checked_rem(right).unwrap_or(0),
            };
        }
    }

    fn value(&mut self) -> i64 {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '$']);
        self.depth += 1;
        if self.depth > DEEPEST {
            self.rest = "";
            return 0;
        }
        let value = if let Some(rest) = self.rest.strip_prefix('-') {
            self.rest = rest;
            self.value().wrapping_neg()
        } else if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let value = self.level(0);
            self.rest = self.rest.trim_start();
            self.rest = self.rest.strip_prefix(')').unwrap_or(self.rest);
            value
        } else {
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = self.rest.find(|c| !part(c)).unwrap_or(self.rest.len());
            let (word, rest) = self.rest.split_at(end);
            self.rest = rest;
            word.parse()
                .ok()
                .or_else(|| (self.named)(word))
                .unwrap_or(0)
        };
        self.depth -= 1;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        let named = |name: &str| (name == "i").then_some(3);
        for (text, value) in [
            ("1 + 2 * i", 7),
            ("(1+2)*3", 9),
            ("-4 / 2", -2),
            ("7 % 4 == i", 1),
            ("$i < 3", 0),
            ("1 / 0", 0),
            ("", 0),
        ] {
            assert_eq!(evaluate(text, &named), value, "{text}");
        }
    }
}
