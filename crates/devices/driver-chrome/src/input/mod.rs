//! Input as a user gives it: aimed at elements, taken by the browser as events of its own.

mod ask;
mod element;
mod fault;
mod hand;
mod keys;

pub(crate) use ask::{
    Asking, Element, Instead, Worlds, behind, on_its_way, stopped, waits_for_page,
};
pub(crate) use element::{Goal, Length, Mode, Press};
pub(crate) use fault::{not_sent, of_act, of_standing};
pub(crate) use hand::Place;
pub(crate) use keys::{Meaning, meaning};

#[cfg(test)]
mod tests;
