//! Options of a simulated phone that adb can reach.

use std::time::Duration;

use driver_sim::SimOptions;

use super::operator::{Installable, Operator};
use crate::fault::WireFaultSpec;

pub const FEATURES: [&str; 5] = ["shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// All clients, without authentication.
    #[default]
    Open,
    /// Clients that have one of the keys. The prompt for other keys is never accepted.
    Keys {
        /// The public halves, as `adbkey.pub` has them.
        known: Vec<String>,
    },
}

#[derive(Clone, Debug)]
pub struct Options {
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
    /// The features of its daemon: [`FEATURES`], or fewer for an older one.
    pub features: Vec<String>,
    pub access: Access,
    /// How long a screen must be idle before it is dumped.
    pub idle: Duration,
    /// How long a dump waits for that.
    pub idle_limit: Duration,
    pub operator: Option<Operator>,
    /// Whether the agent's app form is installed and its service enabled.
    pub runtime_app: bool,
    /// Creates an Operator app that is installed later; without it none can be installed.
    pub installable: Option<Installable>,
    pub faults: Vec<WireFaultSpec>,
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
            idle: Duration::from_millis(1000),
            idle_limit: Duration::from_secs(10),
            operator: None,
            runtime_app: false,
            installable: None,
            faults: Vec::new(),
        }
    }
}
