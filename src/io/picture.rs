//! Pictures as files: PNG and GIF out, PNG and JPEG in.

use image::{
    ExtendedColorType, ImageEncoder as _, ImageFormat, ImageReader,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use std::io::Cursor;

/// The most pixels of a picture that is read: no screen shows more, and no small file may ask for more memory.
pub const MOST_PIXELS: u64 = 64 << 20;
/// How thoroughly the colours of an animation are chosen, 1 (best) to 30 (fastest).
const GIF_SPEED: i32 = 20;

/// Pixels: red green blue alpha (straight), rows from the top down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pixels {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Width by height pixels.
    pub pixels: Vec<[u8; 4]>,
}

/// Why a picture cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Neither PNG nor JPEG.
    #[error("this is neither a PNG nor a JPEG picture; convert it to one of these")]
    Unknown,
    /// Too large.
    #[error("the picture has {width} x {height} pixels, more than the {MOST_PIXELS} that are read; make it smaller")]
    TooLarge {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
    },
    /// Damaged.
    #[error("the picture is damaged ({0}); export it again")]
    Damaged(String),
    /// Not as many pixels as its size says, or not of the animation's size.
    #[error("the picture's pixels do not fit its size of {width} x {height}")]
    Size {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
    },
    /// It could not be put into bytes.
    #[error("the picture could not be written: {0}")]
    Encode(String),
}

/// Reads a PNG or JPEG picture, told apart by their first bytes.
///
/// # Errors
/// [`PictureError`]; nothing larger than [`MOST_PIXELS`] is decoded.
pub fn read(bytes: &[u8]) -> Result<Pixels, PictureError> {
    let damaged = |error: image::ImageError| PictureError::Damaged(error.to_string());
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg)) => format,
        _ => return Err(PictureError::Unknown),
    };
    let reader = || ImageReader::with_format(Cursor::new(bytes), format);
    let (width, height) = reader().into_dimensions().map_err(damaged)?;
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(PictureError::TooLarge { width, height });
    }
    let decoded = reader().decode().map_err(damaged)?;
    let raw = decoded.into_rgba8().into_raw();
    Ok(Pixels { width, height, pixels: raw.as_chunks().0.to_vec() })
}

/// A PNG file. A picture without a translucent pixel is written without alpha.
///
/// # Errors
/// Where the pixels do not fit the size.
pub fn png(picture: &Pixels) -> Result<Vec<u8>, PictureError> {
    check(picture)?;
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
    let (width, height) = (picture.width, picture.height);
    let opaque = picture.pixels.iter().all(|pixel| pixel[3] == 255);
    let done = if opaque {
        let rgb: Vec<u8> = picture.pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        encoder.write_image(&rgb, width, height, ExtendedColorType::Rgb8)
    } else {
        encoder.write_image(picture.pixels.as_flattened(), width, height, ExtendedColorType::Rgba8)
    };
    done.map_err(|error| PictureError::Encode(error.to_string()))?;
    Ok(bytes)
}

/// A GIF that plays for ever, put together frame by frame.
pub struct Gif {
    encoder: Option<gif::Encoder<Vec<u8>>>,
    /// Frames a second.
    fps: f64,
    frames: u32,
    size: (u16, u16),
}

impl std::fmt::Debug for Gif {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gif").field("fps", &self.fps).field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl Gif {
    /// An empty animation of so many frames a second; a rate that is not positive counts as 1.
    #[must_use]
    pub const fn new(fps: f64) -> Self {
        Self { encoder: None, fps: if fps > 0.0 && fps.is_finite() { fps } else { 1.0 }, frames: 0, size: (0, 0) }
    }

