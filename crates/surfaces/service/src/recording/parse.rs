//! Converting a recording to a log of its steps or to a plan. The file is read twice instead of kept in memory: once for its
//! events, and once for the screens of the resulting steps, one at a time.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use contract::recording::{Event, Header, MAX_LINE, Reader, Steps, snapshot_of, steps};
use contract::{ErrorBody, ErrorCode, Execution};
use engine::plan_from_recording::{Coverage, ReplayPlan, plan_from_recording};
use serde_json::{Value, json};

use crate::files;

/// The output of the conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// A log of its steps.
    #[default]
    Steps,
    /// A plan that repeats it.
    Execution,
}

impl OutputFormat {
    /// Every format, by its name.
    pub const ALL: [(&'static str, Self); 2] =
        [("steps", Self::Steps), ("execution", Self::Execution)];

    const fn suffix(self) -> &'static str {
        match self {
            Self::Steps => ".steps.json",
            Self::Execution => ".execution.json",
        }
    }
}

/// A request to convert a recording.
#[derive(Clone, Debug)]
pub struct ParseRequest {
    /// The recording.
    pub input: PathBuf,
    /// The file to write; by default beside the recording.
    pub out: Option<PathBuf>,
    pub format: OutputFormat,
}

/// The result of a conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct ParseOutput {
    /// The answer of the command.
    pub answer: Value,
    /// One line for each step, for display.
    pub lines: Vec<String>,
}

/// Converts a recording and writes the result.
///
/// # Errors
/// `RECORDING_PARSE_FAILED` with the number of the line, `RECORDING_SCHEMA_VERSION_UNSUPPORTED`, `RECORDING_PULL_FAILED` when
/// the result cannot be written, and violations of the contract for a plan.
pub fn parse(parsing: &ParseRequest) -> Result<ParseOutput, ErrorBody> {
    let out = parsing
        .out
        .clone()
        .unwrap_or_else(|| default_output(&parsing.input, parsing.format));
    if same_file(&parsing.input, &out) {
        let message = format!("{} would replace the recording", out.display());
        return Err(
            ErrorBody::new(ErrorCode::Usage, message).with_hint("Choose another file with --out")
        );
    }
    let mut recording = Recording::open(&parsing.input)?;
    let steps = steps(&recording.events);
    let lines = steps
        .steps
        .iter()
        .map(|step| format!("[{}] {:<10} {}", step.seq, step.name(), step.described()))
        .collect();
    let answer = match parsing.format {
        OutputFormat::Steps => log(&mut recording, &steps, &out)?,
        OutputFormat::Execution => plan(&mut recording, &steps, &out)?,
    };
    Ok(ParseOutput { answer, lines })
}

/// The default path of the result.
fn default_output(input: &Path, format: OutputFormat) -> PathBuf {
    let name = input
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let stem = name.strip_suffix(".ndjson").unwrap_or(&name);
    input.with_file_name(format!("{stem}{}", format.suffix()))
}

fn same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// A recording whose events were read, and whose screens can be read later.
struct Recording {
    file: BufReader<File>,
    path: String,
    header: Header,
    events: Vec<Event>,
    /// The offset of each event's line.
    places: Vec<u64>,
}

impl Recording {
    fn open(path: &Path) -> Result<Self, ErrorBody> {
        let shown = path.display().to_string();
        let unread = |error: &std::io::Error| {
            let why = match error.kind() {
                ErrorKind::NotFound => "the file does not exist".to_owned(),
                ErrorKind::IsADirectory => "it is a folder".to_owned(),
                _ => error.to_string(),
            };
            ErrorBody::new(ErrorCode::RecordingParseFailed, format!("{shown}: {why}"))
                .with_hint("`clawperator recording pull` copies a recording; name it with --input")
                .with_detail("file", shown.as_str())
        };
        let file = File::open(path).map_err(|error| unread(&error))?;
        let mut file = BufReader::new(file);
        let (mut reader, mut line) = (Reader::new(), Vec::new());
        let (mut events, mut places) = (Vec::new(), Vec::new());
        let mut place = 0;
        loop {
            line.clear();
            let limited = MAX_LINE as u64 + 1;
            let read = (&mut file)
                .take(limited)
                .read_until(b'\n', &mut line)
                .map_err(|error| unread(&error))? as u64;
            if read == 0 {
                break;
            }
            let event = reader.take(&line);
            if read == limited {
                let long = format!("it has more than {MAX_LINE} bytes");
                return Err(reader.refused(&long).with_detail("file", shown.as_str()));
            }
            if let Some(event) = event.map_err(|error| error.with_detail("file", shown.as_str()))? {
                events.push(event);
                places.push(place);
            }
            place += read;
        }
        let header = reader
            .end()
            .map_err(|error| error.with_detail("file", shown.as_str()))?;
        Ok(Self {
            file,
            path: shown,
            header,
            events,
            places,
        })
    }

