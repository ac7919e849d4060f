//! The mended file, with all it needs within it.

use super::{
    super::{container::fetch, export::binary, parse, to_parts},
    Mending,
};
use crate::{io::report::Report, model::ImageFormat};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

/// One white pixel.
const WHITE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==";

impl Mending<'_> {
    /// Puts a white picture where the file's own data is none; false where the picture lies in another file.
    pub(super) fn whiten(&mut self, path: &str) -> bool {
        let index = path.trim_start_matches("images[").trim_end_matches(']').parse::<usize>().ok();
        let Some(image) = index.and_then(|index| self.value["images"].get_mut(index)) else { return false };
        if image.get("uri").and_then(Value::as_str).is_some_and(|uri| !uri.starts_with("data:")) {
            return false;
        }
        let name = image.get("name").cloned();
        *image = serde_json::json!({ "uri": WHITE });
        if let Some(name) = name {
            image["name"] = name;
        }
        true
    }

    /// The file: its data within it, whatever it was beside it before. None where it cannot be read again.
    pub(super) fn written(&mut self, as_binary: bool) -> Option<Vec<u8>> {
        self.sweep();
        let mut bin = Vec::new();
        for (index, bytes) in std::mem::take(&mut self.buffers).into_iter().enumerate() {
            let Some(buffer) = self.value["buffers"].get_mut(index).and_then(Value::as_object_mut) else { continue };
            if as_binary && index == 0 {
                buffer.remove("uri");
                bin = bytes;
                let length =
                    buffer.get("byteLength").and_then(Value::as_u64).and_then(|length| usize::try_from(length).ok());
                bin.truncate(length.unwrap_or(bin.len()));
                while !bin.len().is_multiple_of(4) {
                    bin.push(0);
                }
            } else {
                let data = STANDARD.encode(&bytes);
                buffer.insert("uri".to_owned(), format!("data:application/octet-stream;base64,{data}").into());
            }
        }
        for image in self.value.get_mut("images").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(uri) = image.get("uri").and_then(Value::as_str).filter(|uri| !uri.starts_with("data:")) else {
                continue;
            };
            // One that cannot be had stays named, as it was.
            let Ok(bytes) = fetch(uri, self.folder.as_deref(), "") else { continue };
            let Some(format) = ImageFormat::of_bytes(&bytes) else { continue };
            image["uri"] = format!("data:{};base64,{}", format.media_type(), STANDARD.encode(&bytes)).into();
        }
        let bytes =
            if as_binary { binary(&self.value, &bin).ok()? } else { format!("{:#}\n", self.value).into_bytes() };
        let again = parse(&bytes, None).and_then(|file| to_parts(&file, "", 1, &mut Report::new()));
        again.is_ok().then_some(bytes)
    }
}
