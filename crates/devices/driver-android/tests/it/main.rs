//! Drivers for phones over adb, tested on the simulated phone over the real transport.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agent;
mod agent_app;
mod agent_attach;
mod agent_conformance;
mod agent_disconnects;
mod agent_events;
mod agent_fixture;
mod agent_lost;
mod agent_phone;
mod conformance;
mod disconnects;
mod dumps;
mod fixture;
mod no_duplicate_input;
mod operator;
mod operator_disconnects;
mod probe;
mod record;
mod relay;
mod sim_phone;
mod stock;
mod test_phone;
