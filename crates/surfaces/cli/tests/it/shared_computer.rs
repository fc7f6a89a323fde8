//! A temporary folder shared by several users, without `XDG_RUNTIME_DIR`: files of others are neither trusted nor changed,
//! and no user can lock out another. Modes and links simulate the other user; tests `…_as_root` run programs as `nobody`, and
//! `xtask/run-tests` leaves them out without root.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::phones::User;
use crate::run::{
    RunOutput, accessible_temp_dir, assert_has, copy_program, finish, program, program_at,
};

/// The user id of `nobody`, the other user.
const NOBODY: u32 = 65534;

/// The user that runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunAs {
    Owner,
    OtherUser,
}

/// A temporary folder with the permissions of `/tmp`.
struct Shared(PathBuf);

impl Shared {
    fn new(name: &str) -> Self {
        let name = format!("shared-{name}-{}", std::process::id());
        let folder = accessible_temp_dir().join(name);
        fs::create_dir_all(folder.join("homes")).unwrap();
        for open in [folder.clone(), folder.join("homes")] {
            set_mode(&open, 0o1777);
        }
        let shared = Self(folder);
        if uid() == 0 {
            copy_program(&shared.program());
        }
        shared
    }

    /// A copy of the program that the other user can run: its own folder may be private.
    fn program(&self) -> PathBuf {
        self.path("program")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The folder of a user in it.
    fn own(&self, who: RunAs) -> PathBuf {
        let uid = match who {
            RunAs::Owner => uid(),
            RunAs::OtherUser => NOBODY,
        };
        self.path(&format!("clawperator-{uid}"))
    }

    fn command(&self, who: RunAs, arguments: &[&str]) -> Command {
        let mut command = match who {
            RunAs::Owner => program(),
            RunAs::OtherUser => program_at(&self.program()),
        };
        let home = self.path(&format!("homes/{who:?}"));
        command
            .args(arguments)
            .env_remove("XDG_RUNTIME_DIR")
            .env("TMPDIR", &self.0)
            .env("HOME", &home)
            .env("CLAWPERATOR_LOG_DIR", home.join("logs"));
        if who == RunAs::OtherUser {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    fn run(&self, who: RunAs, arguments: &[&str]) -> RunOutput {
        finish(&mut self.command(who, arguments), None)
    }

    /// Runs a shell command as a user.
    fn run_shell(&self, who: RunAs, line: &str) {
        let mut shell = Command::new("sh");
        shell.args(["-euc", line]).current_dir(&self.0);
        if who == RunAs::OtherUser {
            shell.uid(NOBODY).gid(NOBODY);
        }
        assert!(shell.status().unwrap().success(), "{line}");
    }

    /// A folder of the user with a file that must not change.
    fn protected(&self) -> PathBuf {
        let folder = self.path("protected");
        private(&folder);
        fs::write(folder.join("file"), "mine").unwrap();
        folder
    }

    /// The user's folder of browser records, as the program creates it.
    fn browsers(&self) -> PathBuf {
        let browsers = self.own(RunAs::Owner).join("browsers");
        private(&self.own(RunAs::Owner));
        private(&browsers);
        browsers
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// A process that is killed with its children on drop.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status();
        let _ = self.0.wait();
    }
}

fn uid() -> u32 {
    fs::metadata("/proc/self").unwrap().uid()
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

/// Creates a private folder if it does not exist.
fn private(folder: &Path) {
    let made = fs::DirBuilder::new().mode(0o700).create(folder);
    assert!(made.is_ok() || folder.is_dir(), "{made:?}");
}

/// The record of an unreachable browser.
fn record(pid: u32, profile: &Path) -> String {
    let port = testkit::closed_port();
    json!({
        "url": format!("ws://127.0.0.1:{port}/devtools/browser/planted"),
        "pid": pid, "headless": true, "product": "Chrome", "profile": profile, "own_profile": true,
    })
    .to_string()
}

/// A process whose command line resembles that of a browser with a profile.
fn process(arguments: &[&str]) -> KillOnDrop {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "while :; do sleep 1; done"])
        .args(arguments);
    KillOnDrop(shell.process_group(0).spawn().unwrap())
}

/// Every file and folder below one, with its mode.
fn below(folder: &Path) -> Vec<(PathBuf, u32)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        found.push((path.clone(), mode(&path)));
        if entry.file_type().unwrap().is_dir() {
            found.extend(below(&path));
        }
    }
    found
}

