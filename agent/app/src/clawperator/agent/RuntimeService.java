package clawperator.agent;

import android.accessibilityservice.AccessibilityService;
import android.accessibilityservice.AccessibilityServiceInfo;
import android.content.Intent;
import android.os.Build;
import android.view.accessibility.AccessibilityEvent;

/** The accessibility service. It listens for the host until Android disconnects it or it is stopped. */
public final class RuntimeService extends AccessibilityService {
    private static RuntimeService current;

    private ServiceDevice device;
    private AppServer server;

    /** The connected service, or null. */
    static synchronized RuntimeService current() {
        return current;
    }

    private static synchronized void setCurrent(RuntimeService service) {
        current = service;
    }

    private static synchronized void clearCurrent(RuntimeService service) {
        if (current == service) current = null;
    }

    @Override
    protected void onServiceConnected() {
        endServer();
        requestAllCapabilities();
        device = new ServiceDevice(this);
        server = new AppServer(device, getPackageCodePath());
        setCurrent(this);
        server.start();
        RunningNotification.show(this);
    }

    /** Repeats res/xml/service.xml for systems that ignore parts of it. */
    private void requestAllCapabilities() {
        AccessibilityServiceInfo info = getServiceInfo();
        if (info == null) return;
        info.eventTypes = AccessibilityEvent.TYPES_ALL_MASK;
        info.notificationTimeout = 0;
        info.flags |= AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS | AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS
                | AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS | (Build.VERSION.SDK_INT >= 33 ? ServiceLevel33.INPUT_METHOD_FLAG : 0);
        setServiceInfo(info);
    }

    /** The server of the connected service, or null. */
    AppServer server() {
        return server;
    }

    @Override
    public void onAccessibilityEvent(AccessibilityEvent event) {
        if (device != null) device.listeners().onEvent(event);
    }

    @Override
    public void onInterrupt() {}

    @Override
    public boolean onUnbind(Intent intent) {
        end();
        return super.onUnbind(intent);
    }

    @Override
    public void onDestroy() {
        end();
        super.onDestroy();
    }

    /** Ends the server and disables the service, from API 24. */
    void stop() {
        end();
        if (Build.VERSION.SDK_INT >= 24) ServiceLevel24.disable(this);
    }

    private void end() {
        clearCurrent(this);
        endServer();
        RunningNotification.hide(this);
    }

    private void endServer() {
        if (server != null) server.end();
        if (device != null) device.close();
        server = null;
        device = null;
    }
}
