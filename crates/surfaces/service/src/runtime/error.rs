//! Errors of the runtime folder.

use std::io;
use std::path::{Path, PathBuf};

use contract::{ErrorBody, ErrorCode};

/// Why a runtime folder cannot be used.
#[derive(Debug)]
pub(crate) enum FolderError {
    /// Another user could have written to it.
    Unsafe { path: PathBuf, reason: String },
    /// The system does not open or create it.
    Unusable { path: PathBuf, error: io::Error },
}

impl FolderError {
    pub(super) fn refused(path: &Path, reason: impl Into<String>) -> Self {
        Self::Unsafe {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }

    pub(super) fn unusable(path: &Path, error: io::Error) -> Self {
        Self::Unusable {
            path: path.to_owned(),
            error,
        }
    }
}

impl std::fmt::Display for FolderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsafe { path, reason } => {
                write!(f, "{} cannot be trusted: {reason}", path.display())
            }
            Self::Unusable { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl From<FolderError> for ErrorBody {
    fn from(error: FolderError) -> Self {
        let message = format!("the folder {error}");
        match &error {
            FolderError::Unsafe { path, .. } => Self::new(ErrorCode::RuntimeFolderUnsafe, message)
                .with_default_hint()
                .with_detail("path", path.display().to_string()),
            FolderError::Unusable { path, .. } => Self::new(ErrorCode::InternalError, message)
                .with_hint("Set XDG_RUNTIME_DIR and TMPDIR to folders that you can write to")
                .with_detail("path", path.display().to_string()),
        }
    }
}

impl From<FolderError> for io::Error {
    fn from(error: FolderError) -> Self {
        let kind = match &error {
            FolderError::Unsafe { .. } => io::ErrorKind::PermissionDenied,
            FolderError::Unusable { error, .. } => error.kind(),
        };
        Self::new(kind, error.to_string())
    }
}
