//! `echo`.

use super::Call;
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let (words, end) = match call.from(1) {
        [flag, rest @ ..] if flag == "-n" => (rest, ""),
        words => (words, "\n"),
    };
    let text = words.join(" ");
    call.io.out.bytes(format!("{text}{end}")).await?;
    Ok(0)
}
