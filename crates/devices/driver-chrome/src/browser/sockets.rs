//! Tracks messages to web sockets that an input may have caused, until their sockets answer.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

/// Maximum time between an input and a message that counts as its effect.
const MAX_INPUT_AGE: Duration = Duration::from_secs(1);

/// Maximum time to wait for an answer. A socket that took longer is not waited for again until it answers in time.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum number of sockets that are kept.
const MAX_SOCKETS: usize = 64;

/// The web sockets of a tab.
#[derive(Debug, Default)]
pub(super) struct Sockets {
    input_at: Option<Instant>,
    sockets: HashMap<String, Socket>,
}

#[derive(Debug, Default)]
struct Socket {
    /// When a message was sent that has no answer yet.
    asked_at: Option<Instant>,
    /// Whether its last such message had no answer in time.
    is_silent: bool,
}

impl Sockets {
    pub(super) fn note_input(&mut self) {
        self.input_at = Some(Instant::now());
    }

    pub(super) fn sent(&mut self, socket: String) {
        let is_caused = self
            .input_at
            .is_some_and(|at| at.elapsed() <= MAX_INPUT_AGE);
        if !is_caused || self.sockets.len() >= MAX_SOCKETS && !self.sockets.contains_key(&socket) {
            return;
        }
        let socket = self.sockets.entry(socket).or_default();
        socket.is_silent |= socket
            .asked_at
            .is_some_and(|at| at.elapsed() > ANSWER_TIMEOUT);
        socket.asked_at = Some(Instant::now());
    }

    pub(super) fn received(&mut self, socket: &str) {
        if let Some(socket) = self.sockets.get_mut(socket)
            && let Some(asked_at) = socket.asked_at.take()
        {
            socket.is_silent = asked_at.elapsed() > ANSWER_TIMEOUT;
        }
    }

    pub(super) fn closed(&mut self, socket: &str) {
        self.sockets.remove(socket);
    }

    /// The number of sockets whose answer is awaited.
    pub(super) fn awaited(&self) -> usize {
        let is_awaited = |socket: &&Socket| {
            let is_recent = |at: Instant| at.elapsed() <= ANSWER_TIMEOUT;
            !socket.is_silent && socket.asked_at.is_some_and(is_recent)
        };
        self.sockets.values().filter(is_awaited).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn answer_to_a_message_after_an_input_is_awaited_until_the_socket_stays_silent() {
        let mut sockets = Sockets::default();
        let id = || "1".to_owned();
        sockets.sent(id());
        assert_eq!(sockets.awaited(), 0);
        sockets.note_input();
        sockets.sent(id());
        assert_eq!(sockets.awaited(), 1);
        sockets.received("1");
        assert_eq!(sockets.awaited(), 0);
        for (waits, answer_at) in [(1, 4), (0, 1), (1, 1)] {
            sockets.note_input();
            sockets.sent(id());
            assert_eq!(sockets.awaited(), waits);
            tokio::time::advance(Duration::from_secs(answer_at)).await;
            sockets.received("1");
            assert_eq!(sockets.awaited(), 0);
        }
        for waits in [1, 0] {
            sockets.note_input();
            sockets.sent(id());
            assert_eq!(sockets.awaited(), waits);
            tokio::time::advance(Duration::from_secs(5)).await;
        }
        sockets.closed("1");
        sockets.note_input();
        sockets.sent(id());
        assert_eq!(sockets.awaited(), 1);
    }
}
