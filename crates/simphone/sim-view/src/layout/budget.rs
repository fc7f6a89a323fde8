//! How much may be in a window: an app that asks for millions of widgets gets the first of them, not a phone that
//! hangs.

use sim_format::app::MAX_WIDGETS as WIDGETS;

/// How many widgets may be made while a window is laid out: a list that is as high as its rows makes them once to know
/// how high that is.
const MADE: usize = 4 * WIDGETS;

/// How many records the lists of a window may look through: rows that a filter leaves out cost time too.
const RECORDS: usize = 2_000_000;

/// What is left of these while a window is laid out.
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
    /// How many widgets may still be in the window.
    pub const fn left(&self) -> usize {
        self.widgets
    }

    /// Counts widgets that were made just now; what asks for more than there may be has been cut.
    pub const fn make(&mut self, widgets: usize) {
        self.spend(widgets);
        self.made = self.made.saturating_sub(widgets);
    }

    /// Gives back what was spent since `before`: it was only measured, and is nowhere yet.
    pub const fn measured(&mut self, before: Self) {
        self.widgets = before.widgets;
    }

    /// Counts widgets that are in the window.
    pub const fn spend(&mut self, widgets: usize) {
        self.cut |= widgets > self.widgets;
        self.widgets = self.widgets.saturating_sub(widgets);
    }

    /// Whether a row may still be made; that it may not is remembered.
    pub(crate) const fn allows_row(&mut self) -> bool {
        let allowed = self.widgets > 0 && self.made > 0;
        self.cut |= !allowed;
        allowed
    }

    /// Takes so many records that are looked through; whether there were as many.
    pub const fn read(&mut self, records: usize) -> bool {
        self.cut |= records > self.records;
        let enough = records <= self.records;
        self.records = self.records.saturating_sub(records);
        enough
    }

    /// Whether something was left out.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_cut_when_more_is_asked_for_than_there_is() {
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
    fn measuring_is_given_back_but_not_for_ever() {
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
