//! Access to private folders: relative to the handle of a checked folder, so that it cannot be replaced between check
//! and use.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// The mode bits that let others write.
const WRITABLE: u32 = 0o022;
/// The mode bits of others.
const OTHERS: u32 = 0o077;

/// How to open a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    /// An existing file, for reading.
    Read,
    /// A new file, for writing.
    New,
    /// An existing or new file, for reading and writing.
    Lock,
}

/// An open folder.
#[derive(Debug)]
pub(super) struct Handle(OwnedFd);

impl Handle {
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        Self::opened(rustix::fs::openat(CWD, path, folder_flags(), Mode::empty()))
    }

    pub(super) fn open_inner(&self, name: &str) -> io::Result<Option<Self>> {
        Self::opened(rustix::fs::openat(
            &self.0,
            name,
            folder_flags(),
            Mode::empty(),
        ))
    }

    fn opened(opened: rustix::io::Result<OwnedFd>) -> io::Result<Option<Self>> {
        match opened {
            Ok(folder) => Ok(Some(Self(folder))),
            Err(Errno::NOENT) => Ok(None),
            // Some systems report a link this way.
            Err(Errno::LOOP) => Err(io::ErrorKind::NotADirectory.into()),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn make(path: &Path) -> io::Result<()> {
        made(rustix::fs::mkdirat(CWD, path, Mode::RWXU))
    }

    pub(super) fn make_inner(&self, name: &str) -> io::Result<()> {
        made(rustix::fs::mkdirat(&self.0, name, Mode::RWXU))
    }

    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self(self.0.try_clone()?))
    }

    /// Why the folder cannot be trusted. A folder that others can only read is made private.
    pub(super) fn check(&self) -> io::Result<Option<String>> {
        let stat = rustix::fs::fstat(&self.0)?;
        if stat.st_uid != user_id() {
            return Ok(Some(format!(
                "it belongs to the user with uid {}",
                stat.st_uid
            )));
        }
        let mode = mode(&stat);
        if mode & WRITABLE != 0 {
            return Ok(Some(format!("other users can write to it (mode {mode:o})")));
        }
        if mode & OTHERS != 0 {
            rustix::fs::fchmod(&self.0, Mode::RWXU)?;
        }
        Ok(None)
    }

    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            // Our own names are UTF-8.
            if let Ok(name) = entry?.file_name().to_str()
                && !matches!(name, "." | "..")
            {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Opens a file; rejects anything but a regular file of this user that others cannot write to.
    pub(super) fn file(&self, name: &str, access: Access) -> io::Result<File> {
        let how = match access {
            Access::Read => OFlags::RDONLY,
            Access::New => OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL,
            Access::Lock => OFlags::RDWR | OFlags::CREATE,
        };
        let flags = how | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = rustix::fs::openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR);
        let file = match file {
            Ok(file) => file,
            Err(Errno::LOOP) => return Err(refused(name, "is a link")),
            Err(error) => return Err(error.into()),
        };
        let stat = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(refused(name, "is not a file"));
        }
        if stat.st_uid != user_id() {
            return Err(refused(name, "belongs to another user"));
        }
        if mode(&stat) & WRITABLE != 0 {
            return Err(refused(name, "can be written by other users"));
        }
        Ok(File::from(file))
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    pub(super) fn remove_file(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Whether a name is that of a folder of this user, not of a link.
    pub(super) fn owns_folder(&self, name: &str) -> io::Result<bool> {
        let stat = self.stat(name)?;
        Ok(
            stat.st_uid == user_id()
                && FileType::from_raw_mode(stat.st_mode) == FileType::Directory,
        )
    }

    pub(super) fn is_named(&self, name: &str, file: &File) -> io::Result<bool> {
        let opened = rustix::fs::fstat(file)?;
        match self.stat(name) {
            Ok(named) => Ok((named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A socket's path is limited to about a hundred bytes; Linux has a short path for each open folder.
    pub(super) fn socket_path(&self, folder: &Path, name: &str) -> PathBuf {
        const MAX_LENGTH: usize = 100;
        let path = folder.join(name);
        if cfg!(target_os = "linux") && path.as_os_str().len() > MAX_LENGTH {
            let handle = self.0.as_raw_fd();
            return PathBuf::from(format!("/proc/self/fd/{handle}/{name}"));
        }
        path
    }

    pub(super) fn restrict(&self, name: &str) -> io::Result<()> {
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(rustix::fs::chmodat(&self.0, name, mode, AtFlags::empty())?)
    }

    fn stat(&self, name: &str) -> io::Result<Stat> {
        let found = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW);
        Ok(found?)
    }
}

fn folder_flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC
}

fn made(made: rustix::io::Result<()>) -> io::Result<()> {
    match made {
        Err(Errno::EXIST) => Ok(()),
        made => Ok(made?),
    }
}

#[allow(
    clippy::unnecessary_cast,
    reason = "modes have 16 bits on some systems"
)]
fn mode(stat: &Stat) -> u32 {
    stat.st_mode as u32 & 0o777
}

fn refused(name: &str, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("{name} {why}"))
}

/// The user's id, part of the name of the folder in a shared one.
pub(super) fn user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Whether a folder exists and belongs to another user.
pub(super) fn is_of_another_user(folder: &Path) -> bool {
    rustix::fs::stat(folder).is_ok_and(|found| found.st_uid != user_id())
}
