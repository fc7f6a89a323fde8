//! Ids assigned by a browser, one type each so that they cannot be mixed up.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as in the protocol.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                Self(name.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// A session with one target, within the connection to the browser.
    SessionId
);
id!(
    /// A page, an out-of-process frame, a worker.
    TargetId
);
id!(
    /// A frame of a page. The id of a page's main frame is also that of its target.
    FrameId
);
id!(
    /// The load of one document; every cross-document navigation has a new one.
    LoaderId
);
id!(
    /// A JavaScript object that the browser holds for a session.
    ObjectId
);
