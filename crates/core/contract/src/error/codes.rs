//! The table of every error code: string, class, meaning, hint.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::class::{ErrorClass, codes};

codes! {
    Usage {
        ExecutionValidationFailed = "EXECUTION_VALIDATION_FAILED",
            "The request violates the contract",
            "Fix every entry of details.problems, then send the request again",
            "every request with a plan, and flags whose values violate the contract";
        ExecutionActionUnsupported = "EXECUTION_ACTION_UNSUPPORTED",
            "An action has a type that does not exist",
            "Use one of the action types of the actions reference",
            "every request with a plan";
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
            "The payload is larger than the limit",
            "Split the plan into several executions",
            "every request with a plan";
        CssInvalid = "CSS_INVALID",
            "The browser rejects the CSS selector of a matcher",
            "Fix the selector named in the message; each part after `>>>` is a selector inside the shadow tree or \
            frame of the part before it",
            "every step with `css` in a matcher, on a web page";
        RefNotAvailable = "REF_NOT_AVAILABLE",
            "The plan uses references (`ref` in a matcher, or `marks`), and the command that runs it ends after each run, so it has none",
            "Use a process that stays: `serve`, `mcp`, or on web pages the daemon that the first command starts; or use \
            other matcher keys",
            "every step with `ref` in a matcher, and `take_screenshot` with `marks`, on the command line";
        Usage = "USAGE",
            "The command line is invalid",
            "Run the command with --help to see its usage",
            "the command line";
        UnknownCommand = "UNKNOWN_COMMAND",
            "There is no command of this name",
            "Run `clawperator --help` to list the commands",
            "the command line";
        MissingArgument = "MISSING_ARGUMENT",
            "A required argument is missing",
            "Pass the argument named in the message",
            "the command line";
        MissingSelector = "MISSING_SELECTOR",
            "The command requires a selector for a node",
            "Add a selector flag such as --text or --id",
            "the command line";
        InvalidJson = "INVALID_JSON",
            "The request body is not a JSON object",
            "Send a JSON object in UTF-8 without duplicate keys; the message says where parsing failed",
            "every HTTP request with a body";
        InvalidBody = "INVALID_BODY",
            "The request body has an unknown key or an invalid value",
            "Fix what the message names; /openapi.json has the schema of every body",
            "every HTTP request with a body";
        MissingExecution = "MISSING_EXECUTION",
            "The request body has no `execution`",
            "Send the plan under the key `execution`",
            "`POST /execute`";
        InvalidDeviceId = "INVALID_DEVICE_ID",
            "`deviceId` is not a valid device id",
            "Use an id from the list of devices, or omit it",
            "every HTTP request that runs a plan";
        InvalidOperatorPackage = "INVALID_OPERATOR_PACKAGE",
            "`operatorPackage` is not a valid package name",
            "Use the package of the Operator app, or omit it",
            "every HTTP request that runs a plan";
        InvalidPath = "INVALID_PATH",
            "Requests may not read or write a file there",
            "Use a file inside the server's directory, or omit the path",
            "every HTTP request that names a file";
        InvalidQuery = "INVALID_QUERY",
            "The query of the URL has an unknown key or an invalid value",
            "Fix what the message names; /openapi.json has the keys of every route",
            "every HTTP request";
        InvalidRequest = "INVALID_REQUEST",
            "The connection did not carry a valid HTTP/1.1 request",
            "Send unencrypted HTTP/1.1 with an escaped URL and correct lengths and chunks",
            "every connection to the HTTP server";
        HeadTooLarge = "HEAD_TOO_LARGE",
            "The URL and headers of the request exceed the limit",
            "Move long values into the body, and omit cookies of other sites",
            "every HTTP request";
        InvalidHeader = "INVALID_HEADER",
            "A header has an invalid value",
            "Fix the header named in the message",
            "every HTTP request";
        UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE",
            "The Content-Type of the request is not JSON",
            "Send `Content-Type: application/json`",
            "every HTTP request with a body";
        NotAcceptable = "NOT_ACCEPTABLE",
            "The client does not accept the type of the response",
            "Send `Accept: application/json, text/event-stream`",
            "`/mcp`";
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
            "The route does not support this method",
            "Use a method from the `Allow` header of the response",
            "every HTTP request";
        Unauthorized = "UNAUTHORIZED",
            "The server requires a token, and the request has none or a different one",
            "Send `Authorization: Bearer <token>` with the server's token",
            "every HTTP request to a server with a token";
        HostNotAllowed = "HOST_NOT_ALLOWED",
            "The Host header names a host that the server does not allow",
            "Use the address that the server printed when it started, or start it with `serve --allow-host <name>`",
            "every HTTP request";
        OriginNotAllowed = "ORIGIN_NOT_ALLOWED",
            "The request comes from a web page of another origin",
            "Call the server from a program, or start it with `serve --allow-origin <origin>` to allow your own page; \
            other sites must not drive devices",
            "every HTTP request";
        SimAppInvalid = "SIM_APP_INVALID",
            "An app file for the simulated phone is missing or invalid",
            "Fix every entry of details.problems; `clawperator sim check` lists them",
            "a request that names `sim:` with a path, and the `sim` commands";
        SimFileNotWritten = "SIM_FILE_NOT_WRITTEN",
            "A `sim` command could not write its output file",
            "Check that the directory exists and is writable and that the disk has space; if the file exists, choose another name",
            "`sim new`, `sim import`, `sim show`";
        RecordingParseFailed = "RECORDING_PARSE_FAILED",
            "A recording is missing or has an invalid line",
            "Check the line named in the message; if it is the last line and incomplete, delete it and the rest can be parsed",
            "`recording parse`";
        RecordingSchemaVersionUnsupported = "RECORDING_SCHEMA_VERSION_UNSUPPORTED",
            "The recording has an unsupported format version",
            "Record again, or use the version of clawperator that matches the recorder",
            "`recording parse`";
        BrowserStateInvalid = "BROWSER_STATE_INVALID",
            "The file of a browser state is missing, unreadable, a link, or not one that `chrome state save` wrote",
            "Check the path; `clawperator chrome state save` writes such a file",
            "`chrome state load`";
        BrowserStateVersionUnsupported = "BROWSER_STATE_VERSION_UNSUPPORTED",
            "The saved browser state has an unsupported format version",
            "Save it again, or use the version of clawperator that saved it",
            "`chrome state load`";
        BrowserStateNotWritten = "BROWSER_STATE_NOT_WRITTEN",
            "`chrome state save` could not write its file",
            "Check that the directory exists and is writable; links and special files are refused, existing files need --force",
            "`chrome state save`";
    }
    Unsupported {
        ActionNotSupportedHere = "ACTION_NOT_SUPPORTED_HERE",
            "The device does not support this action",
            "Use another action, or a device that supports it",
            "every step, on a device without the capability";
        SelectorNotSupported = "SELECTOR_NOT_SUPPORTED",
            "The device does not support this kind of matcher",
            "Use other matcher keys, such as resourceId, textContains and role; css works only on web pages",
            "every step with `css` in a matcher, on a device that is not a web page";
    }
    NotFound {
        NodeNotFound = "NODE_NOT_FOUND",
            "No visible node matches",
            "Take a snapshot and correct the matcher",
            "`click`, `enter_text`, `read_text`, `read_key_value_pair`, `wait_for_node`, `scroll_until`, `scroll_and_click`";
        ElementNotFound = "ELEMENT_NOT_FOUND",
            "No element matches the description, or the selected element is not on the screen",
            "Take a snapshot and use words that it shows",
            "`inspect`, `selectors`";
        ReferenceNotFound = "REFERENCE_NOT_FOUND",
            "The reference element of --near is not on the screen",
            "Correct the value of --near: a matcher in JSON, a CSS selector on web pages, or visible text",
            "`inspect --near`";
        StableSelectorNotFound = "STABLE_SELECTOR_NOT_FOUND",
            "The element has no stable id or test id",
            "Retry without --strict-stability to get less stable selectors, or add an id to the element in the app",
            "`inspect --strict-stability`, `selectors --strict-stability`";
        ContainerNotFound = "CONTAINER_NOT_FOUND",
            "No visible node matches the container, or nothing on the screen is scrollable",
            "Take a snapshot to see what is scrollable, and check the container's matcher if one is given",
            "every step that takes `container`, and scrolling without one";
        ValueNodeNotFound = "VALUE_NODE_NOT_FOUND",
            "The label was found, but it has no value",
            "Read the value with read_text and its own matcher",
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
            "The server has no route at this path",
            "/openapi.json lists the routes",
            "every HTTP request";
        ExecutionNotFound = "EXECUTION_NOT_FOUND",
            "The server knows no execution with this id",
            "Check the commandId; finished executions are kept for up to ten minutes, or since the server's start",
            "`GET` and `DELETE /executions/{commandId}`";
        McpSessionNotFound = "MCP_SESSION_NOT_FOUND",
            "The Model Context Protocol session is not open: it ended, timed out or was evicted",
            "Initialize a new session",
            "`/mcp`";
        IdempotencyAnswerGone = "IDEMPOTENCY_ANSWER_GONE",
            "A request with this key was already executed and its response is no longer stored; nothing was sent again",
            "Check the device for the outcome, then use a new key",
            "every HTTP request with `Idempotency-Key`";
        DeviceNotFound = "DEVICE_NOT_FOUND",
            "No connected device has this id",
            "Use an id from the list of devices",
            "a request that names a device";
        OperatorNotInstalled = "OPERATOR_NOT_INSTALLED",
            "The Operator app is not installed on the phone",
            "Install it with `clawperator operator setup --apk <file>`, or drive the phone without it (`stock`)",
            "`doctor`, `version --check-compat`, `operator setup`, `grant-device-permissions`, `--via operator`";
        TabNotFound = "TAB_NOT_FOUND",
            "No browser tab has this id or title, or this text in its URL",
            "Name one of the tabs that are listed by its device; `clawperator devices` lists the open tabs",
            "a request that names `chrome:<tab>`, `tab`";
        ChromeNotFound = "CHROME_NOT_FOUND",
            "Chrome or Chromium was not found in the usual places",
            "Install one (Debian: `apt-get install chromium`, macOS: `brew install --cask chromium`), set \
            CLAWPERATOR_CHROME to the program, or connect to a running browser with --cdp",
            "`--device chrome` if no browser is running, `chrome start`";
        OperatorApkNotFound = "OPERATOR_APK_NOT_FOUND",
            "The APK file of the Operator app is missing or unreadable",
            "Check the path given with --apk",
            "`operator setup`";
        RecordingSessionNotFound = "RECORDING_SESSION_NOT_FOUND",
            "There is no recording with this id, or none at all",
            "Pass the session id from `recording start` with --session-id; without it, the last stopped recording is used",
            "`recording pull`";
        AdbNotFound = "ADB_NOT_FOUND",
            "No adb server is running, and the adb program was not found to start one",
            "Install adb (Debian: `apt-get install adb`, macOS: `brew install android-platform-tools`), or set \
            ADB_PATH; `--device sim` needs none",
            "a request that names an Android device other than `host:port`";
    }
    Conflict {
        MultipleDevices = "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED",
            "Several devices are connected, or ran the execution, and none was selected",
            "Select one of them with --device",
            "a request that names no device";
        TabAmbiguous = "TAB_AMBIGUOUS",
            "Several tabs are open, or several match this title or part of a URL",
            "Select one of the tabs: with --device, or by its index in `tab`",
            "a request that names `chrome` or `chrome:<tab>`, `tab`";
        LastTab = "LAST_TAB",
            "The last tab of a browser is not closed, because the browser would exit",
            "Open another tab first, or end the browser with `clawperator chrome stop`",
            "`tab` with `op` `close`";
        OperatorVariantMismatch = "OPERATOR_VARIANT_MISMATCH",
            "The phone has the other build of the Operator app (release or debug)",
            "Select the installed one with --operator-package, or install the other one",
            "`doctor`, `version --check-compat`, `--via operator`";
        VersionIncompatible = "VERSION_INCOMPATIBLE",
            "The Operator app uses an incompatible protocol version",
            "Install the version named in the result with `clawperator operator setup --apk <file>`",
            "`doctor`, `version --check-compat`, `--via operator`";
        AgentUnavailable = "AGENT_UNAVAILABLE",
            "The agent could not be started on the phone, or its app could not be reached; details.reason says why",
            "Read details.reason; `--via auto` uses the first transport that works",
            "`--via agent`, `--via app`, `operator setup`";
        ElementAmbiguous = "ELEMENT_AMBIGUOUS",
            "Several elements match the description equally well",
            "Make the description more specific: toldApartBy of each of details.elements says what to add",
            "`inspect`, `selectors`";
        ExecutionConflictInFlight = "EXECUTION_CONFLICT_IN_FLIGHT",
            "Another execution is running on this device",
            "Wait until it finishes",
            "every request that runs a plan";
        IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
            "The key was used for a different request",
            "Use a new key for each request, and retry a request unchanged",
            "every HTTP request with `Idempotency-Key`";
        ServerBusy = "SERVER_BUSY",
            "The server is at its limit of requests",
            "Retry in a moment",
            "every HTTP request";
        ServerStopping = "SERVER_STOPPING",
            "The server is shutting down and accepts no new work",
            "Start it again with `clawperator serve`",
            "every HTTP request that runs a plan";
        ServeFailed = "SERVE_FAILED",
            "The server cannot listen at this address",
            "Choose another port with --port, or 0 for any free port",
            "`serve`";
        RecordingAlreadyInProgress = "RECORDING_ALREADY_IN_PROGRESS",
            "A recording is already running",
            "Stop the running recording first",
            "`start_recording`";
        RecordingNotInProgress = "RECORDING_NOT_IN_PROGRESS",
            "No recording is running",
            "Start a recording first",
            "`stop_recording`";
    }
    Timeout {
        ResultEnvelopeTimeout = "RESULT_ENVELOPE_TIMEOUT",
            "The execution exceeded its time limit",
            "See details for the step that was running, then raise timeoutMs or split the plan",
            "every request that runs a plan";
        RequestTimeout = "REQUEST_TIMEOUT",
            "The request did not arrive completely in time",
            "Send the request without pauses",
            "every HTTP request";
        NavigationTimeout = "NAVIGATION_TIMEOUT",
            "The expected app or node did not appear in time",
            "Take a snapshot to see where the device is, or raise timeoutMs",
            "`wait_for_navigation`";
        ConditionTimeout = "CONDITION_TIMEOUT",
            "None of the conditions held in time",
            "data.conditions shows the result of each one; correct it, or raise timeoutMs",
            "`wait_until`";
    }
    Cancelled {
        ExecutionCancelled = "EXECUTION_CANCELLED",
            "The execution was cancelled",
            "Send it again if needed",
            "every request that runs a plan";
    }
    Step {
        NodeNotClickable = "NODE_NOT_CLICKABLE",
            "The node is covered or disabled, or neither it nor an ancestor is clickable",
            "Close what covers the node, wait until it is enabled, or match the clickable node itself",
            "`click`, `hover`, `drag`, `enter_text`, `scroll_and_click`, `scroll_until` with `clickAfter`";
        NodeStale = "NODE_STALE",
            "The node disappeared before the action was performed",
            "Wait until the screen settles, then retry",
            "every step that acts on a node";
        RefStale = "REF_STALE",
            "The referenced element is gone or no longer unique; no other element was used",
            "Take a snapshot and use its references",
            "every step with `ref` in a matcher";
        NodeHasNoText = "NODE_HAS_NO_TEXT",
            "The node was found, but it has no text",
            "Match the node that contains the text",
            "`read_text`";
        GestureFailed = "GESTURE_FAILED",
            "The device did not perform the gesture",
            "Check that the point is on the screen and not covered",
            "`click`, `scroll`, `scroll_until`, `scroll_and_click`, `enter_text`";
        ContainerNotScrollable = "CONTAINER_NOT_SCROLLABLE",
            "Nothing in the container is scrollable",
            "Match a scrollable node, or omit the container",
            "`scroll`, `scroll_until`, `scroll_and_click`";
        ContainerLost = "CONTAINER_LOST",
            "The container disappeared while scrolling",
            "Take a snapshot to see what the screen shows now",
            "`scroll`, `scroll_until`, `scroll_and_click`";
        TextNotEntered = "TEXT_NOT_ENTERED",
            "The field does not contain the text after entering it",
            "Match an editable field; the message has the text that was read back",
            "`enter_text`";
        ClipboardFailed = "CLIPBOARD_FAILED",
            "The clipboard could not be read, or does not hold the text after it was set",
            "The message has the reason; enter_text needs no clipboard",
            "`read_clipboard`, `set_clipboard`";
        OrientationNotSet = "ORIENTATION_NOT_SET",
            "The screen did not turn",
            "The message has the reason. The app in front decides whether it turns, and most home screens do not: open an app that turns, or withdraw the request with `auto`",
            "`set_orientation`";
        OptionsNotSelected = "OPTIONS_NOT_SELECTED",
            "The list does not have exactly the named options selected",
            "Name options of the list by their text, label or value; the message lists the nearest. A menu that is no `select` opens with click, and so are its options chosen",
            "`select_options`";
        FilesNotUploaded = "FILES_NOT_UPLOADED",
            "The page was not given the files",
            "Match the file input, its label, or the button that opens the file chooser",
            "`upload`";
        WindowNotResized = "WINDOW_NOT_RESIZED",
            "The browser cannot set this page size; the window was not changed",
            "Use the size that the message names: headed windows have a smallest one, and fit the monitor",
            "`resize_window`, `chrome resize`";
        ValidatorMismatch = "VALIDATOR_MISMATCH",
            "The text was read, but the validator rejects it",
            "Check data.raw_text, then correct the matcher or the validator",
            "`read_text`";
        AppLaunchFailed = "APP_LAUNCH_FAILED",
            "The app is installed, but did not come to the foreground",
            "Take a snapshot to see what covers it, or raise the number of attempts",
            "`open_app`, `open_uri`";
        AppCloseFailed = "APP_CLOSE_FAILED",
            "The app could not be closed",
            "Check the package name; some system apps cannot be closed",
            "`close_app`";
        UriNotHandled = "URI_NOT_HANDLED",
            "No app handles this URI",
            "Check the URI's scheme, or install an app that handles it",
            "`open_uri`";
        PageNotLoaded = "PAGE_NOT_LOADED",
            "The browser did not load the page, or received something that is not a page",
            "If it is a file, data.downloads says where it was saved; without --downloads it is denied. Otherwise \
            check the address and the server; the message has the browser's reason, such as net::ERR_NAME_NOT_RESOLVED",
            "`open_uri`, on web pages";
        DialogOpen = "DIALOG_OPEN",
            "A dialog blocks the page until it is answered",
            "Click one of its buttons: it stays open for a later command, unless DIALOG_DISMISSED says otherwise",
            "`open_uri`, on web pages";
        GlobalActionFailed = "GLOBAL_ACTION_FAILED",
            "The device rejected the key",
            "Retry once the screen has settled",
            "`press_key`, `enter_text` with `submit`";
        FormNotSubmitted = "FORM_NOT_SUBMITTED",
            "The browser did not submit the form, because a field of it is not valid",
            "Correct the field that the message names, then submit again",
            "`enter_text` with `submit`, on web pages";
        ScreenUnavailable = "SCREEN_UNAVAILABLE",
            "No window of the device could be read",
            "The message has the reason; wait until the screen settles, or act by coordinate",
            "every step that reads the screen, except `snapshot_ui` and `take_screenshot`";
        ScreenTooLarge = "SCREEN_TOO_LARGE",
            "The page has more elements than the limit",
            "Reduce the page: filter or search it, or open a single page of its list by URL",
            "every step that reads the screen, on web pages";
        SnapshotExtractionFailed = "SNAPSHOT_EXTRACTION_FAILED",
            "No reliable snapshot of the screen could be taken",
            "The message has the reason. Wait a moment and retry; `clawperator doctor` checks what prevents reading the screen",
            "`snapshot_ui`";
        ScreenshotFailed = "SCREENSHOT_FAILED",
            "The screenshot could not be taken or written",
            "Check that the path is writable and the screen is not protected",
            "`take_screenshot`";
        RecordingStartFailed = "RECORDING_START_FAILED",
            "The recording could not be started",
            "See the message",
            "`start_recording`";
        RecordingStopFailed = "RECORDING_STOP_FAILED",
            "The recording could not be stopped properly",
            "See the message; the recording so far is kept",
            "`stop_recording`";
        RecordingStorageUnavailable = "RECORDING_STORAGE_UNAVAILABLE",
            "There is no storage for the recording",
            "Free up storage, or check its permissions",
            "`start_recording`";
    }
    Device {
        AdbServerFailed = "ADB_SERVER_FAILED",
            "The adb server cannot be started or does not respond",
            "Run `adb kill-server`, then `adb start-server`, and check its output; if another program uses the port, set \
            ANDROID_ADB_SERVER_PORT or ADB_SERVER_SOCKET to another address",
            "a request that names no device or an Android device";
        ChromeStartFailed = "CHROME_START_FAILED",
            "The browser was started but did not become ready",
            "The message has the browser's output. In containers try `clawperator chrome start --no-sandbox`; \
            CLAWPERATOR_CHROME selects another program",
            "`--device chrome` if no browser is running, `chrome start`";
        ChromeUnreachable = "CHROME_UNREACHABLE",
            "The browser does not respond at its address, or the address is not that of a browser",
            "Check the address given with --cdp: a browser listens on a port only if started with \
            --remote-debugging-port; `clawperator chrome list` shows the endpoints of browsers started with `chrome \
            start`",
            "`--cdp`, and a request that names `chrome` or `chrome:<tab>`";
        DeviceUnauthorized = "DEVICE_UNAUTHORIZED",
            "The phone has not authorised this computer for USB debugging",
            "Unlock the phone, allow USB debugging in its dialog, then retry",
            "a request that names an Android device";
        DeviceOffline = "DEVICE_OFFLINE",
            "The phone is known to adb, but it does not respond",
            "Reconnect it, or run `clawperator doctor --fix` to make adb reconnect; an emulator may still be starting",
            "a request that names an Android device";
        AdbNoUsbPermissions = "ADB_NO_USB_PERMISSIONS",
            "adb has no permission to open the phone's USB port",
            "Install udev rules (Debian: `apt-get install android-sdk-platform-tools-common`), add your user to the \
            group plugdev, and reconnect the phone",
            "a request that names an Android device";
        DeviceShellUnavailable = "DEVICE_SHELL_UNAVAILABLE",
            "The phone is connected, but its shell does not respond like that of an Android phone",
            "Run `clawperator doctor`; restart the phone if its shell does not respond",
            "a request that names an Android device";
        DeviceScreenOff = "DEVICE_SCREEN_OFF",
            "The phone's screen is off, so it cannot be read or touched",
            "Wake the phone with --wake",
            "every step that reads or touches the screen or opens something, and `doctor`";
        DeviceLocked = "DEVICE_LOCKED",
            "The phone shows its lock screen",
            "Unlock the phone; without a PIN, pattern or password, `clawperator doctor --fix` and `clawperator exec --wake` unlock it",
            "every step that reads or touches the screen or opens something, and `doctor`";
        DeviceInputDenied = "DEVICE_INPUT_DENIED",
            "The phone does not let adb's shell touch the screen or press keys",
            "Switch on `USB debugging (Security settings)` in the developer options (phones of some manufacturers), \
            and restart the phone; or install the runtime app and use `--via app`, which needs no such right",
            "every step that touches the screen or presses a key, and `doctor`";
        DeviceAnimationsOn = "DEVICE_ANIMATIONS_ON",
            "The phone's animations are on, which slows down reading the screen",
            "Switch off animations in the developer options, or run `clawperator doctor --fix`",
            "`doctor`, as advice";
        DeviceDevOptionsDisabled = "DEVICE_DEV_OPTIONS_DISABLED",
            "The phone's developer options are off",
            "Switch on the developer options: in Settings, About phone, tap the build number seven times",
            "`doctor`, as advice";
        DeviceUsbDebuggingDisabled = "DEVICE_USB_DEBUGGING_DISABLED",
            "USB debugging is off on the phone",
            "Switch on USB debugging in the developer options; wireless debugging works without it",
            "`doctor`, as advice";
        DeviceAccessibilityNotRunning = "DEVICE_ACCESSIBILITY_NOT_RUNNING",
            "The Operator app is installed, but its accessibility service is not running",
            "Run `clawperator grant-device-permissions`, or switch on the service in Settings, Accessibility",
            "`doctor`";
        SmokeOpenSettingsFailed = "SMOKE_OPEN_SETTINGS_FAILED",
            "The phone did not show its settings",
            "The check's evidence has the failed step and the reason",
            "`doctor --full`";
        ApkVersionUnreadable = "APK_VERSION_UNREADABLE",
            "The Operator app is installed, but its version cannot be read",
            "Run `adb shell dumpsys package <package>`; reinstall the app if the output has no versionName",
            "`doctor`, `version --check-compat`, `--via operator`";
        ApkVersionInvalid = "APK_VERSION_INVALID",
            "The version of the Operator app does not have the form MAJOR.MINOR.PATCH",
            "Install a release of the app",
            "`doctor`, `version --check-compat`, `--via operator`";
        OperatorInstallFailed = "OPERATOR_INSTALL_FAILED",
            "The phone rejected the installation of the Operator app",
            "See install.error for the phone's message. Some phones ask on their screen, or require `Install via USB` \
            in the developer options",
            "`operator setup`";
        OperatorGrantFailed = "OPERATOR_GRANT_FAILED",
            "The Operator app is installed, but some permissions could not be granted",
            "See permissions; switch on what is not ok by hand in Settings, Accessibility, or Settings, Notifications",
            "`operator setup`";
        OperatorVerifyFailed = "OPERATOR_VERIFY_FAILED",
            "After the installation the phone has no Operator app, or two of them",
            "Select the package with --operator-package, and check that the file is the Operator app",
            "`operator setup`";
        GrantDevicePermissionsFailed = "GRANT_DEVICE_PERMISSIONS_FAILED",
            "Some permissions of the Operator app could not be granted",
            "Switch on what is not ok by hand in Settings, Accessibility, or Settings, Notifications",
            "`grant-device-permissions`";
        DeviceLost = "DEVICE_LOST",
            "The device disconnected while in use",
            "Check the connection; data.dispatch says whether the step was sent",
            "every step; on the embedded phone only through an injected fault";
        BroadcastFailed = "BROADCAST_FAILED",
            "The Operator app did not receive the command",
            "Run `clawperator doctor` to check whether the app is installed and running",
            "`doctor`, `--via operator`";
        ResultEnvelopeMalformed = "RESULT_ENVELOPE_MALFORMED",
            "The Operator app sent a result that cannot be parsed",
            "The plan ran: check the phone before sending anything again. Shorter plans have shorter results, and \
            `--via stock` does not need the app",
            "a run through the Operator app";
        RecordingPullFailed = "RECORDING_PULL_FAILED",
            "The recording could not be fetched or written",
            "Check that the directory of --out is writable and the phone is connected",
            "`recording pull`, `recording parse`";
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
            "The Operator app is installed, but its accessibility service is not running",
            "Switch on the service on the phone under Settings → Accessibility, or with `clawperator \
            grant-device-permissions`; `--via stock` does not need the app",
            "a run through the Operator app";
    }
    Internal {
        RuntimeFolderUnsafe = "RUNTIME_FOLDER_UNSAFE",
            "The directory of locks, records and profiles is a link, belongs to another user, or is writable by others",
            "Remove what the message names if it is yours, or set XDG_RUNTIME_DIR and TMPDIR to directories of your own",
            "everything that opens a phone or a browser, or lists running ones";
        InternalError = "INTERNAL_ERROR",
            "A bug in clawperator",
            "Report it, with the payload and the version",
            "everywhere";
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
