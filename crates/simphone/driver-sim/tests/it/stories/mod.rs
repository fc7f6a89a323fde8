//! Stories: steps on a phone and what they print, one step a line, in `testdata/stories`.
//!
//! A file has apps (```` ```yaml ```` with the screens, ```` ```yaml file ```` with the whole file) and stories (`##`)
//! with indented steps, each for the last app above it. Lines that begin with `>` are the output of the step above;
//! `UPDATE_EXPECT=1` writes them anew. `steps.rs` lists the steps.

mod input;
mod inspect;
mod steps;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::fixture::run;
pub(crate) use input::InputSource;
pub(crate) use steps::{App, Player};

struct Story<'a> {
    name: &'a str,
    app: App<'a>,
    /// The line number of each step and output line, and its text.
    steps: Vec<(usize, &'a str)>,
}

fn stories(page: &str) -> Vec<Story<'_>> {
    let mut stories: Vec<Story<'_>> = Vec::new();
    let mut app = App::None;
    let (mut at, mut fence) = (0, None);
    for (number, line) in page.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let trimmed = line.trim_end();
        match (fence, trimmed) {
            (None, "```yaml" | "```yaml file") => fence = Some((trimmed, at)),
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
                if let Some(name) = trimmed.strip_prefix("## ") {
                    stories.push(Story {
                        name,
                        app,
                        steps: Vec::new(),
                    });
                } else if let Some(step) = trimmed.strip_prefix("    ")
                    && let Some(story) = stories.last_mut()
                {
                    story.steps.push((number, step));
                }
            }
        }
    }
    stories
}

/// The output of each step with its line number, or the error of a step.
async fn play(story: &Story<'_>, source: InputSource) -> Result<Vec<(usize, Vec<String>)>, String> {
    let mut player = Player::new(story.app, source);
    let mut printed = Vec::new();
    for (number, step) in &story.steps {
        if step.starts_with('>') {
            continue;
        }
        let lines = player
            .step(step)
            .await
            .map_err(|problem| format!("line {}, {source:?}: {step}: {problem}", number + 1))?;
        printed.push((*number, lines));
    }
    Ok(printed)
}

/// The page with the current output of its stories, and the problems.
fn replayed(page: &str) -> (String, String) {
    let (mut after, mut problems) = (Vec::new(), String::new());
    for story in stories(page) {
        let mut played = run(play(&story, InputSource::Touch));
        if story.name.ends_with("(touch and accessibility)") && played.is_ok() {
            played = run(play(&story, InputSource::Accessibility));
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

/// The problems of a file of stories, which is updated if requested.
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
            problems.push_str("the number of printed lines has changed\n");
        }
    }
    problems
}

#[test]
fn stories_match_their_files() {
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
