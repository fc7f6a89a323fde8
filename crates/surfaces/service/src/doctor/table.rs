//! The table of the checks, from which they are documented.

use contract::ErrorCode;

#[derive(Clone, Copy, Debug)]
pub struct CheckRow {
    /// Its stable name.
    pub id: &'static str,
    /// What it checks, in one sentence without a full stop.
    pub looks: &'static str,
    /// The error codes that it may report.
    pub codes: &'static [ErrorCode],
}

/// Every check, in order.
pub const CHECKS: &[CheckRow] = &[
    CheckRow {
        id: "host.adb.presence",
        looks: "Whether the adb program exists; not needed if a server runs or the phone has an address",
        codes: &[ErrorCode::AdbNotFound],
    },
    CheckRow {
        id: "host.adb.server",
        looks: "Whether an adb server answers; started if none runs, as by every command",
        codes: &[ErrorCode::AdbServerFailed],
    },
    CheckRow {
        id: "device.discovery",
        looks: "Which device is selected, and whether it is ready",
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
        looks: "Whether its shell answers, and its properties",
        codes: &[ErrorCode::DeviceShellUnavailable],
    },
    CheckRow {
        id: "device.lock",
        looks: "Whether another run drives it; reported only in that case",
        codes: &[ErrorCode::ExecutionConflictInFlight],
    },
    CheckRow {
        id: "readiness.settings.dev_options",
        looks: "Whether its developer options are on; warning only",
        codes: &[ErrorCode::DeviceDevOptionsDisabled],
    },
    CheckRow {
        id: "readiness.settings.usb_debugging",
        looks: "Whether USB debugging is on; warning only",
        codes: &[ErrorCode::DeviceUsbDebuggingDisabled],
    },
    CheckRow {
        id: "device.animations",
        looks: "Whether animations are on; warning only",
        codes: &[ErrorCode::DeviceAnimationsOn],
    },
    CheckRow {
        id: "device.screen",
        looks: "Whether its screen is on and unlocked",
        codes: &[ErrorCode::DeviceScreenOff, ErrorCode::DeviceLocked],
    },
    CheckRow {
        id: "readiness.agent",
        looks: "Whether the agent starts on the phone and answers; warning only, except with --via agent",
        codes: &[ErrorCode::AgentUnavailable],
    },
    CheckRow {
        id: "readiness.app",
        looks: "Whether the runtime app is installed, its service runs, and it answers; with --via app, or as a warning if the \
                agent cannot be used",
        codes: &[ErrorCode::AgentUnavailable],
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
        looks: "Whether its version is supported",
        codes: &[
            ErrorCode::VersionIncompatible,
            ErrorCode::ApkVersionUnreadable,
            ErrorCode::ApkVersionInvalid,
        ],
    },
    CheckRow {
        id: "readiness.handshake",
        looks: "Whether it responds, and its accessibility service is running",
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
        looks: "Whether a screenshot can be taken; warning only",
        codes: &[ErrorCode::ScreenshotFailed],
    },
    CheckRow {
        id: "readiness.input",
        looks: "Whether the phone accepts input from adb's shell",
        codes: &[ErrorCode::DeviceInputDenied],
    },
    CheckRow {
        id: "readiness.smoke",
        looks: "With --full: whether the settings can be closed, opened, read and scrolled, with each transport that works",
        codes: &[ErrorCode::SmokeOpenSettingsFailed],
    },
];
