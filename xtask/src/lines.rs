//! The sizes of the folders, compared with ARCHITECTURE.md.

use std::path::Path;

/// Lines of Rust by folder below `crates`, tests included.
fn count(root: &Path, files: &[String]) -> Result<Vec<(String, usize)>, String> {
    let mut folders: Vec<(String, usize)> = Vec::new();
    for file in files {
        let Some((folder, _)) = file
            .strip_prefix("crates/")
            .filter(|rest| rest.ends_with(".rs"))
            .and_then(|rest| rest.split_once('/'))
        else {
            continue;
        };
        let text = std::fs::read_to_string(root.join(file))
            .map_err(|error| format!("lines: {file}: {error}"))?;
        let lines = text.lines().count();
        match folders.iter_mut().find(|(name, _)| name == folder) {
            Some((_, sum)) => *sum += lines,
            None => folders.push((folder.to_owned(), lines)),
        }
    }
    Ok(folders)
}

/// Prints the size of each folder.
pub(crate) fn print(root: &Path, files: &[String]) -> Vec<String> {
    match count(root, files) {
        Ok(folders) => {
            for (folder, lines) in folders {
                println!("{folder:10} {lines:>7}");
            }
            Vec::new()
        }
        Err(problem) => vec![problem],
    }
}

/// Every folder whose size in ARCHITECTURE.md is missing or off by more than a tenth.
pub(crate) fn check(root: &Path, files: &[String]) -> Vec<String> {
    let folders = match count(root, files) {
        Ok(folders) => folders,
        Err(problem) => return vec![problem],
    };
    let page = match std::fs::read_to_string(root.join("ARCHITECTURE.md")) {
        Ok(page) => page,
        Err(error) => return vec![format!("lines: ARCHITECTURE.md: {error}")],
    };
    folders
        .iter()
        .filter_map(|(folder, lines)| match stated(&page, folder) {
            Some(stated) if stated.abs_diff(*lines) * 10 <= *lines => None,
            Some(stated) => Some(format!(
                "lines: ARCHITECTURE.md says that {folder} has {stated} lines; it has {lines}"
            )),
            None => Some(format!(
                "lines: ARCHITECTURE.md does not say how many lines {folder} has"
            )),
        })
        .collect()
}

/// The last cell of a folder's row, as a number.
fn stated(page: &str, folder: &str) -> Option<usize> {
    let start = format!("| `{folder}/` |");
    let row = page.lines().find(|line| line.starts_with(&start))?;
    let cell = row.trim_end_matches('|').rsplit('|').next()?;
    cell.trim().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_cell_of_a_row_is_a_number() {
        let page = "| `core/` | what runs | 37,000 |\n| `dev/` | tools |";
        assert_eq!(stated(page, "core"), Some(37_000));
        assert_eq!(stated(page, "dev"), None);
        assert_eq!(stated(page, "finder"), None);
    }
}
