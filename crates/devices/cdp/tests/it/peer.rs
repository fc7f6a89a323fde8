//! A scripted browser: reads calls and writes what the test says.

use cdp::{Connection, Session, SessionId};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// The browser's end of a connection.
pub(crate) struct Peer {
    socket: WebSocketStream<TcpStream>,
}

/// A connection and the browser at its other end.
pub(crate) async fn pair() -> (Connection, Peer) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/devtools/browser/x", listener.local_addr().unwrap());
    let accept = async {
        let (stream, _) = listener.accept().await.unwrap();
        let unlimited = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None);
        let socket = tokio_tungstenite::accept_async_with_config(stream, Some(unlimited)).await;
        Peer {
            socket: socket.unwrap(),
        }
    };
    let (connection, peer) = tokio::join!(Connection::open(&url), accept);
    (connection.unwrap(), peer)
}

impl Peer {
    /// The next call.
    pub(crate) async fn call(&mut self) -> Value {
        loop {
            match self.socket.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub(crate) async fn write(&mut self, message: impl ToString) {
        let text = message.to_string();
        self.socket.send(Message::Text(text.into())).await.unwrap();
    }

    pub(crate) async fn answer(&mut self, call: &Value, result: Value) {
        // As browsers write it: the id first.
        self.write(format!("{{\"id\":{},\"result\":{result}}}", call["id"]))
            .await;
    }

    pub(crate) async fn refuse(&mut self, call: &Value, code: i64, message: &str) {
        let error = json!({"code": code, "message": message});
        self.write(format!("{{\"id\":{},\"error\":{error}}}", call["id"]))
            .await;
    }

    pub(crate) async fn event(&mut self, session: Option<&str>, method: &str, params: Value) {
        let mut event = json!({"method": method, "params": params});
        if let Some(session) = session {
            event["sessionId"] = session.into();
        }
        self.write(event).await;
    }

    pub(crate) async fn attach(&mut self, session: &str, target: &str) {
        let info = json!({"targetId": target, "type": "page", "title": "", "url": ""});
        let params = json!({"sessionId": session, "targetInfo": info});
        self.event(None, "Target.attachedToTarget", params).await;
    }

    /// The session of a page that is attached.
    pub(crate) async fn page(&mut self, connection: &Connection, id: &str) -> Session {
        self.attach(id, "T").await;
        let call = connection.browser().call_raw("Any.call", &json!({}));
        let received = self.call().await;
        self.answer(&received, json!({})).await;
        // The event came before this answer.
        call.await.unwrap();
        connection.session(&session(id))
    }

    /// Writes raw bytes below the WebSocket.
    pub(crate) async fn raw(&mut self, bytes: &[u8]) {
        let stream = self.socket.get_mut();
        stream.write_all(bytes).await.unwrap();
        stream.flush().await.unwrap();
    }

    pub(crate) async fn ping(&mut self) {
        self.socket
            .send(Message::Ping("are you there".into()))
            .await
            .unwrap();
    }

    /// Whether a ping is answered.
    pub(crate) async fn pong(&mut self) -> bool {
        matches!(self.socket.next().await, Some(Ok(Message::Pong(_))))
    }

    pub(crate) async fn close(mut self) {
        self.socket.close(None).await.unwrap();
    }
}

pub(crate) fn session(id: &str) -> SessionId {
    SessionId::from(id)
}
