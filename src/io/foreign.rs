//! Files of another kind than their name says, told by how they begin.

use super::{open::FileKind, report::Report, text};

/// How files of other kinds begin, and what they are.
const SIGNS: &[(&[u8], &str)] = &[
    (b"glTF", "a binary glTF file (.glb)"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a sound or a film"),
    (b"PK\x03\x04", "a ZIP archive: unpack it first"),
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"%PDF", "a PDF document"),
    (b"Kaydara FBX", "an FBX file: export it as glTF or BVH"),
    (b"; FBX", "an FBX file: export it as glTF or BVH"),
    (b"BLENDER", "a Blender file: export it as glTF or BVH"),
    (b"\x28\xb5\x2f\xfd", "a compressed file: unpack it first"),
    (b"<!DOCTYPE", "a web page: the download went wrong"),
    (b"<html", "a web page: the download went wrong"),
    (b"<?xml", "an XML file: export it as glTF or BVH"),
    (b"version https://git-lfs", "a pointer to a file kept elsewhere (Git LFS): fetch the file itself"),
];

/// What a file is whose bytes are none of the kind that its name says, with what to do; none where they may be of that kind.
#[must_use]
pub fn foreign(bytes: &[u8], named: FileKind) -> Option<String> {
    let wanted = match named {
        FileKind::Ron => "an Inbetween document",
        FileKind::Bvh => "BVH motion",
        FileKind::Gltf | FileKind::Glb => "glTF",
        FileKind::Obj => "an OBJ file",
    };
    if bytes.trim_ascii_start().is_empty() {
        let what = if bytes.is_empty() { "the file is empty" } else { "the file holds nothing but blanks" };
        return Some(format!("{what}; get a whole copy, or go back to its backup (.bak)"));
    }
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    let head = text::decode(head.to_vec(), &mut Report::new());
    let begin = head.trim_start();
    let is_gltf = matches!(named, FileKind::Gltf | FileKind::Glb);
    let sign = SIGNS.iter().find(|(sign, _)| bytes.starts_with(sign) || begin.as_bytes().starts_with(sign));
    if let Some((_, what)) = sign.filter(|(sign, _)| !(is_gltf && *sign == b"glTF")) {
        return Some(format!("this is {what}; {wanted} is wanted, by its name"));
    }
    if begin.starts_with("(format:\"inbetween\"") && named != FileKind::Ron {
        return Some("this is an Inbetween document; end its name in .ron".to_owned());
    }
    if begin.get(..9).is_some_and(|word| word.eq_ignore_ascii_case("HIERARCHY")) && named != FileKind::Bvh {
        return Some("this is BVH motion; end its name in .bvh".to_owned());
    }
    if begin.starts_with('{') && begin.contains("\"asset\"") && !is_gltf {
        return Some("this is a glTF file; end its name in .gltf".to_owned());
    }
    let fits = match named {
        FileKind::Ron => begin.starts_with(['(', '/']),
        // Its reader tells what it found.
        FileKind::Bvh | FileKind::Obj => true,
        FileKind::Gltf | FileKind::Glb => bytes.starts_with(b"glTF") || begin.starts_with('{') || is_wide(bytes),
    };
    (!fits).then(|| {
        let shown: String = begin.chars().take_while(|c| !c.is_control()).take(24).collect();
        format!("this is not {wanted}: it begins with '{shown}'; choose another file, or give it the right extension")
    })
}

/// Whether a text is not UTF-8: the reader says where.
fn is_wide(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_kind_are_told_by_their_beginning() {
        let (ron, bvh) = ("(format:\"inbetween\",version:1)\n(", "\u{feff}HIERARCHY\nROOT a");
        let (gltf, glb) = (" {\"asset\":{\"version\":\"2.0\"}}", "glTF\u{2}\0\0\0");
        let texts = [(ron, FileKind::Ron), (bvh, FileKind::Bvh), (gltf, FileKind::Gltf), (glb, FileKind::Glb)];
        for (text, own) in texts {
            for (_, named) in texts {
                let said = foreign(text.as_bytes(), named);
                let is_gltf = |kind| matches!(kind, FileKind::Gltf | FileKind::Glb);
                let fits = own == named || (is_gltf(own) && is_gltf(named));
                assert_eq!(said.is_none(), fits, "{text} named {named:?}: {said:?}");
                assert!(said.is_none_or(|said| said.contains("; ")), "what it is, and what to do");
            }
        }
        for kind in [FileKind::Ron, FileKind::Bvh, FileKind::Gltf, FileKind::Glb] {
            for bytes in [b"".as_slice(), b" \r\n", b"\x89PNG\r\n", b"PK\x03\x04", b"<!DOCTYPE html>"] {
                assert!(foreign(bytes, kind).is_some_and(|said| said.contains("; ")), "{bytes:?} named {kind:?}");
            }
        }
        assert!(foreign(b"hello", FileKind::Glb).is_some_and(|said| said.contains("'hello'")));
        assert_eq!(foreign(b"\xff\xfe{\0", FileKind::Gltf), None, "its reader names the byte that is not UTF-8");
    }
}
