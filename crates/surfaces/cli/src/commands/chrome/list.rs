//! `chrome list`: running browsers and their tabs.

use contract::ErrorBody;
use service::chrome::ChromeSetup;

use super::task;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Command, Group};

pub(crate) static COMMAND: Command = Command {
    name: "chrome list",
    group: Group::Browser,
    usage: &["chrome list"],
    summary: "List the running browsers that `chrome start` or `--device chrome` started, with their tabs",
    notes: &["If `answers` is false, the browser hangs; `chrome stop` ends it"],
    examples: &["chrome list --output pretty"],
    ..Command::new(|_| Ok(task(list)))
};

async fn list(setup: &ChromeSetup, progress: &mut Progress) -> Result<Answer, ErrorBody> {
    let browsers = service::chrome::list(setup).await?;
    for browser in &browsers {
        progress.done(&format!(
            "{} at {} (process {}), tabs: {}",
            browser.browser,
            browser.endpoint,
            browser.pid,
            browser.tabs.len()
        ));
    }
    Answer::document("browsers", browsers)
}
