//! From a description to the element that is meant.

mod always;
mod deeds;
mod equals;
mod page;
mod people;
mod phones;
mod places;
mod requests;
mod standing;
mod verdicts;
mod words;
