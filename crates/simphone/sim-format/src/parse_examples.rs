//! Tests the parsers of short texts with the examples of `testdata/parse_examples.md`.

use std::sync::Arc;

use expect_test::expect_file;

use crate::expr::{self, Lookup, Value, template};
use crate::fault::Fault;
use crate::import::Tap;
use crate::schema::FUNCTIONS;
use crate::units::{self, UnitError};
use crate::yaml;

struct Names;

impl Lookup for Names {
    fn get(&self, name: &str) -> Option<Value> {
        let entry = |price, quantity| {
            let field = |name, number| (Arc::from(name), Value::Number(number));
            Arc::new(vec![field("price", price), field("quantity", quantity)])
        };
        Some(match name {
            "user" => Value::text("ann"),
            "n" => Value::Number(7.0),
            "yes" => Value::Bool(true),
            "cart" => Value::List(Arc::new(vec![entry(1.5, 4.0), entry(2.0, 1.0)])),
            _ => return None,
        })
    }
}

fn read(section: &str, text: &str) -> Result<String, String> {
    let unread = |unread: UnitError| format!("not read{}", unread.reason());
    match section {
        "faults" => {
            let faults = Fault::parse_all(text).map_err(|error| error.to_string())?;
            let faults = faults.iter().map(ToString::to_string);
            Ok(faults.collect::<Vec<_>>().join("; "))
        }
        "times" => Ok(format!("{:?}", units::time(text).map_err(unread)?)),
        "ranges of times" => Ok(format!("{:?}", units::range(text).map_err(unread)?)),
        "percentages" => Ok(units::percent(text).map_err(unread)?.to_string()),
        "languages" => {
            let tag = crate::canonical(text).map_err(|error| error.to_string())?;
            Ok(format!("{tag}, {:?}", crate::flow(&tag)))
        }
        "expressions" => Ok(expr::parse(text)?.value(&Names).to_string()),
        "texts with expressions" => Ok(template::parse(text)?.text(&Names).to_string()),
        "plain values of YAML" => {
            let text = text.replace("\\n", "\n");
            let node = yaml::read(&text);
            let node = node.map_err(|problem| format!("{}: {}", problem.line, problem.message))?;
            Ok(format!("{:?} {}", node.value, node.raw))
        }
        "taps of the screens home and about" => tap(text, &["home", "about"]),
        "taps of the screen home" => tap(text, &["home"]),
        other => panic!("there is no section {other}"),
    }
}

fn tap(text: &str, screens: &[&str]) -> Result<String, String> {
    let Tap {
        from,
        node,
        nth,
        to,
        ..
    } = Tap::parse(text, screens)?;
    Ok(format!("{from}: {node:?} {nth:?} -> {to}"))
}

#[test]
fn parsers_match_the_examples() {
    let (page, mut section) = (include_str!("../testdata/parse_examples.md"), "");
    let mut written = String::new();
    for line in page.lines().filter(|line| !line.starts_with("    >")) {
        section = line.strip_prefix("## ").unwrap_or(section);
        written.push_str(&format!("{line}\n"));
        let text = line
            .strip_prefix("    `")
            .and_then(|text| text.strip_suffix('`'));
        if let Some(text) = text {
            let answer = read(section, text).unwrap_or_else(|why| format!("! {why}"));
            written.push_str(format!("    > {answer}").trim_end());
            written.push('\n');
        }
    }
    expect_file!["../testdata/parse_examples.md"].assert_eq(&written);
}

#[test]
fn functions_match_their_examples() {
    for row in FUNCTIONS {
        let (call, expected) = row.example;
        assert_eq!(read("expressions", call).as_deref(), Ok(expected), "{call}");
    }
}
