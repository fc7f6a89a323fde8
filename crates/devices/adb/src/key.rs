//! The key that authenticates a computer to phones: `~/.android/adbkey`, shared with adb.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rsa::pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};
use rsa::traits::PublicKeyParts;
use rsa::{BigUint, Pkcs1v15Sign, RsaPrivateKey, RsaPublicKey};

use crate::error::{Error, ErrorKind, Result};

/// Bits of the modulus, fixed by the public format.
const MODULUS_BITS: usize = 2048;
/// Words of 32 bits in the modulus.
const MODULUS_WORDS: usize = MODULUS_BITS / 32;
/// The exponent that phones support.
const EXPONENT: u32 = 65537;
/// The size in bytes of a token to be signed.
pub const TOKEN_LENGTH: usize = 20;
/// The prefix of a SHA-1 digest in a PKCS #1 signature; the token takes the place of the digest. Source: RFC
/// 8017, 9.2.
const SHA1_PREFIX: [u8; 15] = [
    0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14,
];

/// A private key.
#[derive(Clone)]
pub struct Key {
    private: RsaPrivateKey,
    path: PathBuf,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// The path of the key: in `ANDROID_USER_HOME`, else in the home folder. `ADB_VENDOR_KEYS` is only used by
/// servers.
pub fn default_path() -> Option<PathBuf> {
    let folder = match std::env::var_os("ANDROID_USER_HOME").filter(|value| !value.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir()?.join(".android"),
    };
    Some(folder.join("adbkey"))
}

impl Key {
    /// Reads the key, or creates one with its public half beside it.
    ///
    /// # Errors
    /// `Key` if the file cannot be read or written, or is not a key.
    pub fn at(path: &Path) -> Result<Self> {
        let wrong = |why: String| {
            let path = path.display().to_string();
            Error::from(ErrorKind::Key { path, why })
        };
        match fs::read_to_string(path) {
            Ok(text) => {
                let private = RsaPrivateKey::from_pkcs8_pem(&text)
                    .map_err(|error| wrong(format!("is not a private key: {error}")))?;
                if private.size() * 8 != MODULUS_BITS {
                    return Err(wrong(format!(
                        "does not have the {MODULUS_BITS} bits that phones require"
                    )));
                }
                Ok(Self {
                    private,
                    path: path.to_owned(),
                })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let key = Self::generate(path).map_err(wrong)?;
                key.save().map_err(|error| wrong(error.to_string()))?;
                Ok(key)
            }
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    fn generate(path: &Path) -> std::result::Result<Self, String> {
        let private = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, MODULUS_BITS)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            private,
            path: path.to_owned(),
        })
    }

    /// Writes both halves; a key that another process created meanwhile is kept and reported as an error.
    fn save(&self) -> std::io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = self
            .private
            .to_pkcs8_pem(LineEnding::LF)
            .map_err(|error| std::io::Error::other(error.to_string()))?;
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.path)?.write_all(text.as_bytes())?;
        let mut public = self.path.clone().into_os_string();
        public.push(".pub");
        fs::write(public, self.public())
    }

    /// Signs a phone's token.
    pub fn sign(&self, token: &[u8]) -> Result<Vec<u8>> {
        let scheme = Pkcs1v15Sign {
            hash_len: Some(TOKEN_LENGTH),
            prefix: SHA1_PREFIX.into(),
        };
        // Blinded, so that the duration reveals nothing about the key.
        let signed = self
            .private
            .sign_with_rng(&mut rsa::rand_core::OsRng, scheme, token);
        signed.map_err(|error| {
            let path = self.path.display().to_string();
            let why = format!("cannot sign: {error}");
            ErrorKind::Key { path, why }.into()
        })
    }

    /// The public half in the format of phones: a structure of 524 bytes in base64, and our name.
    pub fn public(&self) -> String {
        public_text(&self.private.to_public_key())
    }
}

/// A public key in Android's format: the number of words, −1/n mod 2³², the modulus, R² mod n with R = 2²⁰⁴⁸,
/// the exponent; all little endian. Source: `adb_auth_host` and `android_pubkey` of AOSP.
fn public_text(key: &RsaPublicKey) -> String {
    let modulus = key.n();
    let word = BigUint::from(1_u64 << 32);
    let low = (modulus % &word).to_bytes_le();
    let low = low
        .iter()
        .rev()
        .fold(0_u32, |all, byte| all << 8 | u32::from(*byte));
    let montgomery = inverse(low).wrapping_neg();
    let square = (BigUint::from(1_u32) << (2 * MODULUS_BITS)) % modulus;
    let mut bytes = Vec::with_capacity(8 + 2 * MODULUS_WORDS * 4 + 4);
    bytes.extend_from_slice(&(MODULUS_WORDS as u32).to_le_bytes());
    bytes.extend_from_slice(&montgomery.to_le_bytes());
    for number in [modulus, &square] {
        let mut digits = number.to_bytes_le();
        digits.resize(MODULUS_WORDS * 4, 0);
        bytes.extend_from_slice(&digits);
    }
    bytes.extend_from_slice(&EXPONENT.to_le_bytes());
    format!("{} clawperator@computer", STANDARD.encode(bytes))
}

/// The inverse of an odd number modulo 2³², by Newton's iteration: each round doubles the number of correct
/// bits.
fn inverse(odd: u32) -> u32 {
    let mut guess = odd;
    for _ in 0..5 {
        guess = guess.wrapping_mul(2_u32.wrapping_sub(odd.wrapping_mul(guess)));
    }
    guess
}

/// Verifies the `signature` of `token` with the key of this public text, as a phone does.
pub fn verify(public: &str, token: &[u8], signature: &[u8]) -> bool {
    let Some(key) = read_public(public) else {
        return false;
    };
    let scheme = Pkcs1v15Sign {
        hash_len: Some(TOKEN_LENGTH),
        prefix: SHA1_PREFIX.into(),
    };
    key.verify(scheme, token, signature).is_ok()
}

fn read_public(text: &str) -> Option<RsaPublicKey> {
    let encoded = text.split_whitespace().next()?;
    let bytes = STANDARD.decode(encoded.trim_end_matches('\0')).ok()?;
    let modulus = bytes.get(8..8 + MODULUS_WORDS * 4)?;
    RsaPublicKey::new(BigUint::from_bytes_le(modulus), BigUint::from(EXPONENT)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_created_once_and_verifies() {
        let folder = std::env::temp_dir().join(format!("clawperator-key-{}", std::process::id()));
        let path = folder.join("adbkey");
        let made = Key::at(&path).unwrap();
        let read = Key::at(&path).unwrap();
        assert_eq!(made.public(), read.public());
        let token = [7; TOKEN_LENGTH];
        let signature = read.sign(&token).unwrap();
        assert!(verify(&made.public(), &token, &signature));
        assert!(!verify(&made.public(), &[8; TOKEN_LENGTH], &signature));
        assert_eq!(
            fs::read_to_string(folder.join("adbkey.pub")).unwrap(),
            made.public()
        );
        let permissions = fs::metadata(&path).unwrap().permissions();
        let mode = std::os::unix::fs::PermissionsExt::mode(&permissions);
        assert_eq!(mode & 0o777, 0o600);
        fs::write(&path, "no key").unwrap();
        let error = Key::at(&path).unwrap_err().to_string();
        assert!(
            error.contains("adbkey") && error.contains("not a private key"),
            "{error}"
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn inverse_is_correct() {
        for odd in [1, 3, 5, 0xdead_beef, u32::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
