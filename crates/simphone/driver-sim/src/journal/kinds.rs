//! The kinds of lines that the JSON form of a journal has: the one list of them.

/// Makes the list and the words of it from one table.
macro_rules! kinds {
    ($($kind:ident = $word:literal,)*) => {
        /// What `kind` of a line can be.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Kind {
            $($kind,)*
        }

        impl Kind {
            /// The word of every kind.
            #[cfg(test)]
            pub(super) const WORDS: &'static [&'static str] = &[$($word),*];

            pub(super) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $word,)*
                }
            }
        }
    };
}

kinds! {
    TouchDown = "touch_down",
    Configured = "configured",
    NotConfigured = "not_configured",
    TouchUp = "touch_up",
    TouchCancel = "touch_cancel",
    Focus = "focus",
    Fault = "fault",
    Missed = "missed",
    Click = "click",
    LongClick = "long_click",
    DoubleClick = "double_click",
    Select = "select",
    Copy = "copy",
    Swallowed = "swallowed",
    Scroll = "scroll",
    TouchLost = "touch_lost",
    Fling = "fling",
    Rest = "rest",
    Text = "text",
    Submit = "submit",
    Key = "key",
    State = "state",
    Open = "open",
    Close = "close",
    Start = "start",
    Stop = "stop",
    LaunchFailed = "launch_failed",
    Front = "front",
    EffectsStopped = "effects_stopped",
    WidgetsCut = "widgets_cut",
    Uri = "uri",
    Message = "message",
    Refresh = "refresh",
    Swipe = "swipe",
    Volume = "volume",
    Crash = "crash",
    ScreenTurned = "screen_turned",
    FaultNotSet = "fault_not_set",
    Notification = "notification",
    Fetch = "fetch",
    PermissionAsked = "permission_asked",
    Permission = "permission",
    KeyboardShown = "keyboard_shown",
    KeyboardHidden = "keyboard_hidden",
    Power = "power",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_names_every_kind_and_no_other() {
        let page = include_str!("../../../../../docs/guides/faults.md");
        let (_, list) = page.split_once("`kind` says what happened:").unwrap();
        let (list, _) = list.split_once(". A `widget` has").unwrap();
        let mut named: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        let mut known = Kind::WORDS.to_vec();
        named.sort_unstable();
        known.sort_unstable();
        assert_eq!(named, known);
    }
}
