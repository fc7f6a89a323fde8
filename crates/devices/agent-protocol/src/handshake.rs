//! The first request of a connection, and its answer.

use bitflags::bitflags;

use crate::body::{BodyReader, BodyWriter, Decoded};
use crate::decode_error::Problem;

/// The version that this crate speaks.
pub const VERSION: u32 = 8;
/// The lowest version of an agent that this crate can ask to end: `HELLO`, its answer, and `QUIT` are the same in all of them.
pub const OLDEST_VERSION: u32 = 1;
/// The first bytes of `HELLO`.
pub const MAGIC: [u8; 8] = *b"CLAWAGNT";
/// The most bytes of a token.
const MAX_TOKEN: usize = 1024;

/// The body of `HELLO`.
#[derive(Clone, PartialEq, Eq)]
pub struct Hello {
    /// The lowest version that the client speaks.
    pub lowest: u32,
    pub highest: u32,
    /// The token of this start of the agent.
    pub token: Vec<u8>,
}

/// The token is left out.
impl std::fmt::Debug for Hello {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Hello");
        shown.field("lowest", &self.lowest);
        shown
            .field("highest", &self.highest)
            .finish_non_exhaustive()
    }
}

impl Hello {
    /// The `HELLO` of this crate. An agent of an older version accepts it, too, so that it can be asked to end.
    pub fn with_token(token: &[u8]) -> Self {
        Self {
            lowest: OLDEST_VERSION,
            highest: VERSION,
            token: token.to_vec(),
        }
    }

    pub(crate) fn encode(&self, body: &mut BodyWriter) {
        body.array(&MAGIC);
        body.uint(self.lowest);
        body.uint(self.highest);
        body.bytes(&self.token);
    }

    pub(crate) fn decode(body: &mut BodyReader<'_>) -> Decoded<Self> {
        let magic: [u8; 8] = body.array("magic")?;
        if magic != MAGIC {
            let found = Problem::Unknown(u64::from_be_bytes(magic));
            return Err(BodyReader::error("magic", 0, found));
        }
        let lowest = body.number("lowest version")?;
        let highest = body.number("highest version")?;
        let at = body.at();
        let token = body.bytes("token")?;
        if token.len() > MAX_TOKEN {
            let long = Problem::OutOfRange(token.len() as i128);
            return Err(BodyReader::error("token", at, long));
        }
        Ok(Self {
            lowest,
            highest,
            token: token.to_vec(),
        })
    }
}

/// How the runtime was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentForm {
    /// By adb's shell, from a dex.
    Agent = 1,
    /// As an installed app.
    App = 2,
}

impl AgentForm {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Agent, Self::App];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::App => "app",
        }
    }
}

bitflags! {
    /// What an agent can do on its phone.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Features: u32 {
        /// `TOUCH` and `KEY`.
        const INPUT = 1;
        /// `SCREENSHOT`.
        const SCREENSHOTS = 2;
        /// `CLIPBOARD`.
        const CLIPBOARD = 4;
        /// The action `submit` uses the field's editor action.
        const EDITOR_ACTION = 8;
        /// `TOUCH`, with the limits of an accessibility service.
        const GESTURES = 16;
        /// `KEY`, for some keys of the system.
        const SYSTEM_KEYS = 32;
        /// A moved finger can rest before it lifts.
        const REST = 64;
        /// `ROTATE`.
        const ROTATION = 128;
    }
}

/// The answer to `HELLO`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelloAnswer {
    /// The version of the conversation.
    pub version: u32,
    /// How the agent was started.
    pub form: AgentForm,
    /// The hash of its dex, if it knows it.
    pub sha256: Option<[u8; 32]>,
    /// The API level of the phone.
    pub sdk: u32,
    /// Its process.
    pub pid: u32,
    /// What it can do.
    pub features: Features,
    /// The width of display 0 in pixels, as rotated.
    pub width: u32,
    pub height: u32,
    /// Its rotation in quarter turns, 0 to 3.
    pub rotation: u8,
    /// Its dots per inch.
    pub density: u32,
}

impl HelloAnswer {
    pub(crate) fn encode(&self, body: &mut BodyWriter) {
        body.uint(self.version);
        body.uint(self.form as u64);
        body.bytes(self.sha256.as_ref().map_or(&[], |hash| hash.as_slice()));
        body.uint(self.sdk);
        body.uint(self.pid);
        body.uint(self.features.bits());
        body.uint(self.width);
        body.uint(self.height);
        body.uint(self.rotation);
        body.uint(self.density);
    }

    pub(crate) fn decode(body: &mut BodyReader<'_>) -> Decoded<Self> {
        let version = body.number("version")?;
        let form = body.known("form", |value| match value {
            1 => Some(AgentForm::Agent),
            2 => Some(AgentForm::App),
            _ => None,
        })?;
        let at = body.at();
        let hash = body.bytes("SHA-256")?;
        let sha256 = match <[u8; 32]>::try_from(hash) {
            Ok(hash) => Some(hash),
            Err(_) if hash.is_empty() => None,
            Err(_) => {
                let length = Problem::OutOfRange(hash.len() as i128);
                return Err(BodyReader::error("SHA-256", at, length));
            }
        };
        Ok(Self {
            version,
            form,
            sha256,
            sdk: body.number("API level")?,
            pid: body.number("process id")?,
            features: body.known("features", |bits| {
                Features::from_bits(u32::try_from(bits).ok()?)
            })?,
            width: body.number("width")?,
            height: body.number("height")?,
            rotation: decode_rotation(body)?,
            density: body.number("density")?,
        })
    }
}

/// A rotation in quarter turns.
pub(crate) fn decode_rotation(body: &mut BodyReader<'_>) -> Decoded<u8> {
    body.known("rotation", |turns| {
        u8::try_from(turns).ok().filter(|turns| *turns < 4)
    })
}
