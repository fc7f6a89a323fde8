//! Measures the web side: how many descriptions are understood, and how fast it is compared with other tools.

pub mod browser;
pub mod gold;
pub mod inspect;
pub mod mcp;
pub mod mcp_server;
pub mod node;
pub mod numbers;
pub mod pages;
mod phone_screens;
pub mod serve;
pub mod suite;
pub mod tab;
pub mod tasks;
pub mod tokenizer;
pub mod views;
pub mod web;
