//! One run at a time on each device, across the processes and users of this machine. The system releases the locks when
//! their process ends, however it ends.

use std::path::Path;

use contract::{ErrorBody, ErrorCode};

use crate::environment::AdbSetup;
use crate::runtime::{FileLock, FolderError, LockError, PrivateFolder, safe_name};
use crate::{android, devices};

/// The lock of one device, held until it is dropped.
#[derive(Debug)]
pub(crate) struct DeviceLock {
    /// Keeps other users away; released first, so that nobody finds it taken behind a free file.
    _machine: machine::Lock,
    /// Keeps this user's other processes away, and tells them which command holds the device.
    _file: FileLock,
}

/// Why a lock is not to be had.
#[derive(Debug)]
pub(crate) enum Held {
    /// Another process of this user has it; with the id of the command that it runs, if it has said.
    By(String),
    /// A process that shares no folder with this one has it, such as another user's.
    Elsewhere(Option<machine::Peer>),
    /// The file cannot be used.
    Broken(FolderError),
}

impl DeviceLock {
    /// Takes the lock of a device for a command.
    ///
    /// # Errors
    /// `EXECUTION_CONFLICT_IN_FLIGHT` with what is known of the holder; `RUNTIME_FOLDER_UNSAFE` and `INTERNAL_ERROR` when the
    /// folder cannot be used.
    pub(crate) async fn take(
        setup: &AdbSetup,
        device: &str,
        command_id: &str,
    ) -> Result<Self, ErrorBody> {
        let name = name(setup, device);
        let taken = Self::try_take(&setup.locks, &name, command_id).await;
        taken.map_err(|held| held.error(device))
    }

    async fn try_take(folder: &Path, name: &str, command_id: &str) -> Result<Self, Held> {
        let machine = machine::Lock::take(name);
        let folder = PrivateFolder::make(folder).map_err(Held::Broken)?;
        let file = FileLock::take(&folder, &file_name(name), command_id);
        let file = file.map_err(|error| match error {
            LockError::Held(holder) => Held::By(holder),
            LockError::Unusable(error) => Held::Broken(folder.failed(error)),
        })?;
        let Some(machine) = machine else {
            return Err(Held::Elsewhere(machine::holder(name).await));
        };
        Ok(Self {
            _machine: machine,
            _file: file,
        })
    }
}

impl Held {
    fn error(self, device: &str) -> ErrorBody {
        let conflict = |message| {
            ErrorBody::new(ErrorCode::ExecutionConflictInFlight, message)
                .with_default_hint()
                .with_detail("deviceId", device)
        };
        match self {
            Self::By(holder) => conflict(format!("{device} is running {holder}"))
                .with_detail("holderCommandId", holder),
            Self::Elsewhere(Some(peer)) => conflict(format!(
                "{device} is in use by process {} of the user with uid {}",
                peer.pid, peer.uid
            ))
            .with_detail("holderPid", peer.pid)
            .with_detail("holderUid", peer.uid),
            Self::Elsewhere(None) => conflict(format!(
                "{device} is in use by another user of this computer"
            )),
            Self::Broken(error) => ErrorBody::from(error).with_detail("deviceId", device),
        }
    }
}

/// The name of a device for locks. Phones of two adb servers may have the same serial; a phone with an address is the same
/// one for every server of this machine, and without any.
fn name(setup: &AdbSetup, device: &str) -> String {
    match &setup.server {
        Ok(server) if devices::kind_of(device).has_adb_shell() => match server.is_local() {
            true if android::is_address(device) => device.to_owned(),
            true => format!("{device}@{}", server.port),
            false => format!("{device}@{server}"),
        },
        _ => device.to_owned(),
    }
}

/// A lock that all users of a machine see: a name in the kernel's table of sockets. It lies in no folder, needs no permission,
/// and holds nothing that has to be trusted.
#[cfg(target_os = "linux")]
mod machine {
    use std::io::ErrorKind;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};

    /// The longest name that every kernel takes, in bytes.
    const LONGEST: usize = 100;

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
        /// `None` where another process has it. A system without such names is one without this lock.
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

    /// The process that has the lock, as the kernel knows it.
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
        name.truncate(LONGEST);
        name
    }
}

/// Elsewhere there is no such table: a phone is kept to one run at a time of each user.
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
    use std::path::PathBuf;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("clawperator-{name}-{}", std::process::id()))
    }

    #[tokio::test]
    async fn second_run_learns_the_holder_and_follows_it() {
        let folder = folder("lock");
        let take = |device: &'static str, id: &'static str| {
            let folder = &folder;
            async move { DeviceLock::try_take(folder, device, id).await }
        };
        let first = take("192.168.1.5:5555", "one").await.unwrap();
        match take("192.168.1.5:5555", "two").await {
            Err(Held::By(holder)) => assert_eq!(holder, "one"),
            other => panic!("{other:?}"),
        }
        let other = take("192.168.1.5_5555", "three").await.unwrap();
        drop(first);
        drop(other);
        drop(take("192.168.1.5:5555", "two").await.unwrap());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn run_of_another_user_is_a_conflict_that_names_its_process() {
        // Users share no folder.
        let (one, other) = (folder("lock-one"), folder("lock-other"));
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
        for folder in [one, other] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn same_serial_on_two_servers_has_two_locks() {
        let at = |host: &str, port| AdbSetup {
            server: Ok(adb::client::server::Address {
                host: host.to_owned(),
                port,
            }),
            ..AdbSetup::default()
        };
        let (one, other) = (at("127.0.0.1", 5037), at("127.0.0.1", 5038));
        let far = at("lab.example", 5037);
        assert_ne!(name(&one, "emulator-5554"), name(&other, "emulator-5554"));
        assert_ne!(name(&one, "emulator-5554"), name(&far, "emulator-5554"));
        assert_eq!(
            name(&one, "emulator-5554"),
            name(&at("localhost", 5037), "emulator-5554")
        );
        // Every local server reaches the same phone at an address.
        assert_eq!(name(&one, "10.0.0.2:5555"), name(&other, "10.0.0.2:5555"));
        assert_ne!(name(&one, "10.0.0.2:5555"), name(&far, "10.0.0.2:5555"));
    }

    #[test]
    fn names_of_files_stay_in_their_folder_and_apart() {
        assert_eq!(file_name("../x"), "device-_2e_2e_2fx.lock");
        assert_ne!(file_name("a:b"), file_name("a_b"));
        assert!(file_name(&"é".repeat(500)).len() < 255);
    }
}
