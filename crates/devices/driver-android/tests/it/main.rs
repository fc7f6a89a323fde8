//! Drivers for phones over adb, tested on the simulated phone over the real transport.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agent;
mod agent_app;
mod agent_attach;
mod agent_conformance;
mod agent_cuts;
mod agent_events;
mod agent_lost;
mod agent_world;
mod conformance;
mod cuts;
mod dumps;
mod once;
mod operator;
mod operator_cuts;
mod probe;
mod record;
mod sim_phone;
mod stock;
mod world;
