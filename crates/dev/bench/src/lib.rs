//! Figures of the web side: how often descriptions are understood, and how long things take beside others' tools.

pub mod browser;
pub mod gold;
pub mod inspect;
pub mod mcp;
pub mod numbers;
pub mod pages;
pub mod serve;
pub mod spoken;
pub mod suite;
pub mod tab;
pub mod web;
