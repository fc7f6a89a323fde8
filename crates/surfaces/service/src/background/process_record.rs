//! Records of background processes, and the files that hold them.

use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::socket::Address;
use super::{REPLY_TIMEOUT, Stream};
use crate::runtime::{FolderError, PrivateFolder};

/// How to reach a background process; part of its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProcessRecord {
    pub(crate) pid: u32,
    /// Where it listens, in the folder of its record.
    pub(super) address: Address,
    /// Proves that a request comes from the user: only the user can read it.
    pub(crate) secret: String,
}

/// Whether a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Liveness<T = ()> {
    Alive(T),
    /// It has ended, and its record is stale.
    Gone,
    /// The system does not say.
    Unknown,
}

impl Liveness {
    /// The same, with a value for a process that runs.
    pub(crate) fn with<T>(self, value: T) -> Liveness<T> {
        match self {
            Self::Alive(()) => Liveness::Alive(value),
            Self::Gone => Liveness::Gone,
            Self::Unknown => Liveness::Unknown,
        }
    }
}

impl ProcessRecord {
    /// Connects to the process.
    ///
    /// # Errors
    /// `NotFound` and `ConnectionRefused` if it has ended.
    pub(crate) async fn connect(&self, folder: &PrivateFolder) -> io::Result<Stream> {
        self.address.connect(folder).await
    }

    /// Whether the process listens.
    pub(crate) async fn liveness(&self, folder: &PrivateFolder) -> Liveness {
        match tokio::time::timeout(REPLY_TIMEOUT, self.connect(folder)).await {
            Ok(Ok(_)) => Liveness::Alive(()),
            Ok(Err(error)) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Liveness::Gone,
                _ => Liveness::Unknown,
            },
            Err(_) => Liveness::Unknown,
        }
    }

    /// Removes the record and the socket of a process that was killed.
    pub(crate) fn remove(&self, folder: &PrivateFolder, record: &str) -> io::Result<()> {
        self.address.remove(folder)?;
        folder.remove(record)
    }
}

/// A record that is removed when its process has ended.
pub(crate) trait BackgroundRecord: DeserializeOwned {
    /// What the check of a record needs.
    type Context;
    /// A process that runs.
    type Running;
    /// The end of the names of the records.
    const SUFFIX: &str;

    /// Whether the process runs.
    async fn check(
        &self,
        folder: &PrivateFolder,
        context: &Self::Context,
    ) -> Liveness<Self::Running>;

    /// Removes what the process has left. What stays is removed by the next command.
    fn remove(&self, folder: &PrivateFolder, name: &str);
}

/// The processes of a folder that run. Stale records are removed.
pub(crate) async fn live_records<R: BackgroundRecord>(
    folder: &PrivateFolder,
    context: &R::Context,
) -> Result<Vec<R::Running>, FolderError> {
    let mut running = Vec::new();
    for (name, record) in folder.records::<R>(R::SUFFIX)? {
        match record.check(folder, context).await {
            Liveness::Alive(process) => running.push(process),
            Liveness::Gone => record.remove(folder, &name),
            Liveness::Unknown => {}
        }
    }
    Ok(running)
}

/// Opens a folder of records inside the runtime folder; `None` if there is none.
pub(crate) fn open_folder(
    runtime: &Path,
    name: &str,
) -> Result<Option<PrivateFolder>, FolderError> {
    match PrivateFolder::open(runtime)? {
        Some(runtime) => runtime.open_inner(name),
        None => Ok(None),
    }
}

/// The record file of a process, removed on drop unless another process has replaced it.
#[derive(Debug)]
pub(crate) struct RecordFile {
    folder: PrivateFolder,
    name: String,
    bytes: Vec<u8>,
}

impl RecordFile {
    /// Writes a record.
    pub(crate) fn write(
        folder: &PrivateFolder,
        name: String,
        record: &impl Serialize,
    ) -> io::Result<Self> {
        let bytes = serde_json::to_vec(record)?;
        folder.write(&name, &bytes)?;
        Ok(Self {
            folder: folder.try_clone()?,
            name,
            bytes,
        })
    }

    /// Replaces the record by one that stays.
    pub(crate) fn replace(mut self, record: &impl Serialize) -> io::Result<()> {
        // The guard no longer matches the file.
        self.bytes.clear();
        self.folder.write_record(&self.name, record)
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        // A record that stays is stale, and removed by the next command that reads it.
        if let Ok(Some(bytes)) = self.folder.read(&self.name)
            && bytes == self.bytes
        {
            let _ = self.folder.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Record {
        process: ProcessRecord,
        name: String,
    }

    impl BackgroundRecord for Record {
        type Context = ();
        type Running = String;
        const SUFFIX: &str = ".json";

        async fn check(&self, folder: &PrivateFolder, (): &()) -> Liveness<String> {
            self.process.liveness(folder).await.with(self.name.clone())
        }

        fn remove(&self, folder: &PrivateFolder, name: &str) {
            self.process.remove(folder, name).unwrap();
        }
    }

    #[tokio::test]
    async fn stale_records_are_removed_and_live_ones_read() {
        let root = testkit::TempFolder::new("records");
        let folder = PrivateFolder::make(&root).unwrap();
        let (one, other) = (
            super::super::ControlSocket::open(&folder).await.unwrap(),
            super::super::ControlSocket::open(&folder).await.unwrap(),
        );
        let write = |name: &str, process| {
            let record = Record {
                process,
                name: name.to_owned(),
            };
            RecordFile::write(&folder, format!("{name}.json"), &record).unwrap()
        };
        let files = [
            write("live", one.process()),
            write("stale", other.process()),
        ];
        drop(other);
        let running = live_records::<Record>(&folder, &()).await.unwrap();
        assert_eq!(running, ["live"]);
        assert_eq!(folder.records::<Record>(".json").unwrap().len(), 1);
        drop((files, one));
        assert_eq!(folder.names().unwrap(), [""; 0]);
    }

    #[test]
    fn record_file_leaves_the_record_of_another_process() {
        let root = testkit::TempFolder::new("record-file");
        let folder = PrivateFolder::make(&root).unwrap();
        let file = RecordFile::write(&folder, "a.json".to_owned(), &"first").unwrap();
        folder.write_record("a.json", &"second").unwrap();
        drop(file);
        let kept = folder.read_record::<String>("a.json").unwrap();
        assert_eq!(kept.as_deref(), Some("second"));
        let file = RecordFile::write(&folder, "a.json".to_owned(), &"third").unwrap();
        file.replace(&"last").unwrap();
        let kept = folder.read_record::<String>("a.json").unwrap();
        assert_eq!(kept.as_deref(), Some("last"));
    }
}
