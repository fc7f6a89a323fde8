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
    let mut words = Vec::new();
    let mut given = call.from(1).iter();
    while let Some(word) = given.next() {
        if word == "--user" {
            given.next();
        } else {
            words.push(word.as_str());
        }
    }
    let [verb, table, rest @ ..] = words.as_slice() else {
        let usage = "Settings provider (settings) commands:";
        call.print_line(usage).await?;
        return Ok(255);
    };
    if !TABLES.contains(table) {
        let why = format!("Invalid namespace '{table}'");
        return call.fail(why, 255).await;
    }
    let place = |key: &str| ((*table).to_owned(), key.to_owned());
    let adb_phone = call.adb_phone();
    let key = match (*verb, rest) {
        ("get", [key, ..]) => {
            let value = adb_phone.setting(table, key);
            return call.done(value.as_deref().unwrap_or("null")).await;
        }
        ("put", [key, value, ..]) => {
            let mut state = adb_phone.state();
            state.settings.insert(place(key), (*value).to_owned());
            key
        }
        ("delete" | "reset", [key, ..]) => {
            let gone = adb_phone.state().settings.remove(&place(key)).is_some();
            let line = format!("Deleted {} rows", u8::from(gone));
            call.print_line(line).await?;
            key
        }
        _ => return call.fail("Bad arguments", 255).await,
    };
    if (*table, *key) == SERVICES {
        adb_phone.bind_operator();
    }
    if *verb == "put" && is_rotation_setting(table, key) {
        adb_phone.apply_rotation_settings().await;
    }
    Ok(0)
}
