//! Web pages as devices: starting, finding, naming and killing real browsers.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::mcp::RawClient;
use crate::run::{
    POLL_INTERVAL, RunOutput, TIME_LIMIT, TimeLimit, Words, assert_has, finish, program, until,
};

/// A user with their own browsers, which stop when this is dropped.
pub(crate) struct User {
    folder: PathBuf,
    /// Additional flags of the browsers.
    flags: &'static str,
}

impl User {
    pub(crate) fn new(name: &str) -> Self {
        Self::with_flags(name, "")
    }

    /// A user whose browsers have additional flags.
    pub(crate) fn with_flags(name: &str, flags: &'static str) -> Self {
        Self::in_folder(&std::env::temp_dir(), name, flags)
    }

    /// A user whose files are below a folder.
    pub(crate) fn in_folder(parent: &Path, name: &str, flags: &'static str) -> Self {
        let name = format!("clawperator-chrome-{name}-{}", std::process::id());
        let folder = parent.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder, flags }
    }

    /// The path of a file, removed when this is dropped.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The folder of the browsers' profiles.
    pub(crate) fn profiles(&self) -> PathBuf {
        use std::os::unix::fs::MetadataExt;
        let uid = std::fs::metadata(&self.folder).unwrap().uid();
        self.file(&format!("clawperator-{uid}/profiles"))
    }

    pub(crate) fn command(&self, arguments: &(impl Words + ?Sized)) -> Command {
        let mut command = program();
        command
            .args(arguments.words())
            .env("XDG_RUNTIME_DIR", &self.folder)
            .env("HOME", &self.folder)
            .env("TMPDIR", &self.folder);
        if !self.flags.is_empty() {
            command.env("CLAWPERATOR_CHROME_FLAGS", self.flags);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &(impl Words + ?Sized)) -> RunOutput {
        finish(&mut self.command(arguments), None)
    }

    pub(crate) fn spawn(&self, arguments: &(impl Words + ?Sized)) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Opens a page with this title and this body.
    pub(crate) fn open(&self, title: &str, body: &str) -> Value {
        let url = page(title, body);
        self.run(&["open", &url, "--device", "chrome"]).success()
    }

    /// The screen as a command prints it, whole.
    pub(crate) fn snapshot(&self, device: &str) -> String {
        self.run(&["snapshot", "--device", device])
            .success()
            .to_string()
    }

    pub(crate) fn browsers(&self) -> Vec<Value> {
        let listed = self.run("chrome list").success();
        listed["browsers"].as_array().unwrap().clone()
    }

    /// Sends a signal to the only browser.
    fn signal(&self, signal: &str) -> Value {
        let browsers = self.browsers();
        assert_eq!(browsers.len(), 1, "{browsers:?}");
        let pid = browsers[0]["pid"].to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(sent.success());
        browsers[0].clone()
    }
}

