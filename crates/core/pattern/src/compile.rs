//! Compiles the tree of a pattern to a program.

use std::ops::Range;

use crate::parse::{Node, Tree};
use crate::set::Set;

/// Reading direction; look-behind reads backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// A test of one character.
#[derive(Clone, Debug)]
pub(crate) enum CharTest {
    Char(char),
    Set(Set),
    /// Half of a surrogate pair, which never matches.
    Never,
}

#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    /// End of the pattern or of a look-around body.
    Match,
    CharTest(CharTest),
    /// The same test between `min` and `max` times.
    Run {
        one: CharTest,
        min: usize,
        max: usize,
        greedy: bool,
    },
    Jump(usize),
    /// Continue here, and at the other address on failure.
    Split(usize),
    /// Store the position as an end of a group: 2g is the start, 2g + 1 the end.
    Store(usize),
    /// Clear these groups.
    Forget(Range<usize>),
    BackReference {
        groups: Vec<usize>,
        ignores_case: bool,
    },
    Start {
        multiline: bool,
    },
    End {
        multiline: bool,
    },
    WordBoundary {
        inverted: bool,
    },
    /// Match up to the next `Match` without moving, then continue at `next`.
    Look {
        direction: Direction,
        negated: bool,
        next: usize,
    },
    /// Start a loop.
    EnterLoop(usize),
    /// Repeat or leave.
    NextRepetition {
        counter: usize,
        min: usize,
        max: usize,
        greedy: bool,
        exit: usize,
    },
    /// Count a repetition.
    Repeat(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) instructions: Vec<Instruction>,
    /// Number of capturing groups.
    pub(crate) groups: usize,
    /// Number of counted loops.
    pub(crate) loops: usize,
}

/// Compiles a pattern.
pub(crate) fn compile(tree: &Tree) -> Program {
    let mut program = Program {
        instructions: Vec::new(),
        groups: tree.groups,
        loops: 0,
    };
    program.add(&tree.root, Direction::Forward);
    program.instructions.push(Instruction::Match);
    program
}

impl Program {
    fn push(&mut self, instruction: Instruction) -> usize {
        self.instructions.push(instruction);
        self.instructions.len() - 1
    }

    fn add(&mut self, node: &Node, direction: Direction) {
        if let Some(one) = char_test(node) {
            self.push(Instruction::CharTest(one));
            return;
        }
        match node {
            // Both were added as one character.
            Node::Empty | Node::Char(_) | Node::Set(_) => {}
            Node::Sequence(nodes) => match direction {
                Direction::Forward => nodes.iter().for_each(|node| self.add(node, direction)),
                Direction::Backward => {
                    nodes
                        .iter()
                        .rev()
                        .for_each(|node| self.add(node, direction));
                }
            },
            Node::Choice(options) => self.add_choice(options, direction),
            Node::Capture { group, body } => {
                let (first, second) = match direction {
                    Direction::Forward => (2 * group, 2 * group + 1),
                    Direction::Backward => (2 * group + 1, 2 * group),
                };
                self.push(Instruction::Store(first));
                self.add(body, direction);
                self.push(Instruction::Store(second));
            }
            Node::BackReference {
                groups,
                ignores_case,
            } => {
                self.push(Instruction::BackReference {
                    groups: groups.clone(),
                    ignores_case: *ignores_case,
                });
            }
            Node::Start { multiline } => {
                self.push(Instruction::Start {
                    multiline: *multiline,
                });
            }
            Node::End { multiline } => {
                self.push(Instruction::End {
                    multiline: *multiline,
                });
            }
            Node::WordBoundary { inverted } => {
                self.push(Instruction::WordBoundary {
                    inverted: *inverted,
                });
            }
            Node::Look {
                behind,
                negated,
                body,
            } => {
                let look = self.instructions.len();
                let direction = if *behind {
                    Direction::Backward
                } else {
                    Direction::Forward
                };
                self.push(Instruction::Look {
                    direction,
                    negated: *negated,
                    next: look,
                });
                self.add(body, direction);
                self.push(Instruction::Match);
                let after = self.instructions.len();
                if let Instruction::Look { next, .. } = &mut self.instructions[look] {
                    *next = after;
                }
            }
            Node::Repeat {
                body,
                min,
                max,
                greedy,
                groups,
            } => {
                let max = max.unwrap_or(usize::MAX);
                match char_test(body) {
                    Some(one) => {
                        self.push(Instruction::Run {
                            one,
                            min: *min,
                            max,
                            greedy: *greedy,
                        });
                    }
                    None => self.add_loop(body, *min, max, *greedy, groups, direction),
                }
            }
        }
    }

    fn add_choice(&mut self, options: &[Node], direction: Direction) {
        let mut jumps = Vec::new();
        for (index, option) in options.iter().enumerate() {
            let last = index + 1 == options.len();
            let split = (!last).then(|| self.push(Instruction::Split(0)));
            self.add(option, direction);
            if let Some(split) = split {
                jumps.push(self.push(Instruction::Jump(0)));
                self.instructions[split] = Instruction::Split(self.instructions.len());
            }
        }
        for jump in jumps {
            self.instructions[jump] = Instruction::Jump(self.instructions.len());
        }
    }

    fn add_loop(
        &mut self,
        body: &Node,
        min: usize,
        max: usize,
        greedy: bool,
        groups: &Range<usize>,
        direction: Direction,
    ) {
        let counter = self.loops;
        self.loops += 1;
        self.push(Instruction::EnterLoop(counter));
        let next = self.push(Instruction::Jump(0));
        self.push(Instruction::Repeat(counter));
        if !groups.is_empty() {
            self.push(Instruction::Forget(groups.clone()));
        }
        self.add(body, direction);
        self.push(Instruction::Jump(next));
        self.instructions[next] = Instruction::NextRepetition {
            counter,
            min,
            max,
            greedy,
            exit: self.instructions.len(),
        };
    }
}

/// Test for a node of one character.
fn char_test(node: &Node) -> Option<CharTest> {
    match node {
        Node::Char(c) => Some(char::from_u32(*c).map_or(CharTest::Never, CharTest::Char)),
        Node::Set(set) => Some(CharTest::Set(set.clone())),
        _ => None,
    }
}
