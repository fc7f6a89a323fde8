package clawperator.agent;

import android.graphics.Bitmap;
import java.io.ByteArrayOutputStream;

/** Pictures of a display. */
final class Screenshots {
    static final int JPEG = 1;
    private static final int QUALITY = 85;

    /** The body of the answer; `longest` is the longest side that is wanted, 0 for full size. */
    static BodyWriter take(Device device, int display, int format, int longest) throws Failure {
        Bitmap picture = device.screenshot(display);
        if (picture == null) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system gave no picture");
        }
        int side = Math.max(picture.getWidth(), picture.getHeight());
        if (longest > 0 && side > longest) {
            int width = Math.max(1, Math.round((float) picture.getWidth() * longest / side));
            int height = Math.max(1, Math.round((float) picture.getHeight() * longest / side));
            Bitmap scaled = Bitmap.createScaledBitmap(picture, width, height, true);
            if (scaled != picture) picture.recycle();
            picture = scaled;
        }
        ByteArrayOutputStream image = new ByteArrayOutputStream(1 << 18);
        boolean done = picture.compress(format == JPEG ? Bitmap.CompressFormat.JPEG : Bitmap.CompressFormat.PNG, QUALITY, image);
        BodyWriter body = new BodyWriter(image.size() + 32).uint(picture.getWidth()).uint(picture.getHeight());
        picture.recycle();
        if (!done) throw new Failure(Protocol.CODE_FAILED, Protocol.NOT_DONE, "the picture could not be encoded");
        if (image.size() > Protocol.LONGEST_FRAME - 64) {
            throw new Failure(Protocol.CODE_TOO_LARGE, Protocol.NOT_DONE, "a picture of " + image.size() + " bytes");
        }
        return body.bytes(image.toByteArray());
    }

    private Screenshots() {}
}
