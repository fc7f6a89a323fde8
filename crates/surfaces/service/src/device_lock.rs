//! Locks on devices: one run at a time on each, across the processes and users of this machine. The system releases them when
//! their process ends.

use std::path::Path;

use contract::{ErrorBody, ErrorCode};

use crate::runtime::{FileLock, FolderError, LockError, PrivateFolder, safe_name};

/// The lock on one device, held until it is dropped.
#[derive(Debug)]
pub(crate) struct DeviceLock {
    /// Excludes other users. Released before the file, so that a free file implies a free device.
    _machine: machine::Lock,
    /// Excludes other processes of this user, and has the id of the command.
    _file: FileLock,
}

/// Why a lock cannot be taken.
#[derive(Debug)]
pub(crate) enum LockConflict {
    /// Another process of this user holds it, with the id of its command.
    By(String),
    /// A process without access to the folder holds it, such as another user's.
    OtherUser(Option<machine::Peer>),
    /// The file cannot be used.
    Unusable(FolderError),
}

impl DeviceLock {
    /// Takes the lock on a device for a command. `name` is that of the lock.
    ///
    /// # Errors
    /// `EXECUTION_CONFLICT_IN_FLIGHT` with the known holder; `RUNTIME_FOLDER_UNSAFE` and `INTERNAL_ERROR` when the folder
    /// cannot be used.
    pub(crate) async fn take(
        folder: &Path,
        name: &str,
        device: &str,
        command_id: &str,
    ) -> Result<Self, ErrorBody> {
        let taken = Self::try_take(folder, name, command_id).await;
        taken.map_err(|held| held.error(device))
    }

    async fn try_take(folder: &Path, name: &str, command_id: &str) -> Result<Self, LockConflict> {
        let machine = machine::Lock::take(name);
        let folder = PrivateFolder::make(folder).map_err(LockConflict::Unusable)?;
        let file = FileLock::take(&folder, &file_name(name), command_id);
        let file = file.map_err(|error| match error {
            LockError::Held(holder) => LockConflict::By(holder),
            LockError::Unusable(error) => LockConflict::Unusable(folder.failed(error)),
        })?;
        let Some(machine) = machine else {
            return Err(LockConflict::OtherUser(machine::holder(name).await));
        };
        Ok(Self {
            _machine: machine,
            _file: file,
        })
    }
}

impl LockConflict {
    fn error(self, device: &str) -> ErrorBody {
        let conflict = |message| {
            ErrorBody::new(ErrorCode::ExecutionConflictInFlight, message)
                .with_default_hint()
                .with_detail("deviceId", device)
        };
        match self {
            Self::By(holder) => conflict(format!("{device} is running {holder}"))
                .with_detail("holderCommandId", holder),
            Self::OtherUser(Some(peer)) => conflict(format!(
                "{device} is in use by process {} of the user with uid {}",
                peer.pid, peer.uid
            ))
            .with_detail("holderPid", peer.pid)
            .with_detail("holderUid", peer.uid),
            Self::OtherUser(None) => conflict(format!(
                "{device} is in use by another user of this computer"
            )),
            Self::Unusable(error) => ErrorBody::from(error).with_detail("deviceId", device),
        }
    }
}

/// A lock that all users of a machine share: a name in the abstract socket namespace of the kernel. It needs no folder and no
/// permission, and holds no data that has to be trusted.
#[cfg(target_os = "linux")]
mod machine {
    use std::io::ErrorKind;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};

    /// The longest name that every kernel accepts, in bytes.
    const MAX_LENGTH: usize = 100;

    #[derive(Debug)]
    pub(super) struct Lock {
        _socket: Option<UnixListener>,
    }

    /// Who holds a lock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Peer {
        pub(super) uid: u32,
        pub(super) pid: i32,
    }

    impl Lock {
        /// `None` if another process holds it. A system without such names has no lock.
        pub(super) fn take(device: &str) -> Option<Self> {
            let address = SocketAddr::from_abstract_name(name(device));
            match address.and_then(|address| UnixListener::bind_addr(&address)) {
                Ok(socket) => Some(Self {
                    _socket: Some(socket),
                }),
                Err(error) if error.kind() == ErrorKind::AddrInUse => None,
                Err(_) => Some(Self { _socket: None }),
            }
        }
    }

    /// The process that holds the lock, from the kernel.
    pub(super) async fn holder(device: &str) -> Option<Peer> {
        let path = format!("\0{}", name(device));
        let socket = tokio::net::UnixStream::connect(path).await.ok()?;
        let peer = socket.peer_cred().ok()?;
        Some(Peer {
            uid: peer.uid(),
            pid: peer.pid()?,
        })
    }

    fn name(device: &str) -> String {
        let mut name = format!("clawperator-{}", super::safe_name(device));
        name.truncate(MAX_LENGTH);
        name
    }
}

/// Other systems have no such namespace: a phone is locked for each user separately.
#[cfg(not(target_os = "linux"))]
mod machine {
    #[derive(Debug)]
    pub(super) struct Lock;

    /// Who holds a lock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Peer {
        pub(super) uid: u32,
        pub(super) pid: i32,
    }

    impl Lock {
        pub(super) fn take(_: &str) -> Option<Self> {
            Some(Self)
        }
    }

    pub(super) async fn holder(_: &str) -> Option<Peer> {
        None
    }
}

/// The file name of a device's lock.
fn file_name(device: &str) -> String {
    format!("device-{}.lock", safe_name(device))
}

#[cfg(test)]
mod tests {
    use testkit::TempFolder;

    use super::*;

    #[tokio::test]
    async fn second_run_learns_the_holder_and_succeeds_after_it() {
        let folder = TempFolder::new("lock");
        let take = |device: &'static str, id: &'static str| {
            let folder = &folder;
            async move { DeviceLock::try_take(folder, device, id).await }
        };
        let first = take("192.168.1.5:5555", "one").await.unwrap();
        match take("192.168.1.5:5555", "two").await {
            Err(LockConflict::By(holder)) => assert_eq!(holder, "one"),
            other => panic!("{other:?}"),
        }
        let other = take("192.168.1.5_5555", "three").await.unwrap();
        drop(first);
        drop(other);
        drop(take("192.168.1.5:5555", "two").await.unwrap());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn run_of_another_user_is_a_conflict_with_its_pid() {
        // The users share no folder.
        let (one, other) = (TempFolder::new("lock"), TempFolder::new("lock"));
        let held = DeviceLock::try_take(&one, "10.9.8.7:5555", "one").await;
        let held = held.unwrap();
        let refused = DeviceLock::try_take(&other, "10.9.8.7:5555", "two").await;
        let error = refused.unwrap_err().error("10.9.8.7:5555");
        assert_eq!(error.code, ErrorCode::ExecutionConflictInFlight);
        let pid = std::process::id();
        assert_eq!(error.detail("holderPid"), Some(&pid.into()));
        assert!(error.detail("holderUid").is_some(), "{error:?}");
        drop(held);
        let free = DeviceLock::try_take(&other, "10.9.8.7:5555", "two").await;
        drop(free.unwrap());
    }

    #[test]
    fn file_names_are_distinct_and_stay_in_their_folder() {
        assert_eq!(file_name("../x"), "device-_2e_2e_2fx.lock");
        assert_ne!(file_name("a:b"), file_name("a_b"));
        assert!(file_name(&"é".repeat(500)).len() < 255);
    }
}
