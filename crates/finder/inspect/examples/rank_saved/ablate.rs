//! Leaves out each group of synonyms in turn, and counts the right first answers that depend on it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use inspect::find::{self, Request};

use crate::{Failure, figures::Outcome, saved::Screen};

/// What one group does to the answers of each folder: right answers that it makes, less those that it spoils.
struct Effect {
    group: u16,
    worth: Vec<i32>,
}

/// Prints a table by file, then a row for each group with a phrase in a description.
pub(crate) fn ablate(folders: &[PathBuf]) -> Result<(), Failure> {
    let mut effects: BTreeMap<u16, Effect> = BTreeMap::new();
    for (at, folder) in folders.iter().enumerate() {
        for screen in Screen::all(folder)? {
            for case in &screen.cases {
                let request = Request::described(&*case.query);
                let right = |found| i32::from(Outcome::of(case, &found).first);
                let with = right(find::find(&screen.subject, &request)?);
                for group in find::synonym_groups_in(&case.query) {
                    let without = find::find_with_evidence(&screen.subject, &request, Some(group))?;
                    let without = right(without.0);
                    let effect = effects.entry(group).or_insert_with(|| Effect {
                        group,
                        worth: vec![0; folders.len()],
                    });
                    if let Some(worth) = effect.worth.get_mut(at) {
                        *worth += with - without;
                    }
                }
            }
        }
    }
    print(folders, &effects.into_values().collect::<Vec<_>>());
    Ok(())
}

fn print(folders: &[PathBuf], effects: &[Effect]) {
    let groups = find::synonym_groups();
    let mut files: BTreeMap<&str, (usize, Vec<i32>)> = BTreeMap::new();
    for (file, _) in &groups {
        let empty = || (0, vec![0; folders.len()]);
        files.entry(file).or_insert_with(empty).0 += 1;
    }
    for effect in effects {
        if let Some((file, _)) = groups.get(usize::from(effect.group)) {
            let (_, sums) = files.entry(file).or_default();
            for (sum, worth) in sums.iter_mut().zip(&effect.worth) {
                *sum += worth;
            }
        }
    }
    for folder in folders {
        println!("{}", folder.display());
    }
    for (file, (count, worth)) in files {
        println!("{} {file}: {count} groups", columns(&worth));
    }
    for effect in effects {
        if let Some((file, line)) = groups.get(usize::from(effect.group)) {
            let said: String = line.chars().take(48).collect();
            println!("{} {file} {said}", columns(&effect.worth));
        }
    }
}

fn columns(worth: &[i32]) -> String {
    worth.iter().map(|worth| format!("{worth:>+4}")).collect()
}
