//! The engine on the simulated phone, in paused time.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapted;
mod after_press;
mod browser_crash;
mod by_place;
mod codes;
mod costs;
mod css;
mod deadlines;
mod documented;
mod effects;
mod faults;
mod interrupts;
mod loading;
mod over_adb;
mod pace;
mod phone;
mod phone_as_page;
mod resize;
mod scenarios;
mod secrets;
mod settled;
mod settled_page;
mod stale_refs;
mod web;
mod web_tabs;
