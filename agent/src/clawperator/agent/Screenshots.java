package clawperator.agent;

import android.graphics.Bitmap;
import java.io.ByteArrayOutputStream;

/** Pictures of a display. */
final class Screenshots {
    /** PNG has no quality, and the call wants one. */
    private static final int QUALITY = 100;

    /** The body of the answer. */
    static BodyWriter take(Device device, int display) throws Failure {
        Bitmap picture = device.screenshot(display);
        if (picture == null) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system gave no picture");
        }
        ByteArrayOutputStream image = new ByteArrayOutputStream(1 << 18);
        boolean done = picture.compress(Bitmap.CompressFormat.PNG, QUALITY, image);
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
