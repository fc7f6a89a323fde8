//! The keys of executions, actions and params.

use crate::words::words;

words! {
    /// The keys of an execution, with every spelling that is accepted.
    pub enum ExecutionKey {
        /// The caller's name for this run.
        CommandId = "commandId" | "command_id",
        /// The caller's name for the task.
        TaskId = "taskId" | "task_id",
        /// The sender of the plan.
        Source = "source",
        /// The format of the payload.
        ExpectedFormat = "expectedFormat" | "expected_format",
        /// The time limit of the whole run.
        TimeoutMs = "timeoutMs" | "timeout_ms",
        /// The actions.
        Actions = "actions",
        /// The origin of the plan.
        Mode = "mode",
        /// What happens after a failed step.
        OnFailure = "onFailure" | "on_failure",
        /// What to return of the screen.
        Observe = "observe",
        /// The rules for interruptions.
        Interrupts = "interrupts",
    }
}

words! {
    /// The keys of an action.
    pub enum ActionKey {
        /// The name of the step.
        Id = "id",
        /// The type of the action.
        Type = "type",
        /// Its parameters.
        Params = "params",
        /// What to return of the screen after it.
        Observe = "observe",
    }
}

words! {
    /// Every key of `params`, with every accepted spelling, in output order.
    pub enum ParamKey {
        /// The app's package.
        ApplicationId = "applicationId" | "package" | "package_id" | "application_id" | "app" | "app_id",
        /// The recording's name.
        SessionId = "sessionId",
        /// The orientation of the screen.
        Orientation = "orientation",
        /// What to do with tabs.
        Op = "op",
        /// The URI to open.
        Uri = "uri" | "url",
        /// The tab.
        Tab = "tab",
        /// The duration of the sleep.
        DurationMs = "durationMs",
        /// The file to write.
        Path = "path" | "file" | "filePath" | "output_path",
        /// Whether to capture the whole page.
        FullPage = "fullPage" | "full_page",
        /// Whether to draw references on a screenshot.
        Marks = "marks",
        /// The longest side of a screenshot.
        MaxSide = "maxSide",
        /// The node.
        Matcher = "matcher" | "selector" | "node" | "element",
        /// Whether to use the focused field.
        Focused = "focused",
        /// The point.
        Coordinate = "coordinate",
        /// Where a drag starts.
        From = "from",
        /// Where a drag ends.
        To = "to",
        /// The text to enter.
        Text = "text" | "value",
        /// The options of a list.
        Options = "options",
        /// The files to give to a page.
        Files = "files",
        /// Whether to submit.
        Submit = "submit",
        /// Whether to replace the content.
        Clear = "clear",
        /// The type of click.
        ClickType = "clickType",
        /// The node to look inside.
        Container = "container",
        /// What happens when the node is not found.
        OnMissing = "onMissing" | "on_missing",
        /// The direction of the scroll.
        Direction = "direction",
        /// The maximum number of swipes.
        MaxSwipes = "maxSwipes",
        /// The distance of a step.
        DistanceRatio = "distanceRatio",
        /// The pause after a step.
        SettleDelayMs = "settleDelayMs",
        /// The maximum number of scroll steps.
        MaxScrolls = "maxScrolls",
        /// The maximum duration of scrolling.
        MaxDurationMs = "maxDurationMs",
        /// The number of steps without movement after which to stop.
        NoPositionChangeThreshold = "noPositionChangeThreshold",
        /// Whether to search the container for a scrollable node.
        FindFirstScrollableChild = "findFirstScrollableChild",
        /// Whether to click the found node.
        ClickAfter = "clickAfter",
        /// The required format of the text.
        Validator = "validator",
        /// The pattern of the text.
        ValidatorPattern = "validatorPattern",
        /// The key to press.
        Key = "key",
        /// The retry policy.
        Retry = "retry",
        /// The retry policy of scrolling.
        ScrollRetry = "scrollRetry",
        /// The retry policy of the click.
        ClickRetry = "clickRetry",
        /// The app to wait for.
        ExpectedPackage = "expectedPackage" | "expected_package",
        /// The node to wait for.
        ExpectedNode = "expectedNode" | "expected_node",
        /// The conditions.
        AnyOf = "anyOf" | "any_of",
        /// How long to wait.
        TimeoutMs = "timeoutMs" | "timeout_ms",
        /// The label.
        LabelMatcher = "labelMatcher" | "label_matcher" | "label_selector",
        /// Whether to take all matches.
        All = "all",
        /// The format of a screen.
        View = "view",
        /// The maximum number of tokens.
        Budget = "budget",
        /// The width of a page.
        Width = "width",
        /// The height of a page.
        Height = "height",
    }
}
