//! MiniWoB++: tasks whose reward function identifies the right elements of an instruction.
//!
//! A task counts if one click solves it from every seed, an episode if some other click fails: otherwise any
//! answer would be right.

use std::path::{Path, PathBuf};

use cdp::protocol::BackendNodeId;
use cdp::protocol::dom::{DescribeNode, NodeRef};
use cdp::protocol::runtime::{Evaluate, Evaluated};
use cdp::{ObjectId, Session};
use serde_json::Value;

pub const SEEDS: [&str; 8] = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"];

const SCRIPT: &str = include_str!("miniwob.js");

/// The tasks of an unpacked package: their files in its folder `html`, sorted by name.
pub fn tasks(html: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut tasks = Vec::new();
    for entry in std::fs::read_dir(html.join("miniwob"))? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "html")
            && let Some(name) = path.file_name()
        {
            tasks.push(Path::new("miniwob").join(name));
        }
    }
    tasks.sort();
    Ok(tasks)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Episode {
    pub seed: &'static str,
    /// The indexes, among the visible elements, of those that the reward accepts.
    pub right: Vec<usize>,
    /// The number of visible elements.
    pub visible_nodes: usize,
}

/// The episodes of the task that is open in `session`; none if one click does not solve it.
pub async fn episodes(session: &Session) -> Result<Vec<Episode>, String> {
    evaluate(session, SCRIPT).await?;
    let mut found = Vec::new();
    for seed in SEEDS {
        let judged = evaluate(session, &format!("clawperatorBench.judge({seed:?})")).await?;
        let verdicts: Vec<i64> = judged
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_i64)
            .collect();
        match episode(seed, &verdicts) {
            Some(EpisodeVerdict::Counts(episode)) => found.push(episode),
            Some(EpisodeVerdict::AnythingGoes) => {}
            None => return Ok(Vec::new()),
        }
    }
    Ok(found)
}

enum EpisodeVerdict {
    Counts(Episode),
    AnythingGoes,
}

/// Derives the answer of an episode from clicks on every element; `None` if no single click solves it.
fn episode(seed: &'static str, verdicts: &[i64]) -> Option<EpisodeVerdict> {
    let right: Vec<usize> = (0..verdicts.len())
        .filter(|at| verdicts.get(*at).is_some_and(|verdict| *verdict > 0))
        .collect();
    if right.is_empty() {
        return None;
    }
    Some(if verdicts.contains(&-1) {
        EpisodeVerdict::Counts(Episode {
            seed,
            right,
            visible_nodes: verdicts.len(),
        })
    } else {
        EpisodeVerdict::AnythingGoes
    })
}

/// Starts an episode: returns its instruction, and the right elements by backend node id.
pub async fn start(session: &Session, episode: &Episode) -> Result<(String, Vec<i64>), String> {
    let seed = episode.seed;
    // An episode may still move elements after its start.
    const MAX_ATTEMPTS: usize = 5;
    let mut posed = None;
    for _ in 0..MAX_ATTEMPTS {
        let query = evaluate(session, &format!("clawperatorBench.pose({seed:?})")).await?;
        let visible_nodes = evaluate(session, "clawperatorBench.shown.length").await?;
        if visible_nodes.as_u64() == Some(episode.visible_nodes as u64) {
            posed = Some(query);
            break;
        }
    }
    let Some(query) = posed else {
        return Err(format!(
            "the episode {seed} does not show {} elements as before",
            episode.visible_nodes
        ));
    };
    let mut nodes = Vec::new();
    for at in &episode.right {
        let element = run(
            session,
            &format!("clawperatorBench.shown[{at}]"),
            Value::Null,
        )
        .await?;
        let object = element.result.object_id.ok_or("the element is gone")?;
        nodes.push(backend_node_id(session, &object).await?.0);
    }
    let query = query.as_str().unwrap_or_default().to_owned();
    Ok((query, nodes))
}

async fn backend_node_id(session: &Session, object: &ObjectId) -> Result<BackendNodeId, String> {
    let describe = DescribeNode {
        node: NodeRef::from(object),
        ..DescribeNode::default()
    };
    let described = session.call(&describe).await;
    Ok(described
        .map_err(|error| error.to_string())?
        .node
        .backend_node_id)
}

/// Runs a script in the page's own world, where the tasks are.
async fn evaluate(session: &Session, script: &str) -> Result<Value, String> {
    Ok(run(session, script, Value::Bool(true)).await?.result.value)
}

async fn run(session: &Session, script: &str, by_value: Value) -> Result<Evaluated, String> {
    let evaluated = session
        .call(&Evaluate {
            expression: script.to_owned(),
            return_by_value: by_value.as_bool(),
            await_promise: Some(true),
            ..Evaluate::default()
        })
        .await
        .map_err(|error| error.to_string())?;
    match &evaluated.exception_details {
        Some(thrown) => Err(thrown.message().to_owned()),
        None => Ok(evaluated),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn episode_needs_a_right_and_a_wrong_click() {
        let right = |verdicts: &[i64]| match episode("s0", verdicts) {
            Some(EpisodeVerdict::Counts(episode)) => Some(episode.right),
            Some(EpisodeVerdict::AnythingGoes) => Some(Vec::new()),
            None => None,
        };
        assert_eq!(right(&[0, 1, -1, 1]), Some(vec![1, 3]));
        assert_eq!(right(&[0, 1, 0]), Some(vec![]));
        assert_eq!(right(&[0, -1]), None);
        assert_eq!(right(&[]), None);
    }
}
