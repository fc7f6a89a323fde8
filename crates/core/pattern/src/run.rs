//! Matches text with a backtracking interpreter.

use crate::compile::{CharTest, Direction, Instruction, Program};
use crate::set;

/// Maximum number of stack entries: 64 MiB.
const MAX_STACK: usize = 1 << 21;

/// Remaining steps of a match.
#[derive(Clone, Debug)]
pub struct Budget {
    steps: u32,
}

impl Budget {
    /// A budget of `steps`.
    pub const fn new(steps: u32) -> Self {
        Self { steps }
    }

    fn spend(&mut self) -> Result<(), BudgetSpent> {
        self.steps = self.steps.checked_sub(1).ok_or(BudgetSpent)?;
        Ok(())
    }
}

/// The budget or the stack was exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern takes too many steps on this text")]
pub struct BudgetSpent;

/// Whether `program` matches the whole of `text`.
pub(crate) fn matches_whole(
    program: &Program,
    text: &str,
    budget: &mut Budget,
) -> Result<bool, BudgetSpent> {
    let mut machine = Machine {
        program,
        text,
        budget,
        ends: vec![None; 2 * program.groups],
        loops: vec![Loop::default(); program.loops],
        stack: Vec::new(),
    };
    machine.run(0, 0, Direction::Forward, Goal::EndOfText)
}

/// Required end of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Anywhere,
    EndOfText,
}

#[derive(Clone, Copy, Debug, Default)]
struct Loop {
    /// Repetitions so far.
    count: usize,
    /// Start of the last one.
    start: usize,
}

/// Undo entries, the last first.
enum Entry {
    /// Continue at another address.
    Continue { at: usize, position: usize },
    /// Give back a character of a greedy run, down to `least`.
    GiveBack {
        at: usize,
        least: usize,
        position: usize,
    },
    /// Take another character for a lazy run.
    TakeMore {
        at: usize,
        position: usize,
        left: usize,
    },
    /// Restore an end of a group.
    RestoreEnd { end: usize, position: Option<usize> },
    /// Restore a loop.
    RestoreLoop { counter: usize, state: Loop },
}

struct Machine<'a> {
    program: &'a Program,
    text: &'a str,
    budget: &'a mut Budget,
    /// Ends of groups. A group with both has a capture.
    ends: Vec<Option<usize>>,
    loops: Vec<Loop>,
    stack: Vec<Entry>,
}

