package clawperator.agent;

import android.graphics.Bitmap;
import java.io.ByteArrayOutputStream;

/** Pictures of a display. */
final class Screenshots {
    static final int BEST_QUALITY = 100;

    /** The body of the answer. `quality` is that of a JPEG image, 0 for a PNG; `longest` the longest side, 0 for any. */
    static BodyWriter take(Device device, int display, int quality, int longest) throws Failure {
        Bitmap picture = device.screenshot(display);
        if (picture == null) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system gave no picture");
        }
        picture = scale(picture, longest);
        ByteArrayOutputStream image = new ByteArrayOutputStream(1 << 18);
        boolean done = quality == 0
                ? picture.compress(Bitmap.CompressFormat.PNG, BEST_QUALITY, image)
                : picture.compress(Bitmap.CompressFormat.JPEG, quality, image);
        BodyWriter body = new BodyWriter(image.size() + 32).uint(picture.getWidth()).uint(picture.getHeight());
        picture.recycle();
        if (!done) throw new Failure(Protocol.CODE_FAILED, Protocol.NOT_DONE, "the picture could not be encoded");
        if (image.size() > Protocol.LONGEST_FRAME - 64) {
            throw new Failure(Protocol.CODE_TOO_LARGE, Protocol.NOT_DONE, "a picture of " + image.size() + " bytes");
        }
        return body.bytes(image.toByteArray());
    }

    /** Halves the picture while it stays larger: the filter mixes four pixels, and would leave out others in one large step. */
    private static Bitmap scale(Bitmap picture, int longest) {
        int width = picture.getWidth();
        int height = picture.getHeight();
        int side = Math.max(width, height);
        if (longest == 0 || side <= longest) return picture;
        int wide = scaled(width, longest, side);
        int high = scaled(height, longest, side);
        if (picture.getConfig() != Bitmap.Config.ARGB_8888) {
            // Pictures in graphics memory cannot be drawn everywhere.
            Bitmap copy = picture.copy(Bitmap.Config.ARGB_8888, false);
            if (copy != null) picture = replace(picture, copy);
        }
        while (picture.getWidth() >= 2 * wide && picture.getHeight() >= 2 * high) {
            Bitmap half = Bitmap.createScaledBitmap(picture, picture.getWidth() / 2, picture.getHeight() / 2, true);
            picture = replace(picture, half);
        }
        return replace(picture, Bitmap.createScaledBitmap(picture, wide, high, true));
    }

    private static int scaled(int length, int longest, int side) {
        return (int) (((long) length * longest + side - 1) / side);
    }

    private static Bitmap replace(Bitmap old, Bitmap picture) {
        if (old != picture) old.recycle();
        return picture;
    }

    private Screenshots() {}
}
