//! The shell's own words: those that change it, and those that run others.

use super::Shell;
use super::io::{Done, Io};
use super::run::{Skip, complain};
use crate::{command, files};

impl Shell {
    /// The words that change the shell itself; `None` when it is none of them.
    pub(super) async fn builtin(&mut self, name: &str, args: &[String], io: &Io) -> Option<Done> {
        let first = args.get(1).map(String::as_str);
        let number = || first.and_then(|text| text.parse::<i64>().ok());
        Some(Ok(match name {
            ":" | "set" | "umask" | "trap" => 0,
            "exit" | "return" => {
                self.left = true;
                self.status = number().map_or(self.status, |status| (status & 0xff) as u8);
                self.status
            }
            "break" | "continue" => {
                let skip = if name == "break" {
                    Skip::Break
                } else {
                    Skip::Continue
                };
                self.skip = Some(skip);
                0
            }
            "cd" => {
                let to = files::normal(&self.folder, first.unwrap_or("/"));
                match self.handset.files().meta(&to) {
                    Ok(meta) if meta.is_folder() => {
                        self.folder = to;
                        0
                    }
                    Ok(_) => {
                        return Some(complain(io, &format!("cd: {to}: Not a directory"), 2).await);
                    }
                    Err(errno) => {
                        return Some(complain(io, &format!("cd: {to}: {errno}"), 2).await);
                    }
                }
            }
            "export" => {
                for each in args.get(1..).unwrap_or_default() {
                    if let Some((name, value)) = each.split_once('=') {
                        self.names.insert(name.to_owned(), value.to_owned());
                    }
                }
                0
            }
            "unset" => {
                for each in args.get(1..).unwrap_or_default() {
                    self.names.remove(each);
                }
                0
            }
            "exec" | "command" | "sh" | "/system/bin/sh" => {
                return Some(self.run_other(name, args, io).await);
            }
            _ => return None,
        }))
    }

    /// The words that run others.
    async fn run_other(&mut self, name: &str, args: &[String], io: &Io) -> Done {
        let rest = args.get(1..).unwrap_or_default();
        match name {
            "sh" | "/system/bin/sh" => {
                let mut inner = self.clone();
                let text = match rest {
                    [flag, text, ..] if flag == "-c" => text.clone(),
                    [] => String::from_utf8_lossy(&io.input.rest().await).into_owned(),
                    [file, ..] => match self
                        .handset
                        .files()
                        .read(&files::normal(&self.folder, file))
                    {
                        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                        Err(errno) => return complain(io, &format!("{file}: {errno}"), 127).await,
                    },
                };
                Box::pin(inner.script(&text, io)).await
            }
            _ if rest.is_empty() => Ok(0),
            _ if rest.first().is_some_and(|word| word == "-v") => {
                let mut which = vec!["which".to_owned()];
                which.extend_from_slice(rest.get(1..).unwrap_or_default());
                command::run(self, &which, io).await
            }
            _ => {
                let status =
                    match Box::pin(self.builtin(rest.first().map_or("", String::as_str), rest, io))
                        .await
                    {
                        Some(done) => done,
                        None => command::run(self, rest, io).await,
                    };
                self.left |= name == "exec";
                self.status = status?;
                Ok(self.status)
            }
        }
    }
}
