//! How a phone is set up that adb can talk to.

use std::time::Duration;

use driver_sim::SimOptions;

use super::operator::{Installable, Operator};
use crate::fault::WireStrike;

/// What the daemon of a phone of today can do, as far as this one does.
pub const FEATURES: [&str; 5] = ["shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir"];

/// Who is let in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// All clients, without authentication.
    #[default]
    Open,
    /// Clients that have one of the keys. Nobody presses Allow for others.
    Keys {
        /// The public halves, as `adbkey.pub` has them.
        known: Vec<String>,
    },
}

/// How a phone is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// The phone itself.
    pub sim: SimOptions,
    /// The port on which it listens; 0 for any.
    pub port: u16,
    /// `ro.serialno`.
    pub serial: String,
    /// `ro.product.model`.
    pub model: String,
    /// `ro.product.name`.
    pub product: String,
    /// `ro.product.device`.
    pub device: String,
    /// What its daemon can do: those of [`FEATURES`], or fewer for an older one.
    pub features: Vec<String>,
    /// Who is let in.
    pub access: Access,
    /// How many bytes its user may fill.
    pub disk: u64,
    /// How many bytes its log holds.
    pub log: usize,
    /// How long a screen must have been still before it is dumped.
    pub idle: Duration,
    /// How long a dump waits for that.
    pub idle_limit: Duration,
    /// How long it is away when it is started anew.
    pub boot: Duration,
    /// The Operator app, if the phone has it.
    pub operator: Option<Operator>,
    /// Whether the agent's app form is installed and its service switched on.
    pub runtime_app: bool,
    /// What becomes of an Operator app that is installed later; without it none can be.
    pub installable: Option<Installable>,
    /// What goes wrong on the wire from the beginning.
    pub faults: Vec<WireStrike>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            sim: SimOptions::default(),
            port: 0,
            serial: "SIM0001".to_owned(),
            model: "Simulated_phone".to_owned(),
            product: "sim_phone".to_owned(),
            device: "sim".to_owned(),
            features: FEATURES.map(str::to_owned).to_vec(),
            access: Access::Open,
            disk: 256 * 1024 * 1024,
            log: 256 * 1024,
            idle: Duration::from_millis(1000),
            idle_limit: Duration::from_secs(10),
            boot: Duration::ZERO,
            operator: None,
            runtime_app: false,
            installable: None,
            faults: Vec::new(),
        }
    }
}