    /// The screen before an event; `None` if its line has changed since it was read.
    fn screen(&mut self, event: usize) -> Option<String> {
        if !self.events.get(event)?.has_snapshot {
            return None;
        }
        let place = *self.places.get(event)?;
        self.file.seek(SeekFrom::Start(place)).ok()?;
        let mut line = Vec::new();
        (&mut self.file)
            .take(MAX_LINE as u64)
            .read_until(b'\n', &mut line)
            .ok()?;
        snapshot_of(&line).ok()?
    }
}

/// Writes the log of steps.
fn log(recording: &mut Recording, steps: &Steps, out: &Path) -> Result<Value, ErrorBody> {
    let warnings: Vec<String> = steps.warnings.iter().map(ToString::to_string).collect();
    let header = recording.header.clone();
    written(out, |file| {
        let session = Value::from(header.session_id.as_str());
        write!(
            file,
            "{{\n  \"sessionId\": {session},\n  \"schemaVersion\": 1,\n  \"steps\": ["
        )?;
        for (place, step) in steps.steps.iter().enumerate() {
            let before = recording.screen(step.event);
            let text = serde_json::to_string_pretty(&step.to_json(before.as_deref()))?;
            let comma = if place == 0 { "" } else { "," };
            write!(file, "{comma}\n    {}", text.replace('\n', "\n    "))?;
        }
        file.write_all(if steps.steps.is_empty() {
            b"]"
        } else {
            b"\n  ]"
        })?;
        if !warnings.is_empty() {
            let text = serde_json::to_string_pretty(&warnings)?;
            write!(file, ",\n  \"_warnings\": {}", text.replace('\n', "\n  "))?;
        }
        file.write_all(b"\n}\n")
    })?;
    let mut answer = json!({
        "ok": true,
        "outputFile": out.display().to_string(),
        "stepCount": steps.steps.len(),
    });
    if let (false, Value::Object(answer)) = (warnings.is_empty(), &mut answer) {
        answer.insert("warnings".to_owned(), json!(warnings));
    }
    Ok(answer)
}

/// Writes a plan that does the same.
fn plan(recording: &mut Recording, steps: &Steps, out: &Path) -> Result<Value, ErrorBody> {
    let header = recording.header.clone();
    let ReplayPlan {
        payload,
        warnings,
        coverage: covers,
    } = plan_from_recording(&header, steps, &mut |event| recording.screen(event));
    let mut all: Vec<String> = steps.warnings.iter().map(ToString::to_string).collect();
    all.extend(warnings.iter().map(ToString::to_string));
    let parsed = Execution::from_value(&payload).map_err(|invalid| {
        ErrorBody::from(invalid)
            .with_hint("Record less in one session; `--as steps` writes all of it as a log")
            .with_detail("file", recording.path.as_str())
    })?;
    let actions = parsed.execution.actions().len();
    written(out, |file| {
        serde_json::to_writer_pretty(&mut *file, &parsed.execution)?;
        file.write_all(b"\n")
    })?;
    let mut answer = json!({
        "ok": true,
        "complete": covers == Coverage::Complete && steps.warnings.is_empty(),
        "outputFile": out.display().to_string(),
        "stepCount": steps.steps.len(),
        "actionCount": actions,
    });
    if let (false, Value::Object(answer)) = (all.is_empty(), &mut answer) {
        answer.insert("warnings".to_owned(), json!(all));
    }
    Ok(answer)
}

/// Writes a file atomically.
fn written(
    out: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> std::io::Result<()>,
) -> Result<(), ErrorBody> {
    let failed = |error: std::io::Error| {
        ErrorBody::new(
            ErrorCode::RecordingPullFailed,
            format!("{} cannot be written: {error}", out.display()),
        )
        .with_hint("Name a file in an existing, writable folder with --out")
    };
    let done = files::replace_with(out, |file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()
    });
    done.map_err(failed)
}
