//! Built-in commands, which change the shell.

use super::io::{CommandResult, Io};
use super::{Shell, command};

impl Shell {
    /// Runs a built-in command; `None` if `name` is not one.
    pub(super) async fn builtin(
        &mut self,
        name: &str,
        args: &[String],
        io: &Io,
    ) -> Option<CommandResult> {
        let rest = args.get(1..).unwrap_or_default();
        match name {
            ":" | "umask" | "trap" => {}
            "exit" => {
                self.exited = true;
                let status = rest.first().and_then(|text| text.parse::<i64>().ok());
                self.status = status.map_or(self.status, |status| (status & 0xff) as u8);
                return Some(Ok(self.status));
            }
            // `adb logcat` exports its environment first.
            "export" => {
                let pairs = rest.iter().filter_map(|each| each.split_once('='));
                self.names
                    .extend(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
            }
            "exec" => {
                let done = command::run(self, rest, io).await;
                self.exited = true;
                self.status = *done.as_ref().unwrap_or(&1);
                return Some(done);
            }
            _ => return None,
        }
        Some(Ok(0))
    }
}
