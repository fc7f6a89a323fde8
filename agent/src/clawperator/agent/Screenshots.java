package clawperator.agent;

import android.graphics.Bitmap;
import java.io.ByteArrayOutputStream;

/** Takes screenshots. */
final class Screenshots {
    static final int MAX_QUALITY = 100;

    /** The body of the answer. `quality` is the JPEG quality, or 0 for PNG; `maxSide` limits the longer side, unless it is 0. */
    static BodyWriter take(Device device, int display, int quality, int maxSide) throws Failure {
        Bitmap bitmap = device.screenshot(display);
        if (bitmap == null) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system returned no screenshot");
        }
        bitmap = scale(bitmap, maxSide);
        ByteArrayOutputStream image = new ByteArrayOutputStream(1 << 18);
        boolean done = quality == 0
                ? bitmap.compress(Bitmap.CompressFormat.PNG, MAX_QUALITY, image)
                : bitmap.compress(Bitmap.CompressFormat.JPEG, quality, image);
        BodyWriter body = new BodyWriter(image.size() + 32).uint(bitmap.getWidth()).uint(bitmap.getHeight());
        bitmap.recycle();
        if (!done) throw new Failure(Protocol.CODE_FAILED, Protocol.NOT_DONE, "the screenshot cannot be encoded");
        if (image.size() > Protocol.MAX_FRAME_LENGTH - 64) {
            throw new Failure(Protocol.CODE_TOO_LARGE, Protocol.NOT_DONE, "a screenshot of " + image.size() + " bytes");
        }
        return body.bytes(image.toByteArray());
    }

    /** Scales down by halves: the filter uses four pixels, so that a single large step would skip pixels. */
    private static Bitmap scale(Bitmap bitmap, int maxSide) {
        int width = bitmap.getWidth();
        int height = bitmap.getHeight();
        int longerSide = Math.max(width, height);
        if (maxSide == 0 || longerSide <= maxSide) return bitmap;
        int scaledWidth = scaled(width, maxSide, longerSide);
        int scaledHeight = scaled(height, maxSide, longerSide);
        if (bitmap.getConfig() != Bitmap.Config.ARGB_8888) {
            // Some versions cannot draw hardware bitmaps.
            Bitmap copy = bitmap.copy(Bitmap.Config.ARGB_8888, false);
            if (copy != null) bitmap = replace(bitmap, copy);
        }
        while (bitmap.getWidth() >= 2 * scaledWidth && bitmap.getHeight() >= 2 * scaledHeight) {
            Bitmap half = Bitmap.createScaledBitmap(bitmap, bitmap.getWidth() / 2, bitmap.getHeight() / 2, true);
            bitmap = replace(bitmap, half);
        }
        return replace(bitmap, Bitmap.createScaledBitmap(bitmap, scaledWidth, scaledHeight, true));
    }

    private static int scaled(int length, int maxSide, int longerSide) {
        return (int) (((long) length * maxSide + longerSide - 1) / longerSide);
    }

    private static Bitmap replace(Bitmap old, Bitmap bitmap) {
        if (old != bitmap) old.recycle();
        return bitmap;
    }

    private Screenshots() {}
}
