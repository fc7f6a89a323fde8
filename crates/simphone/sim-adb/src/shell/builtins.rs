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
            ":" | "true" | "umask" | "trap" => {}
            "false" => return Some(Ok(1)),
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
            "read" => return Some(self.read(rest, io).await),
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

    /// `read [-r] NAME...`: sets names to the words of a line, the last to the rest.
    async fn read(&mut self, args: &[String], io: &Io) -> CommandResult {
        let names = args.iter().filter(|arg| *arg != "-r");
        let line = io.input.line().await.unwrap_or_default();
        let text = String::from_utf8_lossy(&line);
        let mut rest = text.trim();
        let last = names.clone().count().saturating_sub(1);
        for (place, name) in names.enumerate() {
            let (word, more) = match place < last {
                true => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
                false => (rest, ""),
            };
            self.names.insert(name.clone(), word.to_owned());
            rest = more.trim_start();
        }
        Ok(u8::from(!line.ends_with(b"\n")))
    }
}
