//! Behaviour of the simulated phone, seen through its driver and past it.

mod animation;
mod chaos;
mod determinism;
mod draw;
mod faults;
mod faults_together;
mod fling;
mod format;
mod import;
mod journal;
mod menus;
mod navigation;
mod recording;
mod rotation;
mod scrolling;
mod settings;
mod shade;
mod split;
mod system;
mod text;
mod time;
mod touch;
mod widgets;
mod windows;
mod world;
