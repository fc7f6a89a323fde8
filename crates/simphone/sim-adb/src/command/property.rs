//! `getprop`, `setprop`, `settings`, `ime`, `content`: what the system is set to.

use super::{Call, IME};
use crate::operator::SERVICES;
use crate::shell::io::Done;
use crate::system::{self, TABLES};

/// The longest value of a property that may change.
const LONGEST: usize = 91;

pub(super) async fn run(call: Call<'_>) -> Done {
    match call.name() {
        "getprop" => getprop(call).await,
        "setprop" => setprop(call).await,
        "settings" => settings(call).await,
        "ime" => ime(call).await,
        _ => {
            let uri = call
                .from(1)
                .iter()
                .skip_while(|word| *word != "--uri")
                .nth(1);
            let shown = uri.map_or("content://", String::as_str);
            let why = format!(
                "Error while accessing provider:{}\njava.lang.IllegalStateException: Could not find provider: {shown}",
                shown.trim_start_matches("content://")
            );
            call.fail(why, 0).await
        }
    }
}

async fn getprop(call: Call<'_>) -> Done {
    let properties = call.handset().state().properties.clone();
    match call.arg(1) {
        Some(key) => {
            let value = properties.get(key).map(String::as_str);
            call.say(value.or(call.arg(2)).unwrap_or_default()).await?;
        }
        None => {
            for (key, value) in properties {
                call.say(format!("[{key}]: [{value}]")).await?;
            }
        }
    }
    Ok(0)
}

async fn setprop(call: Call<'_>) -> Done {
    let (Some(key), Some(value)) = (call.arg(1), call.arg(2)) else {
        return call
            .fail("setprop: Need 2 arguments (see \"setprop --help\")", 1)
            .await;
    };
    let may =
        key.starts_with("debug.") || key.starts_with("log.") || key.starts_with("persist.log.");
    if !may || value.len() > LONGEST {
        return call
            .fail(
                format!(
                    "Failed to set property '{key}' to '{value}'.\nSee dmesg for error reason."
                ),
                1,
            )
            .await;
    }
    call.handset()
        .state()
        .properties
        .insert(key.to_owned(), value.to_owned());
    Ok(0)
}

pub(super) async fn settings(call: Call<'_>) -> Done {
    let words: Vec<&str> = {
        let mut words = Vec::new();
        let mut given = call.from(1).iter();
        while let Some(word) = given.next() {
            if word == "--user" {
                given.next();
            } else {
                words.push(word.as_str());
            }
        }
        words
    };
    let (verb, table) = match words.as_slice() {
        [verb, table, ..] => (*verb, *table),
        _ => {
            call.say("Settings provider (settings) commands:").await?;
            return Ok(255);
        }
    };
    if !TABLES.contains(&table) {
        let why = format!("Invalid namespace '{table}'");
        return call.fail(why, 255).await;
    }
    let key = words.get(2).copied();
    let place = |key: &str| (table.to_owned(), key.to_owned());
    let handset = call.handset();
    match (verb, key) {
        ("get", Some(key)) => {
            let value = handset.setting(table, key);
            call.say(value.as_deref().unwrap_or("null")).await?;
        }
        ("put", Some(key)) => {
            let Some(value) = words.get(3) else {
                return call.fail("Bad arguments", 255).await;
            };
            handset
                .state()
                .settings
                .insert(place(key), (*value).to_owned());
            system::apply_setting(call.driver().await.phone_mut(), table, key, value);
            if (table, key) == SERVICES {
                handset.bind_operator();
            }
        }
        ("delete" | "reset", Some(key)) => {
            let gone = handset.state().settings.remove(&place(key)).is_some();
            if (table, key) == SERVICES {
                handset.bind_operator();
            }
            call.say(format!("Deleted {} rows", u8::from(gone))).await?;
        }
        ("list", _) => {
            let all = handset.state().settings.clone();
            for ((own, key), value) in all {
                if own == table {
                    call.say(format!("{key}={value}")).await?;
                }
            }
        }
        _ => return call.fail("Bad arguments", 255).await,
    }
    Ok(0)
}

pub(super) async fn ime(call: Call<'_>) -> Done {
    let has = |flag: &str| call.from(2).iter().any(|word| word == flag);
    match call.arg(1) {
        Some("list") if has("-s") => call.say(IME).await?,
        Some("list") => {
            call.say(format!(
                "{IME}:\n  mId={IME} mSettingsActivityName=null mIsVrOnly=false"
            ))
            .await?;
        }
        Some(verb @ ("set" | "enable" | "disable")) => {
            let id = call.arg(2).unwrap_or_default();
            if id != IME {
                return call
                    .fail(
                        format!("Unknown input method {id} cannot be {verb} for user #0"),
                        255,
                    )
                    .await;
            }
            call.say(format!("Input method {id} selected for user #0"))
                .await?;
        }
        Some("reset") => {
            call.say(format!(
                "Reset current and enabled IMEs for user #0\n  Newly selected IME: {IME}"
            ))
            .await?
        }
        _ => {
            call.say("InputMethodManagerService commands:").await?;
            return Ok(255);
        }
    }
    Ok(0)
}
