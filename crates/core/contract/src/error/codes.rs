//! The table of every error code: string, class, meaning, remedy.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::code::{ErrorClass, codes};

codes! {
    Usage {
        ExecutionValidationFailed = "EXECUTION_VALIDATION_FAILED",
            "The request breaks a rule of the contract",
            "Mend every entry of details.problems, then send it again",
            "every request with a plan, and flags whose values break its rules";
        ExecutionActionUnsupported = "EXECUTION_ACTION_UNSUPPORTED",
            "An action has a type that does not exist",
            "Use one of the action types of the actions reference",
            "every request with a plan";
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
            "The payload is larger than the limit",
            "Split the plan into several executions",
            "every request with a plan";
        CssInvalid = "CSS_INVALID",
            "The browser does not take the CSS selector of a matcher",
            "Mend the selector that the message names; behind `>>>` begins a selector of its own, inside the shadow tree or frame of what stands before it",
            "every step with `css` in a matcher, on a web page";
        Usage = "USAGE",
            "The command line is not understood",
            "Look the command up with --help",
            "the command line";
        UnknownCommand = "UNKNOWN_COMMAND",
            "There is no command of this name",
            "Look the commands up with --help",
            "the command line";
        MissingArgument = "MISSING_ARGUMENT",
            "The command needs an argument that was not given",
            "Give the argument that the message names",
            "the command line";
        MissingSelector = "MISSING_SELECTOR",
            "The command needs to be told which node is meant",
            "Add a selector flag such as --text or --id",
            "the command line";
        InvalidJson = "INVALID_JSON",
            "The body of the request is no JSON object",
            "Send a JSON object in UTF-8, each key once; the message says where reading stopped",
            "every HTTP request with a body";
        InvalidBody = "INVALID_BODY",
            "The body of the request has a key that is not known, or a value that its key does not take",
            "Mend what the message names; /openapi.json has the shape of every body",
            "every HTTP request with a body";
        MissingExecution = "MISSING_EXECUTION",
            "The body of the request has no `execution`",
            "Send the plan under the key `execution`",
            "`POST /execute`";
        InvalidDeviceId = "INVALID_DEVICE_ID",
            "`deviceId` is no name of a device",
            "Use a name of the list of devices, or leave it out",
            "every HTTP request that runs a plan";
        InvalidOperatorPackage = "INVALID_OPERATOR_PACKAGE",
            "`operatorPackage` is no name of a package",
            "Name the package of the Operator app, or leave it out",
            "every HTTP request that runs a plan";
        InvalidPath = "INVALID_PATH",
            "A file may not be read or written there on behalf of a request",
            "Name a file inside the folder that the server was started with, or leave the path out",
            "every HTTP request that names a file";
        InvalidQuery = "INVALID_QUERY",
            "The query of the url has a key that is not known, or a value that its key does not take",
            "Mend what the message names; /openapi.json has the keys of every route",
            "every HTTP request";
        InvalidRequest = "INVALID_REQUEST",
            "What came over the connection is no request of HTTP/1.1",
            "Speak HTTP/1.1 without encryption: escape the url, and give lengths and chunks that are right",
            "every connection to the HTTP server";
        HeadTooLarge = "HEAD_TOO_LARGE",
            "The url and the headers of the request are larger than the limit",
            "Send what is long in the body, and no cookies of others",
            "every HTTP request";
        InvalidHeader = "INVALID_HEADER",
            "A header has a value that cannot be used",
            "Mend the header that the message names",
            "every HTTP request";
        UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE",
            "The body of the request is not marked as JSON",
            "Send `Content-Type: application/json`",
            "every HTTP request with a body";
        NotAcceptable = "NOT_ACCEPTABLE",
            "The client does not take the type of the answer",
            "Send `Accept: application/json, text/event-stream`",
            "`/mcp`";
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
            "The route is there, but not for this method",
            "Use a method of the header `Allow` of the answer",
            "every HTTP request";
        Unauthorized = "UNAUTHORIZED",
            "The server wants a token, and the request has none or another",
            "Send `Authorization: Bearer <token>` with the token that the server was started with",
            "every HTTP request to a server with a token";
        HostNotAllowed = "HOST_NOT_ALLOWED",
            "The request is meant for a host that this server is not",
            "Use the address that the server printed when it started, or start it with `serve --allow-host <name>`",
            "every HTTP request";
        OriginNotAllowed = "ORIGIN_NOT_ALLOWED",
            "The request comes from a web page that is not the server's own",
            "Call the server from a program, or start it with `serve --allow-origin <origin>` for a page of your own; pages of other sites may not drive devices",
            "every HTTP request";
        SimAppInvalid = "SIM_APP_INVALID",
            "An app file for the simulated phone is not there or cannot be used",
            "Mend every entry of details.problems; `clawperator sim check` lists them",
            "a request that names `sim:` with a path, and the `sim` commands";
        SimFileNotWritten = "SIM_FILE_NOT_WRITTEN",
            "A file that a `sim` command makes could not be written",
            "Check that its folder is there and can be written, and that there is room; a file that is there already needs another name",
            "`sim new`, `sim import`, `sim show`";
        RecordingParseFailed = "RECORDING_PARSE_FAILED",
            "A recording cannot be read: it is not there, or a line is not what recorders write",
            "Look at the line that the message names; one that ends before it is complete was cut off, and the file without it can be read",
            "`recording parse`";
        RecordingSchemaVersionUnsupported = "RECORDING_SCHEMA_VERSION_UNSUPPORTED",
            "The recording was written in another version of the format",
            "Record again, or use the version of clawperator that belongs to the recorder",
            "`recording parse`";
    }
    Unsupported {
        ActionNotSupportedHere = "ACTION_NOT_SUPPORTED_HERE",
            "This device cannot do this action",
            "Choose another action, or a device that has the capability",
            "every step, on a device without the capability";
        SelectorNotSupported = "SELECTOR_NOT_SUPPORTED",
            "This device cannot look for nodes in this way",
            "Use the other keys of a matcher, such as resourceId, textContains and role; css is for web pages",
            "every step with `css` in a matcher, on a device that shows no web page";
    }
    NotFound {
        NodeNotFound = "NODE_NOT_FOUND",
            "No visible node matches",
            "Take a snapshot, then mend the matcher; data.near_misses names what came near, if anything did",
            "`click`, `enter_text`, `read_text`, `read_key_value_pair`, `wait_for_node`, `scroll_until`, `scroll_and_click`";
        ElementNotFound = "ELEMENT_NOT_FOUND",
            "Nothing on the screen is what the description says, or the element that was named is not there",
            "Use words that stand on the screen; details.elements names what comes nearest",
            "`inspect`, `selectors`";
        ReferenceNotFound = "REFERENCE_NOT_FOUND",
            "What the element should be near to is not on the screen",
            "Mend what stands behind --near: a matcher in JSON, on web pages a CSS selector, or words that stand on the screen",
            "`inspect --near`";
        StableSelectorNotFound = "STABLE_SELECTOR_NOT_FOUND",
            "The element has neither an id nor a test id that will last",
            "Ask again without --strict-stability, which gives less stable selectors; or have the element given an id",
            "`inspect --strict-stability`, `selectors --strict-stability`";
        ContainerNotFound = "CONTAINER_NOT_FOUND",
            "No visible node matches the container, or nothing on the screen scrolls",
            "Take a snapshot to see what scrolls, and check the container's matcher if one is given",
            "every step that takes `container`, and scrolling without one";
        ValueNodeNotFound = "VALUE_NODE_NOT_FOUND",
            "The label is there, but no value belongs to it",
            "Read the value with read_text and a matcher of its own",
            "`read_key_value_pair`";
        AppNotFound = "APP_NOT_FOUND",
            "The app is not installed or cannot be started",
            "Check the package name, or install the app",
            "`open_app`";
        NoDevices = "NO_DEVICES",
            "No device is connected",
            "Connect a device, start an emulator, or use the simulated phone",
            "a request that names no device";
        RouteNotFound = "ROUTE_NOT_FOUND",
            "The server has nothing at this path",
            "Look the paths up in /openapi.json",
            "every HTTP request";
        ExecutionNotFound = "EXECUTION_NOT_FOUND",
            "No run with this id is known",
            "Check the commandId; runs that have ended are kept for ten minutes, and fewer where there are many",
            "`GET` and `DELETE /executions/{commandId}`";
        McpSessionNotFound = "MCP_SESSION_NOT_FOUND",
            "The session of the Model Context Protocol is not open: it has ended, was idle for long, or made room for others",
            "Initialize a new session",
            "`/mcp`";
        IdempotencyAnswerGone = "IDEMPOTENCY_ANSWER_GONE",
            "The request was answered before, and its answer is not kept any more; nothing was sent again",
            "Look at the device to see what became of it, then use another key",
            "every HTTP request with `Idempotency-Key`";
        DeviceNotFound = "DEVICE_NOT_FOUND",
            "No connected device has this id",
            "Use an id from the list of devices",
            "a request that names a device";
        OperatorNotInstalled = "OPERATOR_NOT_INSTALLED",
            "The Operator app is not installed on the phone",
            "Install it with `clawperator operator setup --apk <file>`, or drive the phone with what every phone has",
            "`doctor`, `version --check-compat`, `operator setup`, `grant-device-permissions`, `--via operator`";
        TabNotFound = "TAB_NOT_FOUND",
            "No tab of the browser has this id, title or part of a url",
            "Use a device of details.tabs; `clawperator devices` lists the tabs that are open now",
            "a request that names `chrome:<tab>`";
        ChromeNotFound = "CHROME_NOT_FOUND",
            "No Chrome or Chromium is installed where they usually are",
            "Install one (Debian: `apt-get install chromium`, macOS: `brew install --cask chromium`), set CLAWPERATOR_CHROME to the program, or name one that runs with --cdp",
            "`--device chrome` where no browser runs, `chrome start`";
        OperatorApkNotFound = "OPERATOR_APK_NOT_FOUND",
            "The file of the Operator app is not there or cannot be read",
            "Check the path behind --apk",
            "`operator setup`";
        RecordingSessionNotFound = "RECORDING_SESSION_NOT_FOUND",
            "There is no recording of this id, or none at all",
            "Name a session with --session-id, as `recording start` answered it; without one the recording that was stopped last is meant",
            "`recording pull`";
        AdbNotFound = "ADB_NOT_FOUND",
            "No adb server runs, and the program adb that would start one is not there",
            "Install adb (Debian: `apt-get install adb`, macOS: `brew install android-platform-tools`), or set ADB_PATH; `--device sim` needs none",
            "a request that names an Android device other than `host:port`";
    }
    Conflict {
        MultipleDevices = "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED",
            "Several devices are connected, and none was named",
            "Name one of details.devices with --device",
            "a request that names no device";
        TabAmbiguous = "TAB_AMBIGUOUS",
            "Several tabs are open or have this title or part of a url",
            "Name one of details.tabs with --device",
            "a request that names `chrome` or `chrome:<tab>`";
        OperatorVariantMismatch = "OPERATOR_VARIANT_MISMATCH",
            "The phone has the other build of the Operator app, its release or its debug build",
            "Name the one that is there with --operator-package, or install the one that is wanted",
            "`doctor`, `version --check-compat`, `--via operator`";
        VersionIncompatible = "VERSION_INCOMPATIBLE",
            "The Operator app speaks another version of the wire than this program",
            "Install the version that the answer names with `clawperator operator setup --apk <file>`",
            "`doctor`, `version --check-compat`, `--via operator`";
        ElementAmbiguous = "ELEMENT_AMBIGUOUS",
            "Several elements fit the description equally well",
            "Say which one is meant: each of details.elements has toldApartBy, which can be added to the description",
            "`inspect`, `selectors`";
        ExecutionConflictInFlight = "EXECUTION_CONFLICT_IN_FLIGHT",
            "Another execution is running on this device",
            "Wait until it has ended; details names it",
            "every request that runs a plan";
        IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
            "The key was used for another request",
            "Make a new key for each request, and repeat a request without any change",
            "every HTTP request with `Idempotency-Key`";
        ServerBusy = "SERVER_BUSY",
            "The server has as much to do as it takes on",
            "Try again in a moment",
            "every HTTP request";
        ServerStopping = "SERVER_STOPPING",
            "The server is being stopped and begins nothing new",
            "Start it again with `clawperator serve`",
            "every HTTP request that runs a plan";
        ServeFailed = "SERVE_FAILED",
            "The server cannot listen at this address",
            "Choose another port with --port, or 0 for any that is free",
            "`serve`";
        RecordingAlreadyInProgress = "RECORDING_ALREADY_IN_PROGRESS",
            "A recording is running already",
            "Stop the running recording first",
            "`start_recording`";
        RecordingNotInProgress = "RECORDING_NOT_IN_PROGRESS",
            "No recording is running",
            "Start a recording first",
            "`stop_recording`";
    }
    Timeout {
        ResultEnvelopeTimeout = "RESULT_ENVELOPE_TIMEOUT",
            "The execution did not end within its time",
            "Look at details for the step that was running, then raise timeoutMs or split the plan",
            "every request that runs a plan";
        RequestTimeout = "REQUEST_TIMEOUT",
            "The request did not arrive as a whole in time",
            "Send the whole request at once",
            "every HTTP request";
        NavigationTimeout = "NAVIGATION_TIMEOUT",
            "The expected app or node did not appear in time",
            "Take a snapshot to see where the device is, or raise timeoutMs",
            "`wait_for_navigation`";
    }
    Cancelled {
        ExecutionCancelled = "EXECUTION_CANCELLED",
            "The execution was called off",
            "Send it again if it is still wanted",
            "every request that runs a plan";
    }
    Step {
        NodeNotClickable = "NODE_NOT_CLICKABLE",
            "The node is disabled, or neither it nor anything around it can be clicked",
            "Wait until the node is enabled, or match the clickable node itself",
            "`click`, `enter_text`, `scroll_and_click`, `scroll_until` with `clickAfter`";
        NodeStale = "NODE_STALE",
            "The node went away between finding it and acting on it",
            "Wait until the screen has settled, then try again",
            "every step that acts on a node";
        NodeHasNoText = "NODE_HAS_NO_TEXT",
            "The node is there, but nothing is written in it",
            "Match the node that holds the text",
            "`read_text`";
        GestureFailed = "GESTURE_FAILED",
            "The device did not perform the gesture",
            "Check that the point lies on the screen and nothing covers it",
            "`click`, `scroll`, `scroll_until`, `scroll_and_click`, `enter_text`";
        ContainerNotScrollable = "CONTAINER_NOT_SCROLLABLE",
            "Nothing in the container can be scrolled",
            "Match a node that is scrollable, or leave the container out",
            "`scroll`, `scroll_until`, `scroll_and_click`";
        ContainerLost = "CONTAINER_LOST",
            "The container went away while scrolling",
            "Take a snapshot to see what the screen shows now",
            "`scroll`, `scroll_until`, `scroll_and_click`";
        TextNotEntered = "TEXT_NOT_ENTERED",
            "The field does not hold the text after entering it",
            "Match an editable field; data holds what was read back",
            "`enter_text`";
        ValidatorMismatch = "VALIDATOR_MISMATCH",
            "The text was read, but it is not of the form asked for",
            "Look at data.raw_text, then mend the matcher or the validator",
            "`read_text`";
        AppLaunchFailed = "APP_LAUNCH_FAILED",
            "The app is installed, but did not come to the front",
            "Take a snapshot to see what covers it, or raise the number of attempts",
            "`open_app`, `open_uri`";
        AppCloseFailed = "APP_CLOSE_FAILED",
            "The app could not be closed",
            "Check the package name; some system apps cannot be closed",
            "`close_app`";
        UriNotHandled = "URI_NOT_HANDLED",
            "No app takes this uri",
            "Check the uri's scheme, or install an app that takes it",
            "`open_uri`";
        PageNotLoaded = "PAGE_NOT_LOADED",
            "The browser did not get the page, or got something that is no page",
            "A file lies where data.downloads says, and is denied where no folder is named for it with --downloads; otherwise check the address and that its server answers, by the browser's reason in the message, such as net::ERR_NAME_NOT_RESOLVED",
            "`open_uri`, on web pages";
        DialogOpen = "DIALOG_OPEN",
            "A dialog of the page keeps it still until it is answered",
            "Click one of data.buttons, in the next call of `serve` or `mcp`; commands end with their dialogs, so there it is a later step of the same plan, with onFailure continue",
            "`open_uri`, on web pages";
        GlobalActionFailed = "GLOBAL_ACTION_FAILED",
            "The device refused the key",
            "Try again once the screen has settled",
            "`press_key`, `enter_text` with `submit`";
        ScreenUnavailable = "SCREEN_UNAVAILABLE",
            "No window of the device could be read",
            "data.message says what keeps the screen from being read; wait until it rests, or act by coordinate",
            "every step that looks at the screen, but for `snapshot_ui` and `take_screenshot`";
        ScreenTooLarge = "SCREEN_TOO_LARGE",
            "The page has more elements than are read",
            "Have the page show less: filter or search it, or open one page of its list by the url",
            "every step that looks at the screen, on web pages";
        SnapshotExtractionFailed = "SNAPSHOT_EXTRACTION_FAILED",
            "No trustworthy picture of the screen could be taken",
            "Wait a moment and take the snapshot again",
            "`snapshot_ui`";
        ScreenshotFailed = "SCREENSHOT_FAILED",
            "The screenshot could not be taken or written",
            "Check that the path can be written and the screen is not protected",
            "`take_screenshot`";
        RecordingStartFailed = "RECORDING_START_FAILED",
            "The recording could not be started",
            "Look at data.message",
            "`start_recording`";
        RecordingStopFailed = "RECORDING_STOP_FAILED",
            "The recording could not be ended properly",
            "Look at data.message; what was recorded so far is kept",
            "`stop_recording`";
        RecordingStorageUnavailable = "RECORDING_STORAGE_UNAVAILABLE",
            "There is no place to store the recording",
            "Free storage, or check its permissions",
            "`start_recording`";
    }
    Device {
        AdbServerFailed = "ADB_SERVER_FAILED",
            "The adb server cannot be started or does not answer as one",
            "Run `adb kill-server`, then `adb start-server`, and look at what it says; ANDROID_ADB_SERVER_PORT and ADB_SERVER_SOCKET say where it listens",
            "a request that names no device or an Android device";
        ChromeStartFailed = "CHROME_START_FAILED",
            "The browser was started and did not become ready",
            "Look at what it said, in the message; `clawperator chrome start --no-sandbox` helps in containers, CLAWPERATOR_CHROME names another program",
            "`--device chrome` where no browser runs, `chrome start`";
        ChromeUnreachable = "CHROME_UNREACHABLE",
            "The browser does not answer at its address, or what answers there is none",
            "Check the address behind --cdp: a browser listens on a port once it is started with --remote-debugging-port; `clawperator chrome list` shows the endpoints of those that `chrome start` has started",
            "`--cdp`, and a request that names `chrome` or `chrome:<tab>`";
        DeviceUnauthorized = "DEVICE_UNAUTHORIZED",
            "The phone has not allowed this computer to debug it",
            "Unlock the phone and accept the question whether to allow USB debugging, then try again",
            "a request that names an Android device";
        DeviceOffline = "DEVICE_OFFLINE",
            "adb knows the phone, but the phone does not answer",
            "Plug it in again, or let `clawperator doctor --fix` have adb try it again; an emulator may still be starting",
            "a request that names an Android device";
        AdbNoUsbPermissions = "ADB_NO_USB_PERMISSIONS",
            "This computer does not let adb open the phone's USB port",
            "Install udev rules (Debian: `apt-get install android-sdk-platform-tools-common`), put your user into the group plugdev, and plug the phone in again",
            "a request that names an Android device";
        DeviceShellUnavailable = "DEVICE_SHELL_UNAVAILABLE",
            "The phone is connected, but its shell does not answer as an Android phone's",
            "Run `clawperator doctor`; restart the phone if its shell does not answer",
            "a request that names an Android device";
        DeviceScreenOff = "DEVICE_SCREEN_OFF",
            "The phone's screen is off: there is nothing to see and nothing takes a touch",
            "Wake the phone first: `--wake` does, and `clawperator doctor --fix`",
            "every step that looks at the screen, touches it or opens something, and `doctor`";
        DeviceLocked = "DEVICE_LOCKED",
            "The phone shows its lock screen",
            "Unlock the phone; one without PIN, pattern or password is unlocked by `--wake`, and by `clawperator doctor --fix`",
            "every step that looks at the screen, touches it or opens something, and `doctor`";
        DeviceInputDenied = "DEVICE_INPUT_DENIED",
            "The phone does not let adb's shell touch the screen or press keys",
            "Switch on `USB debugging (Security settings)` in the developer options, which some makers have, and restart the phone",
            "every step that touches the screen or presses a key, and `doctor`";
        DeviceAnimationsOn = "DEVICE_ANIMATIONS_ON",
            "The phone animates its screens, for which reading them has to wait",
            "Switch the animations off in the developer options, or let `clawperator doctor --fix` do it",
            "`doctor`, as advice";
        DeviceDevOptionsDisabled = "DEVICE_DEV_OPTIONS_DISABLED",
            "The phone says that its developer options are off",
            "Switch the developer options on: press the build number in Settings, About phone, seven times",
            "`doctor`, as advice";
        DeviceUsbDebuggingDisabled = "DEVICE_USB_DEBUGGING_DISABLED",
            "The phone says that USB debugging is off",
            "Switch USB debugging on in the developer options; wireless debugging works without it",
            "`doctor`, as advice";
        DeviceAccessibilityNotRunning = "DEVICE_ACCESSIBILITY_NOT_RUNNING",
            "The Operator app is installed, and its accessibility service does not run",
            "Run `clawperator grant-device-permissions`, or switch the service on in Settings, Accessibility",
            "`doctor`";
        SmokeOpenSettingsFailed = "SMOKE_OPEN_SETTINGS_FAILED",
            "The phone did not come as far as showing its settings",
            "Look at the check's evidence: it names the step that failed, and why",
            "`doctor --full`";
        ApkVersionUnreadable = "APK_VERSION_UNREADABLE",
            "The Operator app is installed, and the phone does not say which version it is",
            "Try `adb shell dumpsys package <package>`; install the app anew if that has no versionName",
            "`doctor`, `version --check-compat`, `--via operator`";
        ApkVersionInvalid = "APK_VERSION_INVALID",
            "The version of the Operator app is none of the form MAJOR.MINOR.PATCH",
            "Install a release of the app",
            "`doctor`, `version --check-compat`, `--via operator`";
        OperatorInstallFailed = "OPERATOR_INSTALL_FAILED",
            "The phone did not install the Operator app",
            "Look at install.error: it has the phone's words. Some phones ask on their screen, or want `Install via USB` in the developer options",
            "`operator setup`";
        OperatorGrantFailed = "OPERATOR_GRANT_FAILED",
            "The Operator app is installed, and could not be granted all that it needs",
            "Look at permissions; switch on by hand what is not ok, in Settings, Accessibility, or Settings, Notifications",
            "`operator setup`";
        OperatorVerifyFailed = "OPERATOR_VERIFY_FAILED",
            "After the installation the phone does not have the Operator app, or has two of them",
            "Name the package with --operator-package, and check that the file is the Operator app",
            "`operator setup`";
        GrantDevicePermissionsFailed = "GRANT_DEVICE_PERMISSIONS_FAILED",
            "The Operator app could not be granted all that it needs",
            "Switch on by hand what is not ok, in Settings, Accessibility, or Settings, Notifications",
            "`grant-device-permissions`";
        DeviceLost = "DEVICE_LOST",
            "The device went away while it was in use",
            "Check the connection; data.dispatch says whether the step was sent",
            "every step; the embedded phone is lost only where a fault says so";
        BroadcastFailed = "BROADCAST_FAILED",
            "The Operator app did not get the command",
            "Run `clawperator doctor`; it says whether the app is installed and runs",
            "`doctor`, `--via operator`";
        ResultEnvelopeMalformed = "RESULT_ENVELOPE_MALFORMED",
            "The Operator app answered, and its answer cannot be read",
            "The plan ran: look at the phone before anything is sent again; shorter plans have shorter answers, and `--via stock` needs none",
            "a run through the Operator app";
        RecordingPullFailed = "RECORDING_PULL_FAILED",
            "The recording could not be fetched or written",
            "Check that the folder of --out can be written, and that the phone is connected",
            "`recording pull`, `recording parse`";
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
            "The Operator app is there, but its accessibility service is not running",
            "Switch the service on: on the phone under Settings → Accessibility, or with `clawperator grant-device-permissions`; `--via stock` needs no app",
            "a run through the Operator app";
    }
    Internal {
        RuntimeFolderUnsafe = "RUNTIME_FOLDER_UNSAFE",
            "The folder of locks, records and profiles is a link, belongs to another user, or can be written by others",
            "Remove what the message names if it is yours, or set XDG_RUNTIME_DIR and TMPDIR to folders of your own",
            "everything that opens a phone or a browser, or lists those that stay";
        InternalError = "INTERNAL_ERROR",
            "A fault of the program",
            "Report it, with the payload and the version",
            "everywhere, never on purpose";
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let string = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&string)
            .ok_or_else(|| de::Error::custom(format_args!("unknown error code `{string}`")))
    }
}

impl JsonSchema for ErrorCode {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ErrorCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "enum": Self::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>(),
        })
    }
}
