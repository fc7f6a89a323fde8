//! Reads the pictures of an app, with limits on path and size.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use draw::Image;

const MAX_BYTES: u64 = 20 * 1024 * 1024;
/// The maximum number of pixels of a picture, of four bytes each.
const MAX_PIXELS: u64 = 16 * 1024 * 1024;
/// The maximum number of pixels of all pictures of an app.
const MAX_APP_PIXELS: u64 = 4 * MAX_PIXELS;

/// The pictures of an app, each read once.
#[derive(Debug, Default)]
pub(crate) struct Pictures {
    read: BTreeMap<PathBuf, Arc<Image>>,
    pixels: u64,
}

impl Pictures {
    /// Reads the picture `name` of an app file in `folder`.
    ///
    /// App files are untrusted: after links are resolved, the picture must be in the folder of the app file or below.
    pub(crate) fn read(&mut self, folder: &Path, name: &str) -> Result<Arc<Image>, String> {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(name).components().all(inside) {
            return Err(
                "a picture is in the folder of the app file or below, and its path is relative"
                    .to_owned(),
            );
        }
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let folder = folder.canonicalize().map_err(|error| error.to_string())?;
        let path = folder.join(name);
        let path = path.canonicalize().map_err(|error| error.to_string())?;
        if !path.starts_with(&folder) {
            return Err("the link points outside of the folder of the app file".to_owned());
        }
        if let Some(image) = self.read.get(&path) {
            return Ok(Arc::clone(image));
        }
        let (_, image) = read_picture(&path)?;
        self.pixels += pixels(image.width, image.height);
        if self.pixels > MAX_APP_PIXELS {
            return Err(format!(
                "the pictures of the app have more than {MAX_APP_PIXELS} pixels together"
            ));
        }
        let image = Arc::new(image);
        self.read.insert(path, Arc::clone(&image));
        Ok(image)
    }
}

/// Reads a picture file: its bytes and the decoded image.
///
/// # Errors
/// It is not a regular file, not a PNG, or too large, which is checked before decoding.
pub fn read_picture(path: &Path) -> Result<(Vec<u8>, Image), String> {
    // Check before opening: opening a pipe would block.
    let meta = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !meta.is_file() {
        return Err("this is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("the file has more than {MAX_BYTES} bytes"));
    }
    let (width, height) = Image::png_size(&bytes)?;
    if pixels(width, height) > MAX_PIXELS {
        return Err(format!(
            "the picture has {width} x {height} pixels, more than {MAX_PIXELS}"
        ));
    }
    let image = Image::from_png(&bytes)?;
    Ok((bytes, image))
}

fn pixels(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("clawperator-pictures-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(path.join("apps/below")).unwrap();
            Self(path)
        }

        fn apps(&self) -> PathBuf {
            self.0.join("apps")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let rgba = vec![255; (width * height * 4) as usize];
        let image = Image {
            width,
            height,
            rgba,
        };
        image.to_png()
    }

    #[test]
    fn pictures_below_the_app_folder_are_read_once() {
        let folder = Folder::new("inside");
        let apps = folder.apps();
        std::fs::write(folder.0.join("out.png"), png(2, 3)).unwrap();
        std::fs::write(apps.join("in.png"), png(2, 3)).unwrap();
        std::fs::write(apps.join("below/in.png"), png(3, 2)).unwrap();
        let mut pictures = Pictures::default();
        let one = pictures.read(&apps, "in.png").unwrap();
        let same = pictures.read(&apps, "./in.png").unwrap();
        assert!(Arc::ptr_eq(&one, &same));
        assert_eq!(pictures.read(&apps, "below/in.png").unwrap().width, 3);
        let whole = apps.join("in.png");
        for name in ["../out.png", "below/../in.png", whole.to_str().unwrap()] {
            let error = pictures.read(&apps, name).unwrap_err();
            assert!(error.contains("its path is relative"), "{name}: {error}");
        }
        let error = pictures.read(&apps, "below").unwrap_err();
        assert!(error.contains("not a regular file"), "{error}");
    }

    #[test]
    fn links_out_of_the_app_folder_are_refused() {
        let folder = Folder::new("links");
        let apps = folder.apps();
        std::fs::write(folder.0.join("out.png"), png(2, 3)).unwrap();
        std::os::unix::fs::symlink(folder.0.join("out.png"), apps.join("link.png")).unwrap();
        std::os::unix::fs::symlink(&folder.0, apps.join("up")).unwrap();
        for name in ["link.png", "up/out.png"] {
            let error = Pictures::default().read(&apps, name).unwrap_err();
            assert!(error.contains("points outside"), "{name}: {error}");
        }
        // A device file is not opened.
        let error = read_picture(Path::new("/dev/zero")).unwrap_err();
        assert!(error.contains("not a regular file"), "{error}");
    }

    #[test]
    fn too_large_pictures_are_not_decoded() {
        let folder = Folder::new("large");
        let apps = folder.apps();
        // The file has only a header, which contains the size.
        let mut header = png(1, 1);
        header[16..20].copy_from_slice(&5000_u32.to_be_bytes());
        header[20..24].copy_from_slice(&5000_u32.to_be_bytes());
        std::fs::write(apps.join("wide.png"), header).unwrap();
        let error = Pictures::default().read(&apps, "wide.png").unwrap_err();
        assert!(error.contains("5000 x 5000"), "{error}");
        let file = std::fs::File::create(apps.join("long.png")).unwrap();
        file.set_len(MAX_BYTES + 1).unwrap();
        let error = Pictures::default().read(&apps, "long.png").unwrap_err();
        assert!(error.contains("bytes"), "{error}");
        std::fs::write(apps.join("last.png"), png(2, 2)).unwrap();
        let mut full = Pictures {
            pixels: MAX_APP_PIXELS - 3,
            ..Pictures::default()
        };
        let error = full.read(&apps, "last.png").unwrap_err();
        assert!(error.contains("together"), "{error}");
    }
}