    /// Adds a frame. GIF counts in hundredths of a second: each frame is shown to the hundredth in which the next is due,
    /// so that the whole keeps its length.
    ///
    /// # Errors
    /// Where the pixels do not fit the size, a side is longer than 65,535, or the frame is of another size than the first.
    pub fn push(&mut self, picture: Pixels) -> Result<(), PictureError> {
        check(&picture)?;
        let refused = PictureError::Size { width: picture.width, height: picture.height };
        let (Ok(width), Ok(height)) = (u16::try_from(picture.width), u16::try_from(picture.height)) else {
            return Err(refused);
        };
        let failed = |error: gif::EncodingError| PictureError::Encode(error.to_string());
        if self.encoder.is_none() {
            let mut encoder = gif::Encoder::new(Vec::new(), width, height, &[]).map_err(failed)?;
            encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
            self.encoder = Some(encoder);
            self.size = (width, height);
        }
        let Some(encoder) = self.encoder.as_mut().filter(|_| self.size == (width, height)) else { return Err(refused) };
        let due = |frame: u32| (f64::from(frame) * 100.0 / self.fps).round();
        let hundredths = (due(self.frames + 1) - due(self.frames)).clamp(1.0, f64::from(u16::MAX));
        let mut frame =
            gif::Frame::from_rgba_speed(width, height, picture.pixels.into_flattened().as_mut_slice(), GIF_SPEED);
        frame.delay = hundredths as u16;
        self.frames += 1;
        encoder.write_frame(&frame).map_err(failed)
    }

    /// The file.
    ///
    /// # Errors
    /// Where there is no frame.
    pub fn finish(self) -> Result<Vec<u8>, PictureError> {
        let empty = || PictureError::Encode("there is no frame".to_owned());
        let bytes = self.encoder.ok_or_else(empty)?.into_inner();
        bytes.map_err(|error| PictureError::Encode(error.to_string()))
    }
}

fn check(picture: &Pixels) -> Result<(), PictureError> {
    let (width, height) = (picture.width, picture.height);
    let whole = u64::from(width) * u64::from(height);
    if whole > 0 && picture.pixels.len() as u64 == whole { Ok(()) } else { Err(PictureError::Size { width, height }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(width: u32, height: u32) -> Pixels {
        let pixel = |at: u32| if at.is_multiple_of(2) { [200, 10, 30, 255] } else { [0, 90, 250, 255] };
        Pixels { width, height, pixels: (0..width * height).map(pixel).collect() }
    }

    #[test]
    fn png_comes_back_as_it_was_and_keeps_alpha() {
        let mut picture = checks(5, 3);
        assert_eq!(read(&png(&picture).unwrap()).unwrap(), picture);
        picture.pixels[7] = [1, 2, 3, 4];
        assert_eq!(read(&png(&picture).unwrap()).unwrap(), picture);
    }

    #[test]
    fn bad_pictures_are_named() {
        assert!(matches!(read(b"GIF89a"), Err(PictureError::Unknown)));
        assert!(matches!(read(&[]), Err(PictureError::Unknown)));
        let whole = png(&checks(50, 50)).unwrap();
        assert!(matches!(read(&whole[..whole.len() / 2]), Err(PictureError::Damaged(_))));
        let mut huge = whole;
        // The width in the header; the checksum is then wrong as well, and either is reason enough.
        huge[16..20].copy_from_slice(&0x7fff_ffff_u32.to_be_bytes());
        assert!(read(&huge).is_err());
        let short = Pixels { width: 2, height: 2, pixels: vec![[0; 4]] };
        assert!(matches!(png(&short), Err(PictureError::Size { .. })));
    }

    #[test]
    fn a_gif_keeps_its_length_though_it_counts_in_hundredths() {
        let mut gif = Gif::new(24.0);
        for _ in 0..24 {
            gif.push(checks(8, 6)).unwrap();
        }
        assert!(gif.push(checks(6, 8)).is_err());
        let bytes = gif.finish().unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        let (mut frames, mut hundredths) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames += 1;
            hundredths += u32::from(frame.delay);
        }
        assert_eq!((frames, hundredths), (24, 100));
        assert!(Gif::new(f64::NAN).finish().is_err());
    }
}