#[test]
fn record_in_foreign_directory_is_not_read_as_root() {
    let shared = Shared::new("foreign");
    let protected = shared.protected();
    let other = process(&[protected.to_str().unwrap()]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let record = record(other.0.id(), &protected);
    let daemon = json!({
        "process": { "pid": 1, "address": listener.local_addr().unwrap().port().to_string(), "secret": "x" },
        "environment": { "program": "", "version": [0, 0, 0], "variables": {} },
    });
    let own = shared.own(RunAs::Owner);
    let own = own.display();
    // A phone outside of the folder, because only a phone that answers is locked.
    let phone = User::without_adb("foreign-folder");
    let serial = phone.start("");
    shared.run_shell(
        RunAs::OtherUser,
        &format!(
            "umask 0; mkdir -p {own}/browsers {own}/phones
             echo '{record}' > {own}/browsers/planted.json
             echo '{daemon}' > {own}/browsers/planted.daemon"
        ),
    );
    for arguments in [
        &["devices"][..],
        &["chrome", "list"],
        &["chrome", "stop", "--all"],
        &["chrome", "start"],
        &[
            "type",
            "--text",
            "secret",
            "--role",
            "textfield",
            "--device",
            "chrome",
        ],
        &["sim", "list"],
        &["sim", "stop", "--all"],
        &["recording", "list"],
        &["snapshot", "--device", &serial],
    ] {
        let refused = shared.run(RunAs::Owner, arguments);
        let refused = refused.failure("RUNTIME_FOLDER_UNSAFE");
        let output = refused.to_string();
        assert!(output.contains(&own.to_string()), "{arguments:?}: {output}");
        assert!(output.contains("uid 65534"), "{arguments:?}: {output}");
    }
    assert!(protected.join("file").exists());
    let mut other = other;
    assert_eq!(other.0.try_wait().unwrap(), None);
    assert!(listener.accept().is_err());
    let shot = shared.run(RunAs::Owner, &["screenshot", "--device", "sim"]);
    assert_eq!(shot.exit, 1);
    assert!(shot.stdout.contains("uid 65534"), "{}", shot.stdout);
    // Commands that need no such folder still work.
    shared
        .run(RunAs::Owner, &["snapshot", "--device", "sim"])
        .success();
}

#[test]
fn writable_directory_is_refused_with_hint() {
    let shared = Shared::new("open");
    let protected = shared.protected();
    let browsers = shared.browsers();
    fs::write(browsers.join("planted.json"), record(1, &protected)).unwrap();
    let (own, link) = (shared.own(RunAs::Owner), shared.path("link"));
    for (folder, wrong) in [(&own, 0o777), (&own, 0o720), (&browsers, 0o702)] {
        set_mode(folder, wrong);
        let refused = shared.run(RunAs::Owner, &["devices"]);
        let refused = refused.failure("RUNTIME_FOLDER_UNSAFE");
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains(folder.to_str().unwrap()), "{message}");
        assert_has(&refused, "hint", "XDG_RUNTIME_DIR");
        assert_eq!(mode(folder), wrong);
        set_mode(folder, 0o700);
    }
    fs::rename(&own, &link).unwrap();
    symlink(&link, &own).unwrap();
    shared
        .run(RunAs::Owner, &["devices"])
        .failure("RUNTIME_FOLDER_UNSAFE");
    fs::remove_file(&own).unwrap();
    fs::write(&own, "a file").unwrap();
    shared
        .run(RunAs::Owner, &["devices"])
        .failure("RUNTIME_FOLDER_UNSAFE");
    assert!(protected.join("file").exists());
}

