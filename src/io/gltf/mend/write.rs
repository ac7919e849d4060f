//! The mended file.
//!
//! A sound file keeps all it says, with its data within it. One in which anything was mended is written anew, with what was
//! read of it: what lay broken in it, used or not, would else go on (data that reaches nowhere, ranges that are not those of
//! their numbers, skins that nothing wears), and whoever reads it next would stop there.

use super::{
    super::{
        GltfError, GltfExport, GltfFile, GltfLayout, GltfParts,
        container::fetch,
        export::{binary, export},
        parse, to_parts,
    },
    Mending,
};
use crate::{io::report::Report, model::ImageFormat, progress::Progress};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

/// What the parts of a file make, written anew. None where nothing is left to write.
pub(super) fn anew(parts: GltfParts, as_binary: bool) -> Option<Vec<u8>> {
    let layout = if as_binary { GltfLayout::Binary } else { GltfLayout::Embedded };
    let options = GltfExport { layout, all_influences: true, ..GltfExport::default() };
    let written = export(&parts.into_document(), options, &Progress::new(), &mut Report::new()).ok()?;
    let again = read(&written.bytes);
    again.is_ok().then_some(written.bytes)
}

fn read(bytes: &[u8]) -> Result<GltfParts, GltfError> {
    parse(bytes, None).and_then(|file: GltfFile| to_parts(&file, "", 1, &mut Report::new()))
}

impl Mending<'_> {
    /// The file as it is, its data within it, whatever it was beside it before. None where it cannot be read again.
    pub(super) fn as_it_is(&mut self, as_binary: bool) -> Option<Vec<u8>> {
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
            let Ok(bytes) = fetch(uri, self.folder.as_deref(), "") else { continue };
            let Some(format) = ImageFormat::of_bytes(&bytes) else { continue };
            image["uri"] = format!("data:{};base64,{}", format.media_type(), STANDARD.encode(&bytes)).into();
        }
        let bytes =
            if as_binary { binary(&self.value, &bin).ok()? } else { format!("{:#}\n", self.value).into_bytes() };
        read(&bytes).is_ok().then_some(bytes)
    }
}
