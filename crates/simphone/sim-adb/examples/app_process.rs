//! Stands for `app_process` on a phone with Android's adb daemon and shell: plays the agent, with a simulated screen behind it.
//!
//! The tests of `driver-android` run against such a phone if `CLAWPERATOR_TEST_PHONE` has its serial. Install this program there
//! as `/system/bin/app_process`, linked statically:
//! `RUSTFLAGS="-C target-feature=+crt-static" cargo build -p sim-adb --example app_process --target x86_64-unknown-linux-gnu`

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    linux::main()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fmt::Display;
    use std::fs::{DirBuilder, File, OpenOptions, Permissions, read, read_to_string, rename};
    use std::io::{Error, ErrorKind, Result, Write, stderr, stdout};
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
    use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
    use std::process::ExitCode;
    use std::rc::Rc;
    use std::time::Duration;

    use agent_protocol::{
        AgentErrorCode, FOLDER, MAIN_CLASS, ReadyLine, STATE_FILE, StartLine, VERSION,
    };
    use driver_sim::journal::Passwords;
    use driver_sim::{AppSource, SimOptions, Start};
    use rustix::fs::Mode;
    use sha2::{Digest, Sha256};
    use sim_adb::{AgentProcess, Options};
    use testkit::conformance::{APP, PACKAGE};
    use tokio::task::LocalSet;

    /// The beginning of a dex.
    const MAGIC: &[u8] = b"dex\n";
    /// The abstract socket that only one process can have, as only one can have the UiAutomation.
    const SLOT: &str = "app_process-ui-automation";
    /// What happened on the screen, of all processes.
    const JOURNAL: &str = "/data/local/tmp/app_process.journal";
    const ROOT: u32 = 0;
    const SHELL: u32 = 2000;
    const DEFAULT_IDLE_SECONDS: u64 = 600;

    pub(super) fn main() -> ExitCode {
        let args: Vec<String> = std::env::args().collect();
        let path = std::env::var("CLASSPATH").unwrap_or_default();
        let class = args.get(2).map_or("", String::as_str);
        let program = read(&path).ok();
        let Some(program) = program.filter(|dex| dex.starts_with(MAGIC) && class == MAIN_CLASS)
        else {
            let line = format!(
                "java.lang.ClassNotFoundException: Didn't find class \"{class}\" on path: {path}"
            );
            return match writeln!(stderr(), "{line}") {
                Ok(()) | Err(_) => ExitCode::FAILURE,
            };
        };
        let run = run(args.get(3..).unwrap_or_default(), &program);
        let (code, message) = match run {
            Ok(()) => return ExitCode::SUCCESS,
            Err(End::Taken(holder)) => (AgentErrorCode::SlotTaken, holder),
            Err(End::Failed(message)) => (AgentErrorCode::Failed, message),
        };
        // The standard streams may be closed.
        match writeln!(stdout(), "{}", StartLine::Failed { code, message }) {
            Ok(()) | Err(_) => ExitCode::FAILURE,
        }
    }

    enum End {
        Taken(String),
        Failed(String),
    }

    impl<E: Display> From<E> for End {
        fn from(error: E) -> Self {
            Self::Failed(error.to_string())
        }
    }

    fn run(args: &[String], program: &[u8]) -> std::result::Result<(), End> {
        let idle = match args {
            [] => DEFAULT_IDLE_SECONDS,
            [flag, seconds] if flag == "--idle" => seconds.parse()?,
            _ => return Err(End::Failed("usage: --idle SECONDS".to_owned())),
        };
        rustix::process::umask(Mode::from_bits_truncate(0o077));
        make_folder()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let slot = abstract_address(SLOT)?;
            let Ok(_slot) = UnixListener::bind_addr(&slot) else {
                return Err(End::Taken(holder(&slot)?));
            };
            let mut token = [0; 32];
            getrandom::fill(&mut token)?;
            let ready = ReadyLine {
                version: VERSION,
                socket: format!("clawperator-{:016x}", getrandom::u64()?),
                token,
                pid: std::process::id(),
                sha256: Sha256::digest(program).into(),
            };
            let line = format!("{ready}\n");
            let socket = UnixListener::bind_addr(&abstract_address(&ready.socket)?)?;
            socket.set_nonblocking(true)?;
            let socket = tokio::net::UnixListener::from_std(socket)?;
            let idle = Duration::from_secs(idle);
            let agent = Rc::new(AgentProcess::start(options(), ready, idle)?);
            let journal = OpenOptions::new().append(true).create(true).open(JOURNAL)?;
            let record = agent.adb_phone().record();
            record.write_to(Box::new(journal), Passwords::Masked);
            write_state(&line)?;
            stdout().write_all(line.as_bytes())?;
            stdout().flush()?;
            close_streams()?;
            let sessions = LocalSet::new();
            let served = sessions.run_until(serve(&socket, &agent)).await;
            // Sessions end with the agent.
            sessions.await;
            remove_state(&line)?;
            served.map_err(End::from)
        })
    }

    fn options() -> Options {
        Options {
            sim: SimOptions {
                apps: vec![
                    AppSource::BuiltIn,
                    AppSource::Text {
                        name: "conform.yaml".to_owned(),
                        yaml: APP.to_owned(),
                    },
                ],
                start: Start::App(PACKAGE.to_owned()),
                ..SimOptions::default()
            },
            idle: Duration::ZERO,
            ..Options::default()
        }
    }

    fn abstract_address(name: &str) -> Result<SocketAddr> {
        SocketAddr::from_abstract_name(name)
    }

    /// Who has the slot.
    fn holder(slot: &SocketAddr) -> Result<String> {
        let stream = UnixStream::connect_addr(slot)?;
        stream.set_nonblocking(true)?;
        let pid = tokio::net::UnixStream::from_std(stream)?.peer_cred()?.pid();
        let pid = pid.unwrap_or_default();
        Ok(format!("held by {MAIN_CLASS} (pid {pid})"))
    }

    /// Accepts clients until the agent ends: only root and the shell user.
    async fn serve(socket: &tokio::net::UnixListener, agent: &Rc<AgentProcess>) -> Result<()> {
        loop {
            let (stream, _) = tokio::select! {
                () = agent.ended() => return Ok(()),
                accepted = socket.accept() => accepted?,
            };
            let uid = stream.peer_cred()?.uid();
            if [ROOT, SHELL].contains(&uid) {
                let agent = Rc::clone(agent);
                tokio::task::spawn_local(async move { agent.serve(stream).await });
            }
        }
    }

    /// Creates the folder, accessible only to its user.
    fn make_folder() -> Result<()> {
        match DirBuilder::new().mode(0o700).create(FOLDER) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        if !std::fs::symlink_metadata(FOLDER)?.is_dir() {
            return Err(Error::other(format!("{FOLDER} is not a folder")));
        }
        std::fs::set_permissions(FOLDER, Permissions::from_mode(0o700))
    }

    /// Writes the file atomically: a reader finds the whole line or none.
    fn write_state(line: &str) -> Result<()> {
        let temporary = format!("{STATE_FILE}.{}", std::process::id());
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(&temporary)?.write_all(line.as_bytes())?;
        rename(temporary, STATE_FILE)
    }

    /// Deletes the file unless a later agent has replaced it.
    fn remove_state(line: &str) -> Result<()> {
        match read_to_string(STATE_FILE) {
            Ok(found) if found == line => std::fs::remove_file(STATE_FILE),
            _ => Ok(()),
        }
    }

    /// Redirects the standard streams: the process outlives the shell that started it.
    fn close_streams() -> Result<()> {
        let mut options = File::options();
        let null = options.read(true).write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdin(&null)?;
        rustix::stdio::dup2_stdout(&null)?;
        rustix::stdio::dup2_stderr(&null)?;
        Ok(())
    }
}