#[test]
fn record_deletes_only_own_profiles() {
    let shared = Shared::new("profiles");
    let protected = shared.protected();
    let browsers = shared.browsers();
    let profiles = shared.own(RunAs::Owner).join("profiles");
    private(&profiles);
    let linked = profiles.join("chrome-00000000000000000000000000000000");
    symlink(&protected, &linked).unwrap();
    let other_folder = profiles.join("other-folder");
    private(&other_folder);
    let climbing = profiles.join("..").join("..").join("protected");
    for profile in [&protected, &linked, &other_folder, &climbing, &profiles] {
        fs::write(browsers.join("planted.json"), record(1, profile)).unwrap();
        shared.run(RunAs::Owner, &["devices"]).success();
        assert!(protected.join("file").exists(), "{profile:?}");
        assert!(other_folder.is_dir() && profiles.is_dir(), "{profile:?}");
        assert!(!browsers.join("planted.json").exists(), "{profile:?}");
    }
    let ours = profiles.join("chrome-0123456789abcdef0123456789abcdef");
    private(&ours);
    fs::write(browsers.join("planted.json"), record(1, &ours)).unwrap();
    shared.run(RunAs::Owner, &["devices"]).success();
    assert!(!ours.exists());
}

#[test]
fn only_recorded_browser_is_stopped() {
    let shared = Shared::new("processes");
    let browsers = shared.browsers();
    let profile = shared.path("profile");
    let named = profile.to_str().unwrap();
    // Their command lines contain the profile, but they are not browsers.
    let longer = format!("--user-data-dir={named}-2");
    let inner = format!("x --user-data-dir={named} y");
    let others = [process(&[named]), process(&[&longer]), process(&[&inner])];
    let pids = others.iter().map(|other| other.0.id()).chain([0, 1]);
    for (ending, pid) in pids.enumerate() {
        let suffix = ["json", "starting"][ending % 2];
        fs::write(
            browsers.join(format!("planted.{suffix}")),
            record(pid, &profile),
        )
        .unwrap();
        shared
            .run(RunAs::Owner, &["chrome", "stop", "--all"])
            .success();
    }
    for mut other in others {
        assert_eq!(other.0.try_wait().unwrap(), None);
    }
    let whole = format!("--user-data-dir={named}");
    let mut browser = process(&[&whole]);
    fs::write(
        browsers.join("planted.json"),
        record(browser.0.id(), &profile),
    )
    .unwrap();
    shared
        .run(RunAs::Owner, &["chrome", "stop", "--all"])
        .success();
    assert!(!browser.0.wait().unwrap().success());
}

#[test]
fn browser_of_other_user_is_not_stopped_as_root() {
    let shared = Shared::new("other-browser");
    let profile = shared.path("profile");
    let whole = format!("--user-data-dir={}", profile.display());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "while :; do sleep 1; done", &whole])
        .uid(NOBODY)
        .gid(NOBODY);
    let mut other = KillOnDrop(shell.process_group(0).spawn().unwrap());
    let planted = shared.browsers().join("planted.json");
    fs::write(planted, record(other.0.id(), &profile)).unwrap();
    shared
        .run(RunAs::Owner, &["chrome", "stop", "--all"])
        .success();
    assert_eq!(other.0.try_wait().unwrap(), None);
}

#[test]
fn link_instead_of_lock_truncates_nothing() {
    let shared = Shared::new("lock");
    let protected = shared.protected().join("file");
    let own = shared.own(RunAs::Owner);
    private(&own);
    // Only a phone that answers is locked.
    let phone = User::without_adb("linked-lock");
    let serial = phone.start("");
    let port = serial.strip_prefix("127.0.0.1:").unwrap();
    let lock = format!("device-127_2e0_2e0_2e1_3a{port}.lock");
    symlink(&protected, own.join(lock)).unwrap();
    shared
        .run(RunAs::Owner, &["snapshot", "--device", &serial])
        .failure("RUNTIME_FOLDER_UNSAFE");
    assert_eq!(fs::read_to_string(&protected).unwrap(), "mine");
}

