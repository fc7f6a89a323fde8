//! Processes and time: `pidof`, `date`, `sleep`.

use std::time::Duration;

use super::Call;
use crate::packages;
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    match call.name() {
        "pidof" => pidof(call).await,
        "date" => date(call).await,
        _ => sleep(call).await,
    }
}

async fn pidof(call: Call<'_>) -> CommandResult {
    let words = call.from(1).iter().filter(|word| !word.starts_with('-'));
    let names: Vec<&String> = words.collect();
    let mut found: Vec<String> = Vec::new();
    for each in packages::all(call.adb_phone(), call.driver().await.phone()) {
        if let Some(pid) = each.pid
            && names.contains(&&each.name)
        {
            found.push(pid.to_string());
        }
    }
    if found.is_empty() {
        return Ok(1);
    }
    call.done(found.join(" ")).await
}

/// `date +%s`.
async fn date(call: Call<'_>) -> CommandResult {
    if call.arg(1) != Some("+%s") {
        return call
            .fail("date: only `date +%s` is supported on this phone", 1)
            .await;
    }
    let now = call.adb_phone().clock().now();
    call.done(now.seconds().to_string()).await
}

async fn sleep(call: Call<'_>) -> CommandResult {
    let seconds = call.arg(1).and_then(|word| word.parse::<f64>().ok());
    let Some(time) = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) else {
        return call.fail("sleep: bad duration", 1).await;
    };
    tokio::time::sleep(time).await;
    Ok(0)
}
