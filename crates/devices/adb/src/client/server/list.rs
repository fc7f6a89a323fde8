//! The list of phones of an adb server.

use tokio::net::TcpStream;

use crate::error::Result;
use crate::wire::server::text;

/// A phone in the server's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDevice {
    pub serial: String,
    /// `device` if it is ready; `offline`, `unauthorized`, `authorizing`, `recovery`, `no permissions`, …
    pub state: String,
    /// Further fields: `product`, `model`, `device`, `transport_id`, `usb`.
    pub fields: Vec<(String, String)>,
}

impl ListedDevice {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        fields
            .find(|(its, _)| its == name)
            .map(|(_, value)| value.as_str())
    }

    /// Parses a line of `host:devices-l`. The serial ends at the first space and padding follows; states may
    /// contain spaces, fields have a colon.
    fn read(line: &str) -> Option<Self> {
        let (serial, rest) = line.split_once(['\t', ' '])?;
        let mut state = Vec::new();
        let mut fields = Vec::new();
        for word in rest.split_whitespace() {
            match word.split_once(':') {
                Some((name, value)) if is_field(name) => {
                    fields.push((name.to_owned(), value.to_owned()));
                }
                // A word of the state before the fields, such as in `no permissions (user in plugdev group;
                // …)`.
                _ if fields.is_empty() => state.push(word),
                _ => {}
            }
        }
        let state = state.join(" ");
        (!serial.is_empty() && !state.is_empty()).then(|| Self {
            serial: serial.to_owned(),
            state,
            fields,
        })
    }
}

fn is_field(name: &str) -> bool {
    matches!(
        name,
        "usb" | "product" | "model" | "device" | "features" | "transport_id"
    )
}

/// The phones in an answer of `host:devices-l`; invalid lines are skipped.
pub(super) fn read_list(text: &str) -> Vec<ListedDevice> {
    text.lines()
        .filter_map(|line| ListedDevice::read(line.trim_end()))
        .collect()
}

/// Follows the list of phones.
#[derive(Debug)]
pub struct DeviceTracker {
    pub(super) socket: TcpStream,
}

impl DeviceTracker {
    pub async fn next(&mut self) -> Result<Vec<ListedDevice>> {
        Ok(read_list(&text(&mut self.socket).await?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_list_is_parsed_completely() {
        let list = read_list(
            "emulator-5554          device product:sdk model:Pixel_7 device:emu64 transport_id:1\n\
             192.168.1.5:5555       offline transport_id:3\r\n\
             ABC                    unauthorized usb:1-2 transport_id:4\n\
             0123                   no permissions (user in plugdev group; are your udev rules wrong?); see [http://x] usb:1-1\n\
             \n* daemon started\n",
        );
        let short: Vec<(&str, &str)> = list
            .iter()
            .map(|one| (one.serial.as_str(), one.state.as_str()))
            .collect();
        assert_eq!(short[0], ("emulator-5554", "device"));
        assert_eq!(short[1], ("192.168.1.5:5555", "offline"));
        assert_eq!(short[2], ("ABC", "unauthorized"));
        assert!(short[3].1.starts_with("no permissions"), "{:?}", short[3]);
        assert_eq!(list[0].field("model"), Some("Pixel_7"));
        assert_eq!(list[2].field("usb"), Some("1-2"));
    }
}