#[test]
fn users_share_temporary_directory_as_root() {
    let shared = Shared::new("both");
    for first in [RunAs::Owner, RunAs::OtherUser] {
        let second = match first {
            RunAs::Owner => RunAs::OtherUser,
            RunAs::OtherUser => RunAs::Owner,
        };
        for who in [first, second] {
            shared.run(who, &["devices"]).success();
            let shot = shared
                .run(who, &["screenshot", "--device", "sim"])
                .success();
            let path = shot["envelope"]["stepResults"][0]["data"]["path"].clone();
            let path = PathBuf::from(path.as_str().unwrap());
            assert!(path.starts_with(shared.own(who)), "{path:?}");
            assert_eq!(mode(&path), 0o600);
            let locked = shared.run(who, &["snapshot", "--device", "127.0.0.1:1"]);
            let code = locked.document()["code"].clone();
            assert_ne!(code, "INTERNAL_ERROR", "{locked:?}", locked = locked.stdout);
            assert_ne!(code, "RUNTIME_FOLDER_UNSAFE", "{}", locked.stdout);
        }
    }
    for who in [RunAs::Owner, RunAs::OtherUser] {
        assert_eq!(mode(&shared.own(who)), 0o700);
        for (path, mode) in below(&shared.own(who)) {
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "{path:?}");
            assert_ne!(path.extension().unwrap_or_default(), "lock", "{path:?}");
        }
    }
}

#[test]
fn new_files_are_private_and_existing_keep_mode() {
    let shared = Shared::new("modes");
    let folder = shared.path("named");
    fs::create_dir(&folder).unwrap();
    set_mode(&folder, 0o755);
    let (shot, journal) = (folder.join("shot.png"), folder.join("journal.ndjson"));
    let command = [
        "screenshot",
        "--path",
        shot.to_str().unwrap(),
        "--device",
        "sim",
        "--sim-journal",
        journal.to_str().unwrap(),
    ];
    for mode_of_files in [0o600, 0o644] {
        shared.run(RunAs::Owner, &command).success();
        for file in [&shot, &journal] {
            assert_eq!(mode(file), mode_of_files, "{file:?}");
            set_mode(file, 0o644);
        }
    }
    assert_eq!(mode(&folder), 0o755);
    let made = below(&shared.path("homes"));
    assert!(made.iter().any(|(path, _)| path.ends_with("Owner/logs")));
    for (path, mode) in made {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{path:?}");
    }
}

#[test]
fn foreign_link_is_not_followed_as_root() {
    let shared = Shared::new("shot");
    let protected = shared.protected().join("file");
    // A picture, which may be replaced.
    let picture = b"\x89PNG\r\n\x1a\n";
    fs::write(&protected, picture).unwrap();
    shared.run_shell(
        RunAs::OtherUser,
        &format!("ln -s {} shot.png", protected.display()),
    );
    let link = shared.path("shot.png");
    for flag in ["--path", "--sim-journal"] {
        let command = [
            "screenshot",
            "--device",
            "sim",
            flag,
            link.to_str().unwrap(),
        ];
        let refused = shared.run(RunAs::Owner, &command);
        assert_eq!(refused.exit, 1);
        let output = &refused.stdout;
        assert!(output.contains("a link of another user"), "{output}");
    }
    assert_eq!(fs::read(&protected).unwrap(), picture);
    assert!(link.is_symlink());
}

#[test]
fn unnamed_screenshots_expire_after_a_week() {
    let shared = Shared::new("old");
    let take = || {
        let shot = shared.run(RunAs::Owner, &["screenshot", "--device", "sim"]);
        let path = shot.success()["envelope"]["stepResults"][0]["data"]["path"].clone();
        PathBuf::from(path.as_str().unwrap())
    };
    let (old, young) = (take(), take());
    let days = |days: u64| SystemTime::now() - Duration::from_secs(days * 86_400);
    for (path, written) in [(&old, days(8)), (&young, days(6))] {
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(written).unwrap();
    }
    let new = take();
    assert!(!old.exists());
    assert!(young.exists() && new.exists());
}
