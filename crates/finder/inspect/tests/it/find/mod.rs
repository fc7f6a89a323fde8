//! Descriptions and the elements that they find.

mod always;
mod belongs;
mod deeds;
mod drawings;
mod equals;
mod page;
mod people;
mod phones;
mod places;
mod relations;
mod requests;
mod rows;
mod sayings;
mod software;
mod standing;
mod verdicts;
mod words;
