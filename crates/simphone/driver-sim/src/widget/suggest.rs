//! `suggest`: what a text field offers for the letters that were typed, as an `AutoCompleteTextView` does.

use std::sync::Arc;

use crate::app::{Effects, Fields, Names, Reader, Record, Scope, Template, Topic, take_effects};

/// How many characters are typed before anything is suggested, as Android has it.
const THRESHOLD: u32 = 2;

/// A text that is suggested, and the names that are known when it is chosen.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    pub(crate) text: Arc<str>,
    pub(crate) scope: Arc<Scope>,
}

/// What is suggested.
#[derive(Debug)]
pub(crate) struct Suggestions {
    entries: Entries,
    threshold: u32,
    /// What happens when one was chosen.
    pub(crate) on_choose: Effects,
}

/// Where the texts come from.
#[derive(Debug)]
enum Entries {
    Written(Vec<Arc<str>>),
    /// One for each record of a data set or list variable.
    Records {
        name: Arc<str>,
        text: Template,
    },
}

impl Suggestions {
    /// Reads the key `suggest` of a field.
    pub(super) fn read(reader: &mut Reader, fields: &mut Fields<'_>) -> Option<Self> {
        let at = fields.take("suggest")?;
        let mut fields = Fields::of(reader, &at, Topic::Part("suggestions"))?;
        let path = fields.path.clone();
        let options = fields.take("options");
        let items = fields.take("items");
        let text = fields.take("text");
        if options.is_some() == items.is_some() {
            reader.problem_here(&path, "either `options` or `items` is needed, not both");
        }
        let threshold = fields.take("threshold");
        let threshold = threshold.and_then(|at| reader.count(&at, 1));
        let (entries, on_choose) = if let Some(items) = items {
            let name = reader.text(&items).unwrap_or_else(|| Arc::from(""));
            let mut names = reader.record_fields(&items, &name);
            names.push(Arc::from("index"));
            if !reader.used.contains(&name) {
                reader.used.push(Arc::clone(&name));
            }
            if text.is_none() {
                reader.problem(&items, "`text` is missing: what is suggested");
            }
            reader.scopes.push(names);
            let text = text.and_then(|at| reader.template(&at)).unwrap_or_default();
            let on_choose = take_effects(reader, &mut fields, "on_choose");
            reader.scopes.pop();
            (Entries::Records { name, text }, on_choose)
        } else {
            if let Some(at) = &text {
                reader.problem(at, "this goes with `items`");
            }
            let written = options.map_or_else(Vec::new, |at| at.entries());
            let written = written.iter().filter_map(|at| reader.text(at));
            let written = written.collect();
            let on_choose = take_effects(reader, &mut fields, "on_choose");
            (Entries::Written(written), on_choose)
        };
        fields.finish(reader);
        Some(Self {
            entries,
            threshold: threshold.unwrap_or(THRESHOLD),
            on_choose,
        })
    }

    /// The data set or list variable that is suggested from.
    pub(crate) fn source(&self) -> Option<&str> {
        match &self.entries {
            Entries::Written(_) => None,
            Entries::Records { name, .. } => Some(name),
        }
    }

    /// What is suggested for what was typed: the texts of which a word begins with it.
    pub(crate) fn fitting(
        &self,
        typed: &str,
        names: &Names<'_>,
        around: &Arc<Scope>,
        records: &[Record],
    ) -> Vec<Suggestion> {
        if typed.chars().count() < self.threshold as usize {
            return Vec::new();
        }
        let typed = typed.to_lowercase();
        let texts: Vec<Suggestion> = match &self.entries {
            Entries::Written(texts) => texts
                .iter()
                .map(|text| Suggestion {
                    text: Arc::clone(text),
                    scope: Arc::clone(around),
                })
                .collect(),
            Entries::Records { text, .. } => records
                .iter()
                .enumerate()
                .map(|(index, record)| {
                    let scope = Arc::new(Scope {
                        record: Some(Arc::clone(record)),
                        index,
                        outer: Some(Arc::clone(around)),
                    });
                    let names = Names {
                        vars: names.vars,
                        scope: &scope,
                    };
                    Suggestion {
                        text: text.text(&names),
                        scope: Arc::clone(&scope),
                    }
                })
                .collect(),
        };
        let fits = |suggested: &Suggestion| {
            let text = suggested.text.to_lowercase();
            let begins = text.starts_with(&typed);
            begins || text.split(' ').any(|word| word.starts_with(&typed))
        };
        texts.into_iter().filter(fits).collect()
    }
}
