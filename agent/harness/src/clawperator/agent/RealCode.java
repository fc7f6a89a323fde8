package clawperator.agent;

import org.robolectric.annotation.Implements;

/** Empty shadows: with them the framework's own code runs where Robolectric would replace it. */
public final class RealCode {
    /** Lists really scroll. */
    @Implements(android.widget.AbsListView.class)
    public static class Lists {}

    /** Events know their source. */
    @Implements(android.view.accessibility.AccessibilityRecord.class)
    public static class Records {}

    /** An accessibility service talks to the system; what every service has stays replaced. */
    @Implements(android.accessibilityservice.AccessibilityService.class)
    public static class Services extends org.robolectric.shadows.ShadowService {}

    /** A UiAutomation asks the system to turn the screen. */
    @Implements(android.app.UiAutomation.class)
    public static class Automations {}

    private RealCode() {}
}
