//! Behaviour of the simulated phone, seen through its driver and past it.

mod chaos;
mod determinism;
mod draw;
mod fling;
mod format;
mod navigation;
mod recording;
mod scrolling;
mod settings;
mod text;
mod time;
mod widgets;
mod windows;
mod world;
