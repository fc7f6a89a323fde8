package clawperator.agent;

import android.accessibilityservice.AccessibilityService;

/** Calls of the app that exist from API 33. */
final class ServiceLevel33 {
    static boolean clearCache(AccessibilityService service) {
        return service.clearCache();
    }

    private ServiceLevel33() {}
}
