//! The environment of a web scenario: a server with its pages, and results without times, ports and font-dependent data.
//!
//! Additional blocks: `html <path>` is the page at that path, the first of which is open at the beginning;
//! `text journal` is what the pages reported with `note(word)`. In pages and plans `{{own}}` and `{{other}}`
//! are two sites.

use serde_json::Value;

use crate::Scenario;
use crate::scenario::shortened;
use crate::web::{Reply, Web};

pub const NOTE: &str = "<!doctype html><meta charset=utf-8><script>
    window.note = (word) => { const request = new XMLHttpRequest(); request.open('POST', '{{own}}/note', false); request.send(word); };
    </script>";

pub struct ScenarioServer {
    web: Web,
}

impl ScenarioServer {
    /// The pages of a scenario, and common paths with errors and special responses.
    pub fn serve(scenario: &Scenario) -> Self {
        let web = Web::start();
        web.reply("/gone", Reply::HangUp);
        web.reply("/nothing", Reply::Nothing);
        web.reply(
            "/file",
            Reply::Download("report.bin".to_owned(), vec![7; 64]),
        );
        for (path, body) in [("/broken", "<h1>Sorry</h1>"), ("/bare", "")] {
            let kind = ("content-type".to_owned(), "text/html".to_owned());
            let status = "500 Internal Server Error".to_owned();
            web.reply(path, Reply::Full(status, vec![kind], body.into()));
        }
        web.reply("/redirect", Reply::Redirect("/second".to_owned()));
        for path in ["/", "/second", "/third"] {
            for html in scenario.blocks(&format!("html {path}")) {
                web.page(path, &format!("{NOTE}{html}"));
            }
        }
        Self { web }
    }

    /// The page that is open at the beginning.
    pub fn start(&self) -> String {
        self.web.url("/")
    }

    /// The block with this name and this server's addresses filled in; `None` if there is none.
    pub fn json(&self, scenario: &Scenario, name: &str) -> Result<Option<Value>, String> {
        let Some(value) = scenario.json(name)? else {
            return Ok(None);
        };
        let text = value
            .to_string()
            .replace("{{own}}", &self.web.url(""))
            .replace("{{other}}", &self.web.other(""))
            .replace("{{port}}", &self.web.port().to_string());
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| format!("{}: {name}: {error}", scenario.path.display()))
    }

    /// The words that the pages have reported, one per line.
    pub fn journal(&self) -> String {
        let journal = self.web.posted("/note").join("\n");
        if journal.is_empty() {
            "nothing".to_owned()
        } else {
            journal
        }
    }

    /// An envelope in the form of the scenario.
    pub fn settled(&self, result: Value) -> Result<Value, String> {
        let mut result = shortened(result);
        remove_variable_parts(&mut result);
        let text = result.to_string();
        serde_json::from_str(&text.replace(&self.web.port().to_string(), "PORT"))
            .map_err(|error| error.to_string())
    }
}

/// Removes times, and positions that depend on fonts, from an answer.
fn remove_variable_parts(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let has_match_count = fields.contains_key("match_count");
            // The step that reports a tab depends on timing.
            fields.remove("opened_tab");
            // A browser may ask again for a page that does not come.
            if fields.get("code").is_some_and(|code| code == "PAGE_ERRORS") {
                fields.insert("message".to_owned(), "…".into());
            }
            for (key, value) in fields {
                if key == "elapsed_ms" || (key == "coordinate" && has_match_count) {
                    *value = "…".into();
                }
                remove_variable_parts(value);
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(remove_variable_parts),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settled_removes_only_port_and_times() {
        let stage = ScenarioServer { web: Web::start() };
        let step = |elapsed: &str, coordinate: &str, host: &str| {
            json!({ "stepResults": [{ "data": {
                "elapsed_ms": elapsed, "coordinate": coordinate, "match_count": "1", "host": host,
            } }] })
        };
        let port = stage.web.port();
        let result = step("12", "(1,2)", &format!("one.localhost:{port}"));
        assert_eq!(
            stage.settled(result),
            Ok(step("…", "…", "one.localhost:PORT"))
        );
        let by_point = json!({ "data": { "coordinate": "(1,2)" } });
        assert_eq!(stage.settled(by_point.clone()), Ok(by_point));
    }
}
