//! Rejects app files whose windows always exceed the widget limit.

use super::model::App;
use crate::reader::Reader;
use crate::widget::{Kind, Source, Spec};

/// The maximum number of widgets in a window.
pub const MAX_WIDGETS: usize = 100_000;

/// Reports screens and dialogs that exceed the limit.
pub(crate) fn check(reader: &mut Reader, app: &App) {
    let screens = app.screens.iter().map(|page| ("screens", page));
    let dialogs = app.dialogs.iter().map(|page| ("dialogs", page));
    for (section, (name, page)) in screens.chain(dialogs) {
        let widgets = least(app, &page.root);
        if widgets > MAX_WIDGETS {
            let path = format!("{section}.{name}");
            let at = reader.place_of(&path);
            let message = format!(
                "its lists make {widgets} widgets, and a window holds {MAX_WIDGETS} at most: use fewer records, `limit`, or no lists in rows of lists"
            );
            reader.problem_at(at, &path, message);
        }
    }
}

/// Returns the number of widgets for any values of variables: data sets are constant, and a list without `filter` shows
/// all of them.
fn least(app: &App, spec: &Spec) -> usize {
    if spec.visible.is_some() {
        return 0;
    }
    let all = |specs: &mut dyn Iterator<Item = &Spec>| {
        specs.fold(0_usize, |sum, spec| sum.saturating_add(least(app, spec)))
    };
    let own = 1_usize.saturating_add(all(&mut spec.children.iter().map(|child| &**child)));
    let rows = match &spec.kind {
        Kind::Scroller(scroller) => match &scroller.source {
            Source::Written(rows) => all(&mut rows.iter().map(|(row, _)| &**row)),
            Source::Records {
                name,
                filter: None,
                limit,
                row,
                ..
            } => {
                let records = app.data.get(name).map_or(0, |records| records.len());
                let limit = limit.map_or(usize::MAX, |limit| limit as usize);
                records.min(limit).saturating_mul(least(app, row))
            }
            Source::Records { .. } => 0,
        },
        _ => 0,
    };
    own.saturating_add(rows)
}
