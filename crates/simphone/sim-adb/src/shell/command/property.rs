//! `getprop` and `settings`.

use super::Call;
use crate::adb_phone::rotation::is_rotation_setting;
use crate::adb_phone::system::TABLES;
use crate::operator_names::SERVICES;
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    match call.name() {
        "getprop" => getprop(call).await,
        _ => settings(call).await,
    }
}

async fn getprop(call: Call<'_>) -> CommandResult {
    let properties = call.adb_phone().state().properties.clone();
    match call.arg(1) {
        Some(key) => {
            let value = properties.get(key).map(String::as_str);
            call.print_line(value.or(call.arg(2)).unwrap_or_default())
                .await?;
        }
        None => {
            for (key, value) in properties {
                call.print_line(format!("[{key}]: [{value}]")).await?;
            }
        }
    }
    Ok(0)
}

pub(super) async fn settings(call: Call<'_>) -> CommandResult {
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
            call.print_line("Settings provider (settings) commands:")
                .await?;
            return Ok(255);
        }
    };
    if !TABLES.contains(&table) {
        let why = format!("Invalid namespace '{table}'");
        return call.fail(why, 255).await;
    }
    let key = words.get(2).copied();
    let place = |key: &str| (table.to_owned(), key.to_owned());
    let adb_phone = call.adb_phone();
    match (verb, key) {
        ("get", Some(key)) => {
            let value = adb_phone.setting(table, key);
            call.print_line(value.as_deref().unwrap_or("null")).await?;
        }
        ("put", Some(key)) => {
            let Some(value) = words.get(3) else {
                return call.fail("Bad arguments", 255).await;
            };
            adb_phone
                .state()
                .settings
                .insert(place(key), (*value).to_owned());
            if (table, key) == SERVICES {
                adb_phone.bind_operator();
            }
            if is_rotation_setting(table, key) {
                adb_phone.apply_rotation_settings().await;
            }
        }
        ("delete" | "reset", Some(key)) => {
            let gone = adb_phone.state().settings.remove(&place(key)).is_some();
            if (table, key) == SERVICES {
                adb_phone.bind_operator();
            }
            call.print_line(format!("Deleted {} rows", u8::from(gone)))
                .await?;
        }
        _ => return call.fail("Bad arguments", 255).await,
    }
    Ok(0)
}
