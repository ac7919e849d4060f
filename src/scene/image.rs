//! Encoded images as pixels, for textures.

use crate::model::{Image, ImageFormat};
use crate::render::Picture;
use std::io::Cursor;

/// The most pixels an image may have: a small file can claim any size.
const MOST_PIXELS: u64 = 64 << 20;

/// The pixels of an image; none where it is damaged or too large.
#[must_use]
pub(super) fn decode(image: &Image) -> Option<Picture> {
    match image.format {
        ImageFormat::Png => png(&image.bytes),
        ImageFormat::Jpeg => jpeg(&image.bytes),
    }
}

fn picture(width: u32, height: u32, bytes: &[u8], channels: usize) -> Option<Picture> {
    let pixel = |p: &[u8]| match *p {
        [grey] => [grey, grey, grey, 255],
        [grey, alpha] => [grey, grey, grey, alpha],
        [r, g, b] => [r, g, b, 255],
        [r, g, b, a, ..] => [r, g, b, a],
        [] => [0; 4],
    };
    let pixels: Vec<[u8; 4]> = bytes.chunks_exact(channels.max(1)).map(pixel).collect();
    (pixels.len() as u64 == u64::from(width) * u64::from(height)).then_some(Picture { width, height, pixels })
}

fn png(bytes: &[u8]) -> Option<Picture> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return None;
    }
    let mut out = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut out).ok()?;
    let bytes = out.get(..frame.buffer_size())?;
    picture(frame.width, frame.height, bytes, frame.color_type.samples())
}

fn jpeg(bytes: &[u8]) -> Option<Picture> {
    use zune_jpeg::zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions()?;
    if (width as u64).saturating_mul(height as u64) > MOST_PIXELS {
        return None;
    }
    let bytes = decoder.decode().ok()?;
    picture(u32::try_from(width).ok()?, u32::try_from(height).ok()?, &bytes, 3)
}
