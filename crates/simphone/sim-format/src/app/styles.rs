//! Named styles: their keys are merged into the widgets that use them, before widgets are read.

use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::style::Frame;
use crate::widget::TextLook;
use crate::yaml::{MapKey, Node, Yaml};
use draw::TextRole;

type Style<'s> = (String, Vec<(MapKey<'s>, Node<'s>)>);

/// Merges the keys of named styles where they are used; a widget's own keys take precedence.
pub(crate) fn apply(reader: &mut Reader, root: &mut Node<'_>) {
    let Yaml::Map(entries) = &mut root.value else {
        return;
    };
    let styles: Vec<Style<'_>> = entries
        .iter()
        .filter(|(key, _)| &**key == "styles")
        .filter_map(|(_, node)| match &node.value {
            Yaml::Map(styles) => Some(styles.clone()),
            _ => None,
        })
        .flatten()
        .filter_map(|(name, node)| match node.value {
            Yaml::Map(keys) => Some((name.text.into_owned(), keys)),
            _ => None,
        })
        .collect();
    if styles.is_empty() {
        return;
    }
    reader.styles = styles.iter().map(|(name, _)| name.clone()).collect();
    for (key, node) in entries.iter_mut() {
        if matches!(&**key, "screens" | "dialogs" | "components") {
            walk(node, &styles, &[]);
        }
    }
}

/// `beside` contains the keys of the widget to which a nested mapping of properties belongs.
fn walk(node: &mut Node<'_>, styles: &[Style<'_>], beside: &[String]) {
    match &mut node.value {
        Yaml::List(entries) => entries
            .iter_mut()
            .for_each(|entry| walk(entry, styles, &[])),
        Yaml::Map(entries) => {
            let own: Vec<String> = entries
                .iter()
                .map(|(key, _)| key.text.to_string())
                .collect();
            let inside: Vec<String> = entries
                .iter()
                .filter_map(|(_, node)| match &node.value {
                    Yaml::Map(inner) => Some(inner.iter().map(|(key, _)| key.text.to_string())),
                    _ => None,
                })
                .flatten()
                .collect();
            let style = entries.iter().position(|(key, node)| {
                &**key == "style"
                    && matches!(&node.value, Yaml::Text(text) if styles.iter().any(|(name, _)| *name == **text))
            });
            let named = style.map(|place| entries.remove(place));
            let keys = named.iter().filter_map(|(_, node)| match &node.value {
                Yaml::Text(text) => styles.iter().find(|(name, _)| *name == **text),
                _ => None,
            });
            for (_, keys) in keys {
                for (key, value) in keys {
                    let known = |names: &[String]| names.iter().any(|name| **name == **key);
                    let again = &**key != "style" && known(&own);
                    if !again && !known(beside) && !known(&inside) {
                        entries.push((own_key(key), value.clone().into_owned()));
                    }
                }
            }
            for (_, node) in entries.iter_mut() {
                walk(node, styles, &own);
            }
        }
        Yaml::Null | Yaml::Bool(_) | Yaml::Number(_) | Yaml::Text(_) => {}
    }
}

fn own_key(key: &MapKey<'_>) -> MapKey<'static> {
    MapKey {
        text: key.text.to_string().into(),
        at: key.at,
    }
}

pub(crate) fn check(reader: &mut Reader, styles: Vec<(&str, Located<'_>)>) {
    for (_, at) in styles {
        let Some(mut fields) = Fields::read_keys(reader, &at, Topic::Part("style")) else {
            continue;
        };
        // An unknown base style is reported where the style is used.
        fields.text(reader, "style");
        TextLook::read(reader, &mut fields, TextRole::BodyLarge);
        Frame::read(reader, &mut fields);
        fields.finish(reader);
    }
}
