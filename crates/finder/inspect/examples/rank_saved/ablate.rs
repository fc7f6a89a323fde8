//! Leaves out each group of synonyms in turn, and counts the right first answers that depend on it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use inspect::find::{self, Request};

use crate::{Failure, figures::Outcome, saved::Screen};

/// For each group, the right answers that it makes in each folder, less those that it spoils.
type Worth = BTreeMap<u16, Vec<i32>>;

/// Prints a table by file, then a row for each group with a phrase in a description.
pub(crate) fn ablate(folders: &[PathBuf]) -> Result<(), Failure> {
    let mut worth = Worth::new();
    for (at, folder) in folders.iter().enumerate() {
        for screen in Screen::all(folder)? {
            for case in &screen.cases {
                let request = Request::described(&*case.query);
                let right = |found| i32::from(Outcome::of(case, &found).first);
                let with = right(find::find(&screen.subject, &request)?);
                for group in find::synonym_groups_in(&case.query) {
                    let without = find::find_with_evidence(&screen.subject, &request, Some(group))?;
                    let of_group = worth.entry(group).or_insert_with(|| vec![0; folders.len()]);
                    if let Some(of_folder) = of_group.get_mut(at) {
                        *of_folder += with - right(without.0);
                    }
                }
            }
        }
    }
    print(folders, &worth);
    Ok(())
}

fn print(folders: &[PathBuf], worth: &Worth) {
    let mut files: BTreeMap<&str, (usize, Vec<i32>)> = BTreeMap::new();
    let mut rows = String::new();
    for (group, (file, line)) in (0..).zip(find::synonym_groups()) {
        let empty = || (0, vec![0; folders.len()]);
        let (count, sums) = files.entry(file).or_insert_with(empty);
        *count += 1;
        let Some(worth) = worth.get(&group) else {
            continue;
        };
        for (sum, worth) in sums.iter_mut().zip(worth) {
            *sum += worth;
        }
        let said: String = line.chars().take(48).collect();
        rows += &format!("{} {file} {said}\n", columns(worth));
    }
    for folder in folders {
        println!("{}", folder.display());
    }
    for (file, (count, worth)) in files {
        println!("{} {file}: {count} groups", columns(&worth));
    }
    print!("{rows}");
}

fn columns(worth: &[i32]) -> String {
    worth.iter().map(|worth| format!("{worth:>+4}")).collect()
}
