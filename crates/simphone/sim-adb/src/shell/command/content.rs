//! `content`: queries of content providers. Only Clawperator's agent app has one.

use agent_protocol::APP_QUERY;

use super::Call;
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let uri = match (call.arg(1), call.arg(2), call.arg(3)) {
        (Some("query"), Some("--uri"), Some(uri)) => uri,
        _ => {
            return call.fail("[ERROR] Unsupported operation", 0).await;
        }
    };
    let provider = uri.strip_prefix("content://").unwrap_or(uri);
    let line = match APP_QUERY.ends_with(uri) {
        true => call.adb_phone().runtime_app_line(),
        false => None,
    };
    match line {
        Some(line) => call.done(line.to_query_output().trim_end()).await,
        // Errors end with status 0 too, as on Android.
        None => {
            let what = format!(
                "Error while accessing provider:{provider}\n\
                 java.lang.IllegalStateException: Could not find provider: {provider}\n\
                 \tat com.android.commands.content.Content$Command.execute(Content.java:510)"
            );
            call.fail(what, 0).await
        }
    }
}
