//! Stories: what is done to a phone and what it shows, one step a line, in `testdata/stories`.
//!
//! A file has apps (```` ```yaml ```` with the screens, ```` ```yaml file ```` with all of it) and stories (`##`), whose steps
//! are indented; the last app above a story is its own. Lines that begin with `>` are what the step above them printed;
//! `UPDATE_EXPECT=1` writes them anew. The steps are listed in `steps.rs`.

mod hands;
mod look;
mod steps;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::world::run;
pub(crate) use hands::Hand;
pub(crate) use steps::{App, Player};

/// A story before it is played.
struct Story<'a> {
    name: &'a str,
    app: App<'a>,
    /// The number of its first line and its steps with their output.
    steps: Vec<(usize, &'a str)>,
}

fn stories(page: &str) -> Vec<Story<'_>> {
    let mut stories: Vec<Story<'_>> = Vec::new();
    let mut app = App::None;
    let (mut at, mut fence) = (0, None);
    for (number, line) in page.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let words = line.trim_end();
        match (fence, words) {
            (None, "```yaml" | "```yaml file") => fence = Some((words, at)),
            (Some((head, from)), "```") => {
                let yaml = &page[from..start];
                app = match head {
                    "```yaml file" => App::File(yaml),
                    _ => App::Screens(yaml),
                };
                fence = None;
            }
            (Some(_), _) => {}
            (None, _) => {
                if let Some(name) = words.strip_prefix("## ") {
                    stories.push(Story {
                        name,
                        app,
                        steps: Vec::new(),
                    });
                } else if let Some(step) = words.strip_prefix("    ")
                    && let Some(story) = stories.last_mut()
                {
                    story.steps.push((number, step));
                }
            }
        }
    }
    stories
}

/// What the steps of a story print, each after the number of its line; or the step that went wrong.
async fn play(story: &Story<'_>, hand: Hand) -> Result<Vec<(usize, Vec<String>)>, String> {
    let mut player = Player::new(story.app, hand);
    let mut printed = Vec::new();
    for (number, step) in &story.steps {
        if step.starts_with('>') {
            continue;
        }
        let lines = player
            .step(step)
            .await
            .map_err(|problem| format!("line {}, {hand:?}: {step}: {problem}", number + 1))?;
        printed.push((*number, lines));
    }
    Ok(printed)
}

/// The page with what its stories print now, and what went wrong.
fn replayed(page: &str) -> (String, String) {
    let (mut after, mut problems) = (Vec::new(), String::new());
    for story in stories(page) {
        let mut played = run(play(&story, Hand::Finger));
        if story.name.ends_with("(both hands)") && played.is_ok() {
            played = run(play(&story, Hand::Accessibility));
        }
        match played {
            Ok(printed) => after.extend(printed),
            Err(problem) => {
                let _never = writeln!(problems, "{}: {problem}", story.name);
            }
        }
    }
    let mut text = String::new();
    for (number, line) in page.lines().enumerate() {
        if !line.starts_with("    >") {
            text.push_str(line);
            text.push('\n');
        }
        for (_, lines) in after.iter().filter(|(at, _)| *at == number) {
            for printed in lines {
                let _never = writeln!(text, "{}", format!("    > {printed}").trim_end());
            }
        }
    }
    (text, problems)
}

/// What is wrong with a file of stories; where stories are updated it is written anew.
fn check(path: &Path) -> String {
    let page = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .replace("\r\n", "\n");
    let (now, mut problems) = replayed(&page);
    if problems.is_empty() && now != page {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(path, now).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            return problems;
        }
        let mut lines = page.lines().zip(now.lines()).enumerate();
        if let Some((number, (old, new))) = lines.find(|(_, (old, new))| old != new) {
            let _never = writeln!(problems, "line {}: `{old}` is now `{new}`", number + 1);
        } else {
            problems.push_str("it prints another number of lines now\n");
        }
    }
    problems
}

#[test]
fn stories_go_as_they_are_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/stories");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    let problems: Vec<String> = std::thread::scope(|scope| {
        let started: Vec<_> = files
            .iter()
            .map(|file| (file, scope.spawn(|| check(file))))
            .collect();
        started
            .into_iter()
            .map(|(file, check)| {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                match check.join() {
                    Ok(problems) if problems.is_empty() => problems,
                    Ok(problems) => format!("{name}: {problems}"),
                    Err(_) => format!("{name}: a story panicked\n"),
                }
            })
            .collect()
    });
    let problems = problems.concat();
    assert!(problems.is_empty(), "{problems}");
}
