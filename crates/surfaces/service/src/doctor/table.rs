//! The checks by name: one table, from which they are documented.

use contract::ErrorCode;

/// One check, whatever comes of it.
#[derive(Clone, Copy, Debug)]
pub struct CheckRow {
    /// Its stable name.
    pub id: &'static str,
    /// What it looks at, in one sentence without a full stop.
    pub looks: &'static str,
    /// What it has to say when it does not pass.
    pub codes: &'static [ErrorCode],
}

/// Every check, in the order in which they are made.
pub const CHECKS: &[CheckRow] = &[
    CheckRow {
        id: "host.adb.presence",
        looks: "Whether the program adb is there; where a server runs, or the phone has an address, it is not needed",
        codes: &[ErrorCode::AdbNotFound],
    },
    CheckRow {
        id: "host.adb.server",
        looks: "Whether an adb server answers; one that does not run is started, as by every command",
        codes: &[ErrorCode::AdbServerFailed],
    },
    CheckRow {
        id: "device.discovery",
        looks: "Which device is meant, and whether it lets itself be talked to",
        codes: &[
            ErrorCode::NoDevices,
            ErrorCode::DeviceNotFound,
            ErrorCode::DeviceUnauthorized,
            ErrorCode::DeviceOffline,
            ErrorCode::AdbNoUsbPermissions,
            ErrorCode::MultipleDevices,
            ErrorCode::SimAppInvalid,
            ErrorCode::TabNotFound,
            ErrorCode::TabAmbiguous,
            ErrorCode::ChromeNotFound,
            ErrorCode::ChromeStartFailed,
            ErrorCode::ChromeUnreachable,
        ],
    },
    CheckRow {
        id: "device.capability",
        looks: "Whether its shell answers, and what it is",
        codes: &[ErrorCode::DeviceShellUnavailable],
    },
    CheckRow {
        id: "device.lock",
        looks: "Whether somebody else drives it; told only when somebody does",
        codes: &[ErrorCode::ExecutionConflictInFlight],
    },
    CheckRow {
        id: "readiness.settings.dev_options",
        looks: "Whether its developer options are on; advice",
        codes: &[ErrorCode::DeviceDevOptionsDisabled],
    },
    CheckRow {
        id: "readiness.settings.usb_debugging",
        looks: "Whether USB debugging is on; advice",
        codes: &[ErrorCode::DeviceUsbDebuggingDisabled],
    },
    CheckRow {
        id: "device.animations",
        looks: "Whether it animates its screens; advice",
        codes: &[ErrorCode::DeviceAnimationsOn],
    },
    CheckRow {
        id: "device.screen",
        looks: "Whether its screen is on and unlocked",
        codes: &[ErrorCode::DeviceScreenOff, ErrorCode::DeviceLocked],
    },
    CheckRow {
        id: "readiness.apk.presence",
        looks: "Whether the Operator app is installed",
        codes: &[
            ErrorCode::OperatorNotInstalled,
            ErrorCode::OperatorVariantMismatch,
            ErrorCode::DeviceShellUnavailable,
        ],
    },
    CheckRow {
        id: "readiness.version.compatibility",
        looks: "Whether its version can be spoken to",
        codes: &[
            ErrorCode::VersionIncompatible,
            ErrorCode::ApkVersionUnreadable,
            ErrorCode::ApkVersionInvalid,
        ],
    },
    CheckRow {
        id: "readiness.handshake",
        looks: "Whether it answers, and its accessibility service runs",
        codes: &[
            ErrorCode::DeviceAccessibilityNotRunning,
            ErrorCode::ResultEnvelopeTimeout,
            ErrorCode::BroadcastFailed,
        ],
    },
    CheckRow {
        id: "readiness.snapshot",
        looks: "Whether the screen can be read, and how long that takes",
        codes: &[ErrorCode::ScreenUnavailable],
    },
    CheckRow {
        id: "readiness.screenshot",
        looks: "Whether a picture of it can be taken; advice",
        codes: &[ErrorCode::ScreenshotFailed],
    },
    CheckRow {
        id: "readiness.input",
        looks: "Whether the phone lets adb's shell touch the screen",
        codes: &[ErrorCode::DeviceInputDenied],
    },
    CheckRow {
        id: "readiness.smoke",
        looks: "With --full: whether the settings can be closed, opened and read",
        codes: &[ErrorCode::SmokeOpenSettingsFailed],
    },
];
