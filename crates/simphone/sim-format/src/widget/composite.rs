//! Dispatches widgets that expand to several others.

use crate::reader::Reader;

use super::read::Body;
use super::{Spec, canvas, choice, dropdown, item, pages, small};

/// Reads a composite widget; `None` for any other kind.
pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Option<Spec> {
    Some(match body.name {
        "item" => item::read(reader, body, slot),
        "chip" => choice::chip(reader, body, slot),
        "chips" => choice::chips(reader, body, slot),
        "radio_group" => choice::radio_group(reader, body, slot),
        "spinner" => dropdown::spinner(reader, body, slot),
        "badge" => small::badge(reader, body, slot),
        "divider" => small::divider(slot),
        "avatar" => small::avatar(reader, body, slot),
        "fab" => small::fab(reader, body, slot),
        "tabs" => pages::tabs(reader, body, slot),
        "pager" => pages::pager(reader, body, slot),
        "bottom_navigation" => pages::navigation(reader, body, slot),
        "canvas" => canvas::canvas(reader, body, slot),
        "web" => canvas::web(reader, body, slot),
        _ => return None,
    })
}
