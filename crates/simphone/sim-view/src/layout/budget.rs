//! Limits on the widgets and records of a window, so that an app with too many does not block the phone.

use sim_format::app::MAX_WIDGETS as WIDGETS;

/// The maximum number of widgets created during a layout; some rows are created twice, once to measure them.
const MADE: usize = 4 * WIDGETS;

/// The maximum number of records that the lists of a window read, including filtered ones.
const RECORDS: usize = 2_000_000;

#[derive(Clone, Copy, Debug)]
pub struct Budget {
    widgets: usize,
    made: usize,
    records: usize,
    cut: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            widgets: WIDGETS,
            made: MADE,
            records: RECORDS,
            cut: false,
        }
    }
}

impl Budget {
    /// Returns the number of widgets that may be added to the window.
    pub const fn left(&self) -> usize {
        self.widgets
    }

    /// Counts created widgets; exceeding the limit marks the layout as cut.
    pub const fn make(&mut self, widgets: usize) {
        self.spend(widgets);
        self.made = self.made.saturating_sub(widgets);
    }

    /// Refunds the widgets spent since `before`, which were only measured.
    pub const fn measured(&mut self, before: Self) {
        self.widgets = before.widgets;
    }

    /// Counts widgets that were added to the window.
    pub const fn spend(&mut self, widgets: usize) {
        self.cut |= widgets > self.widgets;
        self.widgets = self.widgets.saturating_sub(widgets);
    }

    /// Whether another row may be created; if not, marks the layout as cut.
    pub(crate) const fn allows_row(&mut self) -> bool {
        let allowed = self.widgets > 0 && self.made > 0;
        self.cut |= !allowed;
        allowed
    }

    /// Counts records that are read; returns false if they exceed the limit.
    pub const fn read(&mut self, records: usize) -> bool {
        self.cut |= records > self.records;
        let enough = records <= self.records;
        self.records = self.records.saturating_sub(records);
        enough
    }

    /// Whether widgets or records were left out.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_is_cut_when_it_is_exceeded() {
        let mut budget = Budget::default();
        budget.spend(WIDGETS);
        assert!(!budget.is_cut());
        assert!(!budget.allows_row() && budget.is_cut());
        let mut budget = Budget::default();
        assert!(budget.read(RECORDS) && !budget.is_cut());
        assert!(!budget.read(1) && budget.is_cut());
        let mut budget = Budget::default();
        budget.spend(WIDGETS + 1);
        assert!(budget.is_cut() && budget.left() == 0);
    }

    #[test]
    fn measured_widgets_are_refunded_up_to_a_limit() {
        let mut budget = Budget::default();
        for _ in 0..4 {
            assert!(budget.allows_row());
            let before = budget;
            budget.make(WIDGETS);
            budget.measured(before);
            assert_eq!(budget.left(), WIDGETS);
        }
        assert!(!budget.allows_row() && budget.is_cut());
    }
}
