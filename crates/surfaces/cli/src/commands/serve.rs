//! `serve`: the HTTP server.

use std::sync::Arc;

use contract::ErrorBody;
use http_server::{Origin, ServeOptions, Server, Token, boxed_reply};
use serde_json::json;
use service::Roots;
use service::device_pool::{DevicePool, PoolOptions};
use tokio_util::sync::CancellationToken;

use super::folders::{AllowedDirs, SCREENSHOTS, SIM_APPS, UPLOADS};
use crate::errors::{A_PORT, invalid_value, usage};
use crate::internal_error;
use crate::output::{self, Answer};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Globals, Group, Scope, Task, flags};

flags! {
    HOST = "--host", FlagValue::Text("<address>"),
        "The address or name to listen on; one that other computers can reach requires a token [default: 127.0.0.1]";
    PORT = "--port", FlagValue::Text("<n>"),
        "The port to listen on, or any free port if 0 [default: 3000]";
    TOKEN = "--token", FlagValue::Text("<secret>"),
        "The secret that requests must send as `Authorization: Bearer`; the environment variable keeps it out of process \
        lists [env: CLAWPERATOR_TOKEN]";
    ALLOW_HOST = "--allow-host", FlagValue::Text("<names>"),
        "Allowed Host names besides localhost, comma-separated";
    ALLOW_ORIGIN = "--allow-origin", FlagValue::Text("<origin>"),
        "Allow requests from web pages of this origin, such as `http://localhost:5173`: scheme, host and port, exactly as \
        the browser sends them; repeatable. Such pages can drive the devices";
}

pub(crate) static COMMAND: Command = Command {
    name: "serve",
    group: Group::Servers,
    usage: &["serve [--host <address>] [--port <n>] [--token <secret>]"],
    summary: "Serve devices over HTTP",
    notes: &[
        "Open the server's URL in a browser to use the inspector: the screen, selectors for each node, running executions",
        "POST /execute, /snapshot, /screenshot, /inspect, /selectors; GET /devices, /events, /executions/<commandId>, \
        /healthz, /openapi.json (the description of all routes). /mcp serves the tools of `clawperator mcp` over \
        streamable HTTP",
        "Once it listens, it prints a line of JSON with `url`, `host` and `port` to standard output. On the first \
        SIGINT or SIGTERM it finishes what is running and exits; on the second it cancels it and sends the responses \
        within a second",
        "`sim#1`, `sim#2` and so on are simulated phones that keep their state while the server runs. --device sets \
        the default device",
        "By default only programs on this computer can reach it. Web pages of other sites need --allow-origin, and a \
        --host that other computers can reach needs --token",
    ],
    flags: &[FlagSet::new(
        "Options",
        &[
            &HOST,
            &PORT,
            &TOKEN,
            &ALLOW_HOST,
            &ALLOW_ORIGIN,
            &SCREENSHOTS,
            &SIM_APPS,
            &UPLOADS,
        ],
    )],
    scopes: Scope::SERVER,
    examples: &[
        "serve",
        "serve --port 0 --device sim",
        "serve --host 0.0.0.0 --allow-host phones.local",
        "serve --allow-origin http://localhost:5173",
    ],
    ..Command::new(build)
};

/// The variable that holds the token.
const TOKEN_VARIABLE: &str = "CLAWPERATOR_TOKEN";

/// The server's settings.
struct Serve {
    serve: ServeOptions,
    folders: AllowedDirs,
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let port = arguments.parsed(&PORT, A_PORT, |text| text.parse().ok())?;
    let host = match arguments.strict(&HOST)? {
        Some(host) if host.trim().is_empty() => return Err(usage("--host requires an address")),
        host => host.unwrap_or("127.0.0.1").trim().to_owned(),
    };
    let given = arguments.strict(&TOKEN)?.map(str::to_owned);
    let variable = std::env::var(TOKEN_VARIABLE).ok();
    let token = match given.or(variable.filter(|token| !token.trim().is_empty())) {
        None => None,
        Some(token) => Some(Token::new(token.trim()).ok_or_else(|| {
            usage("the token must have at least 8 characters, all visible ASCII without spaces")
        })?),
    };
    let names = arguments
        .strict(&ALLOW_HOST)?
        .unwrap_or_default()
        .split(',');
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    let mut origins = Vec::new();
    for given in arguments.all(&ALLOW_ORIGIN) {
        let text = given.filled().unwrap_or_default();
        origins.push(Origin::new(text).ok_or_else(|| {
            let expected = "one origin in lower case without a path, such as http://localhost:5173";
            usage(invalid_value(text, ALLOW_ORIGIN.name, expected))
        })?);
    }
    let globals = &arguments.globals;
    Ok(Box::new(Serve {
        serve: ServeOptions {
            host,
            port: port.unwrap_or(3000),
            token,
            names: names.map(str::to_owned).collect(),
            origins,
            via: globals.via,
            ..ServeOptions::default()
        },
        folders: AllowedDirs::from_arguments(arguments)?,
    }))
}

impl Task for Serve {
    fn run(self: Box<Self>, globals: &Globals) -> Result<Answer, ErrorBody> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(internal_error::internal)?;
        let options = self.pool_options(globals);
        let served = runtime.block_on(async move {
            let pool = DevicePool::new(options);
            let server = Server::bind(pool.clone(), self.serve).await?;
            let tools = mcp_server::Endpoint::new(pool, server.shutdown());
            let server = server.mount(
                "/mcp",
                Arc::new(move |request| {
                    let tools = tools.clone();
                    Box::pin(async move { boxed_reply(tools.answer(request).await) })
                }),
            );
            let (stop, now) = (CancellationToken::new(), CancellationToken::new());
            let mut signals = Signals::listen().map_err(internal_error::internal)?;
            let tokens = (stop.clone(), now.clone());
            tokio::spawn(async move {
                signals.next().await;
                output::print_notice("stopping after the running requests finish");
                tokens.0.cancel();
                signals.next().await;
                tokens.1.cancel();
            });
            announce(&server);
            server.serve(stop, now).await;
            Ok(Answer::Done)
        });
        // Does not wait for a device that hangs.
        runtime.shutdown_background();
        served
    }
}

impl Serve {
    fn pool_options(&self, globals: &Globals) -> PoolOptions {
        PoolOptions {
            // Roots of HTTP clients grant no access.
            service: self.folders.options(globals, &Roots::default()),
            device: globals.device.clone(),
            ..PoolOptions::default()
        }
    }
}

/// Prints the server's address, for people and for programs.
fn announce(server: &Server) {
    let url = server.url();
    tracing::info!(
        name: "server.listening",
        target: service::log::TARGET,
        url = url.as_str(),
        "the server listens"
    );
    output::warn(&format!("Clawperator API server listening on {url}"));
    let address = server.address();
    let line = json!({
        "ok": true,
        "url": url,
        "host": address.ip().to_string(),
        "port": address.port(),
    });
    let mut out = std::io::stdout().lock();
    // The server works without a reader of this line.
    let _ = std::io::Write::write_all(&mut out, format!("{line}\n").as_bytes())
        .and_then(|()| std::io::Write::flush(&mut out));
}

/// SIGINT and SIGTERM.
struct Signals {
    terminated: tokio::signal::unix::Signal,
    interrupted: tokio::signal::unix::Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            terminated: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?,
            interrupted: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) {
        std::future::poll_fn(|cx| {
            if self.terminated.poll_recv(cx).is_ready() || self.interrupted.poll_recv(cx).is_ready()
            {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        })
        .await;
    }
}