impl Machine<'_> {
    /// Whether the program matches from instruction `at`. On success the undo entries stay.
    fn run(
        &mut self,
        mut at: usize,
        mut position: usize,
        direction: Direction,
        goal: Goal,
    ) -> Result<bool, BudgetSpent> {
        let base = self.stack.len();
        let program = self.program;
        loop {
            self.budget.spend()?;
            let next = match &program.instructions[at] {
                Instruction::Match => {
                    if goal == Goal::Anywhere || position == self.text.len() {
                        return Ok(true);
                    }
                    None
                }
                Instruction::CharTest(one) => self
                    .read(one, position, direction)
                    .map(|after| (at + 1, after)),
                Instruction::Run {
                    one,
                    min,
                    max,
                    greedy,
                } => self
                    .start_run(at, one, (*min, *max), *greedy, position, direction)?
                    .map(|after| (at + 1, after)),
                Instruction::Jump(to) => Some((*to, position)),
                Instruction::Split(other) => {
                    self.push(Entry::Continue {
                        at: *other,
                        position,
                    })?;
                    Some((at + 1, position))
                }
                Instruction::Store(end) => {
                    self.store(*end, Some(position))?;
                    Some((at + 1, position))
                }
                Instruction::Forget(groups) => {
                    for end in 2 * groups.start..2 * groups.end {
                        self.budget.spend()?;
                        self.store(end, None)?;
                    }
                    Some((at + 1, position))
                }
                Instruction::BackReference {
                    groups,
                    ignores_case,
                } => self
                    .repeat_capture(groups, *ignores_case, position, direction)?
                    .map(|after| (at + 1, after)),
                Instruction::Start { multiline } => {
                    let is_met = self
                        .before(position)
                        .is_none_or(|c| *multiline && set::is_line_end(c));
                    is_met.then_some((at + 1, position))
                }
                Instruction::End { multiline } => {
                    let is_met = self
                        .after(position)
                        .is_none_or(|c| *multiline && set::is_line_end(c));
                    is_met.then_some((at + 1, position))
                }
                Instruction::WordBoundary { inverted } => {
                    let before = self.before(position).is_some_and(set::is_word);
                    let after = self.after(position).is_some_and(set::is_word);
                    ((before != after) != *inverted).then_some((at + 1, position))
                }
                Instruction::Look {
                    direction,
                    negated,
                    next,
                } => {
                    let found = self.look(at + 1, position, *direction, *negated)?;
                    (found != *negated).then_some((*next, position))
                }
                Instruction::EnterLoop(counter) => {
                    let start = Loop {
                        count: 0,
                        start: position,
                    };
                    self.set_loop(*counter, start)?;
                    Some((at + 1, position))
                }
                Instruction::NextRepetition {
                    counter,
                    min,
                    max,
                    greedy,
                    exit,
                } => {
                    let Loop { count, start } = self.loops[*counter];
                    if count > *min && start == position {
                        // Repetitions beyond the minimum must not be empty.
                        None
                    } else if count < *min {
                        Some((at + 1, position))
                    } else if count >= *max {
                        Some((*exit, position))
                    } else {
                        let (first, second) = if *greedy {
                            (at + 1, *exit)
                        } else {
                            (*exit, at + 1)
                        };
                        self.push(Entry::Continue {
                            at: second,
                            position,
                        })?;
                        Some((first, position))
                    }
                }
                Instruction::Repeat(counter) => {
                    let count = self.loops[*counter].count + 1;
                    let start = position;
                    self.set_loop(*counter, Loop { count, start })?;
                    Some((at + 1, position))
                }
            };
            let next = match next {
                Some(next) => Some(next),
                None => self.go_back(base, direction)?,
            };
            match next {
                Some(next) => (at, position) = next,
                None => return Ok(false),
            }
        }
    }

    /// Undoes up to the last choice and takes the next one.
    fn go_back(
        &mut self,
        base: usize,
        direction: Direction,
    ) -> Result<Option<(usize, usize)>, BudgetSpent> {
        let program = self.program;
        while self.stack.len() > base {
            self.budget.spend()?;
            match self.stack.pop() {
                Some(Entry::Continue { at, position }) => return Ok(Some((at, position))),
                Some(Entry::GiveBack {
                    at,
                    least,
                    position,
                }) => {
                    let shorter = match direction {
                        Direction::Forward => {
                            self.before(position).map(|c| position - c.len_utf8())
                        }
                        Direction::Backward => {
                            self.after(position).map(|c| position + c.len_utf8())
                        }
                    };
                    let Some(position) = shorter else { continue };
                    if position != least {
                        self.push(Entry::GiveBack {
                            at,
                            least,
                            position,
                        })?;
                    }
                    return Ok(Some((at + 1, position)));
                }
                Some(Entry::TakeMore { at, position, left }) => {
                    let Instruction::Run { one, .. } = &program.instructions[at] else {
                        continue;
                    };
                    let Some(position) = self.read(one, position, direction) else {
                        continue;
                    };
                    if left > 1 {
                        let left = left - 1;
                        self.push(Entry::TakeMore { at, position, left })?;
                    }
                    return Ok(Some((at + 1, position)));
                }
                Some(Entry::RestoreEnd { end, position }) => self.ends[end] = position,
                Some(Entry::RestoreLoop { counter, state }) => self.loops[counter] = state,
                None => {}
            }
        }
        Ok(None)
    }

    /// Matches the body of a look-around. Captures of a positive one stay.
    fn look(
        &mut self,
        at: usize,
        position: usize,
        direction: Direction,
        negated: bool,
    ) -> Result<bool, BudgetSpent> {
        let base = self.stack.len();
        let found = self.run(at, position, direction, Goal::Anywhere)?;
        if negated {
            while self.stack.len() > base {
                match self.stack.pop() {
                    Some(Entry::RestoreEnd { end, position }) => self.ends[end] = position,
                    Some(Entry::RestoreLoop { counter, state }) => self.loops[counter] = state,
                    _ => {}
                }
            }
        } else {
            // Choices inside are dropped; restoring entries stay.
            let restores = |entry: &Entry| {
                matches!(entry, Entry::RestoreEnd { .. } | Entry::RestoreLoop { .. })
            };
            let kept: Vec<Entry> = self.stack.drain(base..).filter(restores).collect();
            self.stack.extend(kept);
        }
        Ok(found)
    }

    /// Reads a run, and returns the position after its first choice of length.
    fn start_run(
        &mut self,
        at: usize,
        one: &CharTest,
        (min, max): (usize, usize),
        greedy: bool,
        mut position: usize,
        direction: Direction,
    ) -> Result<Option<usize>, BudgetSpent> {
        for _ in 0..min {
            self.budget.spend()?;
            match self.read(one, position, direction) {
                Some(after) => position = after,
                None => return Ok(None),
            }
        }
        let left = max - min;
        if !greedy {
            if left > 0 {
                self.push(Entry::TakeMore { at, position, left })?;
            }
            return Ok(Some(position));
        }
        let least = position;
        for _ in 0..left {
            self.budget.spend()?;
            match self.read(one, position, direction) {
                Some(after) => position = after,
                None => break,
            }
        }
        if position != least {
            self.push(Entry::GiveBack {
                at,
                least,
                position,
            })?;
        }
        Ok(Some(position))
    }

    /// Matches a capture of the groups; without one the empty text.
    fn repeat_capture(
        &mut self,
        groups: &[usize],
        ignores_case: bool,
        mut position: usize,
        direction: Direction,
    ) -> Result<Option<usize>, BudgetSpent> {
        let captured = groups.iter().find_map(|group| {
            let start = self.ends[2 * group]?;
            let end = self.ends[2 * group + 1]?;
            self.text.get(start..end)
        });
        let mut expected = captured.unwrap_or_default().chars();
        loop {
            self.budget.spend()?;
            let (expected, found) = match direction {
                Direction::Forward => (expected.next(), self.after(position)),
                Direction::Backward => (expected.next_back(), self.before(position)),
            };
            let Some(expected) = expected else {
                return Ok(Some(position));
            };
            let same = |found: char| {
                found == expected || ignores_case && set::fold(found) == set::fold(expected)
            };
            let Some(found) = found.filter(|found| same(*found)) else {
                return Ok(None);
            };
            position = step(position, found, direction);
        }
    }

    /// Position after the character at `position`, if `one` matches it.
    fn read(&self, one: &CharTest, position: usize, direction: Direction) -> Option<usize> {
        let c = match direction {
            Direction::Forward => self.after(position),
            Direction::Backward => self.before(position),
        }?;
        let fits = match one {
            CharTest::Char(expected) => *expected == c,
            CharTest::Set(set) => set.holds(c),
            CharTest::Never => false,
        };
        fits.then(|| step(position, c, direction))
    }

    fn before(&self, position: usize) -> Option<char> {
        self.text.get(..position)?.chars().next_back()
    }

    fn after(&self, position: usize) -> Option<char> {
        self.text.get(position..)?.chars().next()
    }

    fn push(&mut self, entry: Entry) -> Result<(), BudgetSpent> {
        if self.stack.len() == MAX_STACK {
            return Err(BudgetSpent);
        }
        self.stack.push(entry);
        Ok(())
    }

    fn store(&mut self, end: usize, position: Option<usize>) -> Result<(), BudgetSpent> {
        let position = std::mem::replace(&mut self.ends[end], position);
        self.push(Entry::RestoreEnd { end, position })
    }

    fn set_loop(&mut self, counter: usize, state: Loop) -> Result<(), BudgetSpent> {
        let state = std::mem::replace(&mut self.loops[counter], state);
        self.push(Entry::RestoreLoop { counter, state })
    }
}

fn step(position: usize, c: char, direction: Direction) -> usize {
    match direction {
        Direction::Forward => position + c.len_utf8(),
        Direction::Backward => position - c.len_utf8(),
    }
}
