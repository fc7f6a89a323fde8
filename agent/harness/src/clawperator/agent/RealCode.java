package clawperator.agent;

import org.robolectric.annotation.Implements;

/** Empty shadows: they make the code of the framework run instead of the shadows of Robolectric. */
public final class RealCode {
    /** Lists scroll. */
    @Implements(android.widget.AbsListView.class)
    public static class Lists {}

    /** Events know their source. */
    @Implements(android.view.accessibility.AccessibilityRecord.class)
    public static class Records {}

    /** An accessibility service calls the system; methods of other services remain shadowed. */
    @Implements(android.accessibilityservice.AccessibilityService.class)
    public static class Services extends org.robolectric.shadows.ShadowService {}

    /** A UiAutomation calls the system to rotate the screen. */
    @Implements(android.app.UiAutomation.class)
    public static class Automations {}

    private RealCode() {}
}
