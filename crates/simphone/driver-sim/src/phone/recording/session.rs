//! Session files of recordings.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use driver::{Recording, RecordingError};

#[derive(Debug)]
pub(crate) struct Session {
    id: String,
    path: PathBuf,
    file: File,
    events: u64,
    error: Option<String>,
}

impl Session {
    /// Creates the file of a session, with an id made from the time if none is given.
    pub(crate) fn start(
        folder: &Path,
        asked: Option<&str>,
        epoch_ms: u64,
    ) -> Result<Self, RecordingError> {
        if let Some(id) = asked {
            let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            if id.is_empty() || !id.chars().all(safe) {
                return Err(RecordingError::StartFailed(format!(
                    "a session's id holds letters, digits, `_` and `-`, not {id:?}"
                )));
            }
        }
        make_folder(folder).map_err(|error| {
            RecordingError::StorageUnavailable(format!("{}: {error}", folder.display()))
        })?;
        let mut attempt: u32 = 0;
        loop {
            let own = || format!("record-{epoch_ms}-{attempt:08x}");
            let id = asked.map_or_else(own, ToOwned::to_owned);
            let path = folder.join(format!("{id}.ndjson"));
            match create_new(&path) {
                Ok(file) => {
                    return Ok(Self {
                        id,
                        path,
                        file,
                        events: 0,
                        error: None,
                    });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists && asked.is_none() => {
                    attempt = attempt.wrapping_add(1);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    let message = format!("there is already a session {id}");
                    return Err(RecordingError::StartFailed(message));
                }
                Err(error) => {
                    let message = format!("{}: {error}", path.display());
                    return Err(RecordingError::StartFailed(message));
                }
            }
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Writes lines; [`end`](Self::end) returns the first error.
    pub(crate) fn write(&mut self, lines: &[String], events: u64) {
        self.events = events;
        for line in lines {
            if self.error.is_none()
                && let Err(error) = writeln!(self.file, "{line}")
            {
                self.error = Some(error.to_string());
            }
        }
    }

    pub(crate) fn recording(&self) -> Recording {
        Recording {
            session: self.id.clone(),
            path: self.path.display().to_string(),
            events: self.events,
            recorder: None,
        }
    }

    /// Ends the file and makes it the latest session.
    pub(crate) fn end(mut self) -> Result<Recording, RecordingError> {
        let recording = self.recording();
        let mut error = self.error.take();
        if error.is_none() {
            let latest = self.path.with_file_name("latest");
            let done = self.file.flush();
            let done = done.and_then(|()| write_pointer(&latest, &self.id));
            error = done.err().map(|error| error.to_string());
        }
        match error {
            None => Ok(recording),
            Some(message) => Err(RecordingError::StopFailed { message, recording }),
        }
    }
}

/// Creates a folder that only its user can read.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates a file that only its user can read.
fn create_new(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn write_pointer(path: &Path, id: &str) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_new(path)?.write_all(id.as_bytes())
}
