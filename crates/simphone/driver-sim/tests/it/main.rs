//! Behaviour of the simulated phone, seen through its driver and past it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod animation;
mod bounds;
mod chaos;
mod chat;
mod config;
mod conformance;
mod determinism;
mod editing;
mod faults;
mod fling;
mod focus;
mod format;
mod forms;
mod gallery;
mod import;
mod journal;
mod kernel_input;
mod language;
mod mail;
mod maps;
mod menus;
mod navigation;
mod places;
mod recording;
mod rotation;
mod scrolling;
mod settings;
mod shade;
mod system;
mod text;
mod text_scripts;
mod time;
mod touch;
mod transitions;
mod widgets;
mod windows;
mod world;