impl Drop for User {
    fn drop(&mut self) {
        self.run("chrome stop --all");
        // Helper processes of a killed browser may write for a moment.
        let begun = Instant::now();
        while std::fs::remove_dir_all(&self.folder).is_err() && begun.elapsed() < TIME_LIMIT {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

fn page(title: &str, body: &str) -> String {
    format!("data:text/html,<title>{title}</title>{body}")
}

pub(crate) fn warning_codes(answer: &Value) -> Vec<&str> {
    let warnings = answer["warnings"].as_array().into_iter().flatten();
    warnings
        .filter_map(|warning| warning["code"].as_str())
        .collect()
}

pub(crate) fn wait_for_result(child: Child) -> Value {
    let _limit = TimeLimit::start(&child);
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn page_stays_open_between_commands() {
    let user = User::new("next");
    let opened = user.open("One", "<button>Pay now</button>");
    assert_eq!(warning_codes(&opened), ["BROWSER_STARTED"]);
    let device = opened["deviceId"].as_str().unwrap();
    assert!(device.starts_with("chrome:"), "{device}");
    let seen = user.run("snapshot --device chrome").success();
    assert!(seen.to_string().contains("Pay now"), "{seen}");
    assert_eq!(warning_codes(&seen), [""; 0]);
    assert_eq!(seen["deviceId"], device);
    // It is listed with its tabs, and can be named by each.
    let listed = user.run("devices").success();
    let tab = &listed["devices"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["serial"] == device);
    let tab = tab.unwrap();
    assert_eq!(
        (&tab["state"], &tab["title"]),
        (&Value::from("page"), &Value::from("One"))
    );
    for name in [
        device,
        "chrome:One",
        "chrome:pay NOW",
        &device.to_lowercase(),
    ] {
        assert!(user.snapshot(name).contains("Pay now"), "{name}");
    }
    let surveyed = user.run("devices --long").success();
    let tab = surveyed["devices"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["serial"] == device);
    assert_eq!(tab.unwrap()["ready"], true, "{surveyed}");
    let looked = user.run("doctor --device chrome").success();
    assert_eq!(
        (&looked["ok"], &looked["via"]),
        (&Value::from(true), &Value::from("browser"))
    );
    // A user's own browser is the same when named by its address.
    let endpoint = user.browsers()[0]["endpoint"].as_str().unwrap().to_owned();
    let other = User::new("other");
    let seen = other.run(&["snapshot", "--cdp", &endpoint]).success();
    assert!(seen.to_string().contains("Pay now"), "{seen}");
    assert_eq!(other.browsers(), [Value::Null; 0]);
    let nothing = other.run("chrome stop --all").success();
    assert_eq!(nothing["stopped"], Value::Array(Vec::new()));
    assert_eq!(user.browsers().len(), 1);
    let stopped = user.run("chrome stop").success();
    assert_eq!(stopped["stopped"][0]["endpoint"], *endpoint);
    assert!(!Path::new(stopped["stopped"][0]["profile"].as_str().unwrap()).exists());
    assert_eq!(user.browsers(), [Value::Null; 0]);
}

#[test]
fn concurrent_starts_share_browser() {
    let user = User::new("twice");
    let (one, other) = (user.spawn("chrome start"), user.spawn("chrome start"));
    let (one, other) = (wait_for_result(one), wait_for_result(other));
    assert_eq!(one["endpoint"], other["endpoint"], "{one} {other}");
    let mut started = [
        one["started"].as_bool().unwrap(),
        other["started"].as_bool().unwrap(),
    ];
    started.sort_unstable();
    assert_eq!(started, [false, true]);
    // Options that do not match the running browser are refused.
    let refused = user.run("chrome start --size 390x844").failure("USAGE");
    assert_eq!(refused["details"]["running"]["endpoint"], one["endpoint"]);
    let another = user.run("chrome start --another").success();
    assert_ne!(another["endpoint"], one["endpoint"]);
    let which = user
        .run("snapshot --device chrome")
        .failure("MULTIPLE_DEVICES_DEVICE_ID_REQUIRED");
    assert_eq!(which["details"]["browsers"].as_array().unwrap().len(), 2);
    user.run("chrome stop")
        .failure("MULTIPLE_DEVICES_DEVICE_ID_REQUIRED");
    let closed = format!("http://127.0.0.1:{}", testkit::closed_port());
    user.run(&["chrome", "stop", &closed])
        .failure("DEVICE_NOT_FOUND");
    let endpoint = another["endpoint"].as_str().unwrap();
    user.run(&["snapshot", "--device", "chrome", "--cdp", endpoint])
        .success();
    let stopped = user.run(&["chrome", "stop", endpoint]).success();
    assert_eq!(stopped["stopped"].as_array().unwrap().len(), 1);
    assert_eq!(user.browsers().len(), 1);
}

#[test]
fn unknown_tab_lists_open_tabs() {
    let user = User::new("tabs");
    let none = user
        .run("snapshot --device chrome:shop")
        .failure("TAB_NOT_FOUND");
    assert!(
        none["message"]
            .as_str()
            .unwrap()
            .ends_with("no browser is running"),
        "{none}"
    );
    user.open("Shop one", "<p>first");
    let script = "<a href='data:text/html,x' target=_blank>More</a>";
    // A page is open when its document has started; its title follows a moment later.
    until("the tab has its title", || {
        user.browsers()[0]["tabs"]
            .to_string()
            .contains("\"Shop one\"")
    });
    let missing = user
        .run("snapshot --device chrome:bank")
        .failure("TAB_NOT_FOUND");
    assert_eq!(missing["details"]["tabs"][0]["title"], "Shop one");
    assert_eq!(user.browsers()[0]["tabs"].as_array().unwrap().len(), 1);
    // A second tab, opened by the user.
    let endpoint = user.browsers()[0]["endpoint"].as_str().unwrap().to_owned();
    new_tab(&endpoint, &page("Shop two", script));
    until("both tabs have their titles", || {
        let tabs = user.browsers()[0]["tabs"].to_string();
        tabs.contains("\"Shop one\"") && tabs.contains("\"Shop two\"")
    });
    let several = user
        .run("snapshot --device chrome:shop")
        .failure("TAB_AMBIGUOUS");
    let tabs = several["details"]["tabs"].as_array().unwrap();
    assert_eq!(tabs.len(), 2, "{several}");
    assert!(user.snapshot("chrome:Shop two").contains("More"));
    // From then on, the tab used last is the default.
    assert!(user.snapshot("chrome").contains("More"));
    assert!(user.snapshot("chrome:Shop one").contains("first"));
    assert!(user.snapshot("chrome").contains("first"));
    // Without a last tab, one must be selected.
    let other = User::new("tabs-other");
    let unnamed = other
        .run(&["snapshot", "--cdp", &endpoint])
        .failure("TAB_AMBIGUOUS");
    assert_eq!(unnamed["details"]["tabs"].as_array().unwrap().len(), 2);
}

/// Opens a tab as a user does; returns its id.
pub(crate) fn new_tab(endpoint: &str, url: &str) -> String {
    let made = call_browser(endpoint, "Target.createTarget", &json!({ "url": url }));
    made["targetId"].as_str().unwrap().to_owned()
}

/// Closes a tab, as a user does.
pub(crate) fn close_tab(endpoint: &str, id: &str) {
    call_browser(endpoint, "Target.closeTarget", &json!({ "targetId": id }));
}

/// A successful answer of a browser over its socket.
pub(crate) fn call_browser(endpoint: &str, method: &str, params: &Value) -> Value {
    use std::io::{BufRead, BufReader, Write};
    let path = endpoint.strip_prefix("unix://").unwrap();
    let mut stream = std::os::unix::net::UnixStream::connect(path).unwrap();
    stream.set_read_timeout(Some(TIME_LIMIT)).unwrap();
    let call = json!({ "id": 1, "method": method, "params": params });
    write!(stream, "{call}\0").unwrap();
    let mut answer = Vec::new();
    BufReader::new(stream).read_until(0, &mut answer).unwrap();
    assert_eq!(answer.pop(), Some(0), "{method}");
    let mut answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(answer["error"], Value::Null, "{answer}");
    answer["result"].take()
}

#[test]
fn busy_tab_refuses_second_command() {
    let user = User::new("conflict");
    user.open(
        "Busy",
        "<button onclick=\"document.title = 'Begun'\">Begin</button>",
    );
    let mut plan = testkit::plan(
        "first",
        serde_json::json!([
            {"id": "begin", "type": "click", "params": {"matcher": {"textEquals": "Begin"}}},
            {"id": "wait", "type": "wait_for_node",
             "params": {"matcher": {"textEquals": "Never"}, "timeoutMs": 50_000}},
        ]),
    );
    plan["timeoutMs"] = 60_000.into();
    let plan = plan.to_string();
    let wait = || user.spawn(&["exec", "--payload", &plan, "--device", "chrome"]);
    let mut waiting = wait();
    until("the first has the tab", || {
        if waiting.try_wait().unwrap().is_some() {
            // The second was faster, and the first was refused.
            waiting = wait();
        }
        let second = user.run("snapshot --device chrome").document();
        second["code"] == "EXECUTION_CONFLICT_IN_FLIGHT"
            && second["details"]["holderCommandId"] == "first"
    });
    until("the first drives the tab", || {
        let devices = user.run("devices").success();
        let devices = devices["devices"].as_array().unwrap();
        devices.iter().any(|device| device["title"] == "Begun")
    });
    // The browser crashes during the command.
    user.signal("-9");
    let lost = wait_for_result(waiting);
    assert_eq!(lost["envelope"]["errorCode"], "DEVICE_LOST", "{lost}");
    let steps = lost["envelope"]["stepResults"].as_array().unwrap();
    let reported: Vec<_> = steps
        .iter()
        .map(|step| (step["id"].as_str().unwrap(), step["success"] == true))
        .collect();
    assert_eq!(reported, [("begin", true), ("wait", false)], "{lost}");
    // The next command works.
    let opened = user.open("Again", "<p>well");
    assert_eq!(warning_codes(&opened), ["BROWSER_STARTED"]);
    assert!(user.snapshot("chrome").contains("well"));
}

#[test]
fn killed_browser_leaves_nothing() {
    let user = User::new("killed");
    user.open("Gone", "<p>soon");
    let profile = user.browsers()[0]["profile"].as_str().unwrap().to_owned();
    let profile = Path::new(&profile);
    let socket = std::fs::read_link(profile.join("SingletonSocket")).unwrap();
    assert!(socket.exists());
    let killed = user.signal("-9");
    until(
        "its record, its profile and the folder of its socket are gone",
        || user.browsers().is_empty() && !profile.exists() && !socket.parent().unwrap().exists(),
    );
    user.run("snapshot --device chrome:Gone")
        .failure("TAB_NOT_FOUND");
    let fresh = user.run("snapshot --device chrome").success();
    assert_eq!(warning_codes(&fresh), ["BROWSER_STARTED"]);
    assert_ne!(user.browsers()[0]["pid"], killed["pid"]);
}

#[test]
fn hanging_browser_is_reported_and_killed() {
    let user = User::new("hangs");
    user.run("chrome start").success();
    let hanging = user.signal("-STOP");
    let refused = user
        .run("snapshot --device chrome")
        .failure("CHROME_UNREACHABLE");
    assert_has(&refused, "message", "does not respond");
    assert_eq!(user.browsers()[0]["answers"], false);
    let stopped = user.run("chrome stop").success();
    assert_eq!(stopped["stopped"][0]["pid"], hanging["pid"]);
    assert_eq!(user.browsers(), [Value::Null; 0]);
}

#[test]
fn browser_start_failures_have_hints() {
    let user = User::new("none");
    let with = |program: &str, arguments: &[&str]| {
        finish(
            user.command(arguments).env("CLAWPERATOR_CHROME", program),
            None,
        )
    };
    let snapshot = ["snapshot", "--device", "chrome"];
    let missing = with("/nowhere/chromium", &snapshot).failure("CHROME_NOT_FOUND");
    assert_has(&missing, "message", "/nowhere/chromium");
    assert_has(&missing, "hint", "apt-get install chromium");
    let failed = with("/bin/false", &snapshot).failure("CHROME_START_FAILED");
    assert_has(&failed, "message", "exit status: 1");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let failed = user
        .run(&["chrome", "start", "--port", &port])
        .failure("CHROME_START_FAILED");
    assert_has(&failed, "message", &port);
    // An address without a listener, and one with an unsupported scheme.
    let closed_address = format!("http://127.0.0.1:{}", testkit::closed_port());
    let unreachable = user
        .run(&["snapshot", "--cdp", &closed_address])
        .failure("CHROME_UNREACHABLE");
    assert_has(&unreachable, "hint", "--remote-debugging-port");
    user.run("snapshot --cdp wss://127.0.0.1:1")
        .failure("USAGE");
    // No files are left.
    let left: Vec<_> = std::fs::read_dir(&user.folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("clawperator-chrome"))
        .collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn web_guide_commands_work_in_order() {
    let user = User::new("guide");
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guides/web.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let blocks: Vec<&str> = guide
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(blocks.len() >= 6, "{blocks:?}");
    let program = Path::new(env!("CARGO_BIN_EXE_clawperator"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    for block in blocks {
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", block]).env("PATH", &path);
        for (name, value) in user.command("").get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let ran = finish(&mut shell, None);
        assert_eq!(ran.exit, 0, "{block}\n{}\n{}", ran.stdout, ran.stderr);
        if block.contains("inspect") {
            assert!(ran.stdout.contains("Selector: #login\n"), "{}", ran.stdout);
        }
    }
    assert_eq!(user.browsers(), [Value::Null; 0]);
}

#[test]
fn events_report_tabs() {
    use std::io::{BufRead, BufReader, Write};
    let user = User::new("events");
    let folder = user.folder.to_str().unwrap();
    let places = ["XDG_RUNTIME_DIR", "HOME", "TMPDIR"].map(|name| (name, folder));
    let (served, _) = crate::serve::serve(&["--device", "sim"], &places);
    let address = served.url.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TIME_LIMIT)).unwrap();
    stream
        .write_all(b"GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut reported = |mark: &str| -> Value {
        let mut lines = lines.by_ref().map(Result::unwrap);
        let line = lines.find(|line| line.starts_with("data: ") && line.contains(mark));
        serde_json::from_str(line.unwrap().strip_prefix("data: ").unwrap()).unwrap()
    };
    reported("CONNECTED");
    let opened = user.open("Told", "");
    let added = reported("chrome:");
    assert_eq!(added["deviceId"], opened["deviceId"]);
    assert_eq!(added["state"], "page");
    user.run("chrome stop --all").success();
    let removed = reported("chrome:");
    assert_eq!(removed["deviceId"], opened["deviceId"]);
    assert_eq!(removed["state"], "gone");
}

#[test]
fn users_browser_keeps_download_settings() {
    let owner = User::new("downloads-owner");
    let (own, named) = (owner.file("own"), owner.file("named"));
    for folder in [&own, &named] {
        std::fs::create_dir(folder).unwrap();
    }
    let profile = owner.file("profile");
    std::fs::create_dir_all(profile.join("Default")).unwrap();
    let preferences =
        json!({ "download": { "default_directory": own, "prompt_for_download": false } });
    std::fs::write(profile.join("Default/Preferences"), preferences.to_string()).unwrap();
    let started = ["chrome", "start", "--profile", profile.to_str().unwrap()];
    let started = owner.run(&started).success();
    let endpoint = started["endpoint"].as_str().unwrap();
    let web = testkit::web::Web::start();
    let file = testkit::web::Reply::Download("report.bin".to_owned(), b"all well".to_vec());
    web.reply("/file", file);
    let url = web.url("/file");
    let arrives = |path: PathBuf| {
        until("the file is there", || {
            std::fs::read(&path).is_ok_and(|bytes| bytes == b"all well")
        });
    };
    // For this user it is a browser started by someone else.
    let guest = User::new("downloads-guest");
    let taken = guest.run(&["open", &url, "--cdp", endpoint]);
    assert!(
        taken.stdout.contains("PAGE_NOT_LOADED") && !taken.stdout.contains("DOWNLOAD_DENIED"),
        "{}",
        taken.stdout
    );
    arrives(own.join("report.bin"));
    let named_folder = named.to_str().unwrap();
    let mut server = RawClient::initialized_in(
        &["--cdp", endpoint, "--downloads", named_folder],
        &guest.folder,
    );
    let open = json!({ "actions": [{ "type": "open_uri", "uri": url }], "device": "chrome" });
    server.call(1, "act", open);
    let reported = server.receive().to_string();
    assert!(reported.contains("PAGE_NOT_LOADED"), "{reported}");
    arrives(named.join("report.bin"));
    // The server is still connected, but idle.
    new_tab(endpoint, &url);
    arrives(own.join("report (1).bin"));
    assert_eq!(server.disconnect().0, Some(0));
}

#[test]
fn downloads_go_only_to_named_directory() {
    let user = User::new("downloads");
    let web = testkit::web::Web::start();
    web.reply(
        "/file",
        testkit::web::Reply::Download("report.bin".to_owned(), b"all well".to_vec()),
    );
    user.open("First", "<p>First");
    // They are denied while the browser is idle, too.
    let profile = user.browsers()[0]["profile"].as_str().unwrap().to_owned();
    let preferences = std::fs::read_to_string(format!("{profile}/Default/Preferences")).unwrap();
    assert!(
        preferences.contains(r#""download_restrictions":3"#),
        "{preferences}"
    );
    let url = web.url("/file");
    let denied = user.run(&["open", &url, "--device", "chrome"]);
    assert!(
        denied.stdout.contains("PAGE_NOT_LOADED") && denied.stdout.contains("which was denied")
    );
    assert!(denied.stdout.contains("DOWNLOAD_DENIED") && denied.stdout.contains("--downloads"));
    let folder = user.file("files");
    std::fs::create_dir(&folder).unwrap();
    let named = folder.to_str().unwrap();
    let taken = user.run(&["open", &url, "--device", "chrome", "--downloads", named]);
    let path = folder.join("report.bin");
    assert!(
        taken.stdout.contains(path.to_str().unwrap()),
        "{}",
        taken.stdout
    );
    assert_eq!(std::fs::read(&path).unwrap(), b"all well");
    assert!(!taken.stdout.contains("DOWNLOAD_DENIED"));
    // The flag sets the folder for one command, the variable for all.
    let denied = user.run(&["open", &url, "--device", "chrome"]);
    assert!(
        denied.stdout.contains("DOWNLOAD_DENIED"),
        "{}",
        denied.stdout
    );
    let mut command = user.command(&["open", &url, "--device", "chrome"]);
    command.env("CLAWPERATOR_CHROME_DOWNLOADS", named);
    let taken = finish(&mut command, None);
    assert!(taken.stdout.contains("report (1).bin"), "{}", taken.stdout);
    let missing = folder.join("none");
    let missing = ["open", &url, "--downloads", missing.to_str().unwrap()];
    user.run(&missing).failure("USAGE");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
