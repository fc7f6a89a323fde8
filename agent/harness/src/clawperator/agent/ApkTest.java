package clawperator.agent;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.content.pm.ServiceInfo;
import java.util.Arrays;
import java.util.HashSet;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;

/** Parses the APK of agent/app/build with the package parser of the framework. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE)
public class ApkTest {
    @Test
    public void packageIsParsed() {
        PackageManager manager = RuntimeEnvironment.getApplication().getPackageManager();
        PackageInfo info = manager.getPackageArchiveInfo(System.getProperty("app.apk"), PackageManager.GET_SERVICES
                | PackageManager.GET_PROVIDERS | PackageManager.GET_RECEIVERS | PackageManager.GET_ACTIVITIES
                | PackageManager.GET_META_DATA | PackageManager.GET_PERMISSIONS);
        assertEquals("app.clawperator.runtime", info.packageName);
        assertEquals(34, info.applicationInfo.targetSdkVersion);
        assertEquals(new HashSet<>(Arrays.asList("android.permission.FOREGROUND_SERVICE",
                "android.permission.FOREGROUND_SERVICE_SPECIAL_USE", "android.permission.POST_NOTIFICATIONS")),
                new HashSet<>(Arrays.asList(info.requestedPermissions)));
        assertEquals(1, info.services.length);
        ServiceInfo service = info.services[0];
        assertEquals(RuntimeService.class.getName(), service.name);
        assertEquals("android.permission.BIND_ACCESSIBILITY_SERVICE", service.permission);
        assertTrue(service.metaData.getInt("android.accessibilityservice") != 0);
        assertEquals(1, info.providers.length);
        ProviderInfo provider = info.providers[0];
        assertEquals(StatusProvider.class.getName(), provider.name);
        assertEquals("app.clawperator.runtime.status", provider.authority);
        assertEquals("android.permission.DUMP", provider.readPermission);
        assertEquals("android.permission.DUMP", provider.writePermission);
        assertFalse(provider.grantUriPermissions);
        assertEquals(1, info.receivers.length);
        assertFalse(info.receivers[0].exported);
        assertEquals(1, info.activities.length);
        assertEquals(StatusActivity.class.getName(), info.activities[0].name);
    }
}
