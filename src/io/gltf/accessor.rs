//! Accessors: typed arrays within the buffers, bounds checked before anything is allocated.

use super::{GltfError, json};
use std::cell::Cell;

/// A file's arrays.
#[derive(Debug)]
pub(super) struct Arrays<'a> {
    root: &'a json::Root,
    buffers: &'a [Vec<u8>],
    /// The most bytes an array without data of its own may have: zeros must not outgrow the file a thousandfold.
    most_zeros: u64,
    /// How many bytes have been read, all readings together, and the most that may be: what is read a thousand times
    /// must not outgrow the file a thousandfold either.
    read: Cell<u64>,
    most_read: u64,
}

/// What may be read of any file, bytes.
const READ_LEAST: u64 = 256 << 20;
/// How many times its size may be read of a larger one.
const READ_TIMES: u64 = 64;

/// Where an accessor's values lie.
struct Layout<'a> {
    bytes: &'a [u8],
    stride: usize,
    component: Component,
    normalized: bool,
}

/// How one number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number at the start of the bytes; 0 where there are too few.
    #[expect(clippy::cast_precision_loss, reason = "an index beyond 2^24 is never read as a float")]
    fn float(self, bytes: &[u8], normalized: bool) -> f32 {
        let part = |largest: f32, value: f32| if normalized { (value / largest).max(-1.0) } else { value };
        match (self, bytes) {
            (Self::I8, [a, ..]) => part(127.0, f32::from(i8::from_le_bytes([*a]))),
            (Self::U8, [a, ..]) => part(255.0, f32::from(*a)),
            (Self::I16, [a, b, ..]) => part(32767.0, f32::from(i16::from_le_bytes([*a, *b]))),
            (Self::U16, [a, b, ..]) => part(65535.0, f32::from(u16::from_le_bytes([*a, *b]))),
            (Self::U32, [a, b, c, d, ..]) => part(4_294_967_295.0, u32::from_le_bytes([*a, *b, *c, *d]) as f32),
            (Self::F32, [a, b, c, d, ..]) => f32::from_le_bytes([*a, *b, *c, *d]),
            _ => 0.0,
        }
    }

    fn whole(self, bytes: &[u8]) -> u32 {
        match (self, bytes) {
            (Self::U8, [a, ..]) => u32::from(*a),
            (Self::U16, [a, b, ..]) => u32::from(u16::from_le_bytes([*a, *b])),
            (Self::U32, [a, b, c, d, ..]) => u32::from_le_bytes([*a, *b, *c, *d]),
            _ => 0,
        }
    }
}

/// How many numbers a type has.
fn width(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

impl<'a> Arrays<'a> {
    pub(super) fn new(root: &'a json::Root, buffers: &'a [Vec<u8>]) -> Self {
        let total: u64 = buffers.iter().map(|buffer| buffer.len() as u64).sum();
        Self {
            root,
            buffers,
            most_zeros: total.saturating_mul(16).max(1 << 20),
            read: Cell::new(0),
            most_read: total.saturating_mul(READ_TIMES).max(READ_LEAST),
        }
    }

    fn accessor(&self, index: usize, path: &str) -> Result<&'a json::Accessor, GltfError> {
        let there = self.root.accessors.len();
        self.root.accessors.get(index).ok_or_else(|| GltfError::missing(path, "accessors", index, there))
    }

    /// The number of values.
    pub(super) fn count(&self, index: usize, path: &str) -> Result<usize, GltfError> {
        let count = self.accessor(index, path)?.count;
        usize::try_from(count)
            .ok()
            .ok_or_else(|| GltfError::part(format!("accessors[{index}].count"), "too many values"))
    }

    /// The bytes of a view.
    pub(super) fn view(&self, index: usize, path: &str) -> Result<&'a [u8], GltfError> {
        let there = self.root.buffer_views.len();
        let view =
            self.root.buffer_views.get(index).ok_or_else(|| GltfError::missing(path, "bufferViews", index, there))?;
        let here = format!("bufferViews[{index}]");
        let buffer = self
            .buffers
            .get(view.buffer)
            .ok_or_else(|| GltfError::missing(format!("{here}.buffer"), "buffers", view.buffer, self.buffers.len()))?;
        let range = || {
            let start = usize::try_from(view.byte_offset).ok()?;
            Some(start..start.checked_add(usize::try_from(view.byte_length).ok()?)?)
        };
        range().and_then(|range| buffer.get(range)).ok_or_else(|| {
            let (at, length, has) = (view.byte_offset, view.byte_length, buffer.len());
            GltfError::part(here, format!("{length} bytes from {at} on, but buffers[{}] has {has}", view.buffer))
        })
    }

    /// The layout of `count` values in a view.
    fn layout(
        &self,
        view: (usize, u64),
        (count, width): (u64, usize),
        component: Component,
        path: &str,
    ) -> Result<Layout<'a>, GltfError> {
        let (view_index, offset) = view;
        let bytes = self.view(view_index, &format!("{path}.bufferView"))?;
        let size = width * component.size();
        let stride = self.root.buffer_views.get(view_index).and_then(|view| view.byte_stride);
        let stride = stride.map_or(Some(size), |stride| usize::try_from(stride).ok().filter(|stride| *stride >= size));
        let Some(stride) = stride else {
            let what = format!("the stride of bufferViews[{view_index}] is less than one value of {size} bytes");
            return Err(GltfError::part(path, what));
        };
        let needed = (count.saturating_sub(1))
            .checked_mul(stride as u64)
            .and_then(|bytes| bytes.checked_add(size as u64))
            .and_then(|bytes| bytes.checked_add(offset))
            .filter(|needed| *needed <= bytes.len() as u64 || count == 0);
        let start = usize::try_from(offset).ok().filter(|start| *start <= bytes.len());
        match (needed, start.and_then(|start| bytes.get(start..))) {
            (Some(_), Some(bytes)) => Ok(Layout { bytes, stride, component, normalized: false }),
            _ => Err(GltfError::part(
                path,
                format!("{count} values reach beyond bufferViews[{view_index}] of {} bytes", bytes.len()),
            )),
        }
    }

    /// Counts a reading.
    fn spend(&self, index: usize, count: u64, width: usize) -> Result<(), GltfError> {
        let read = self.read.get().saturating_add(count.saturating_mul(4 * width as u64));
        self.read.set(read);
        if read <= self.most_read {
            return Ok(());
        }
        let what = "read so often that the whole outgrows the file; a file like this is made to fill the memory";
        Err(GltfError::part(format!("accessors[{index}]"), what))
    }

    fn dense(&self, index: usize, wanted: usize, path: &str) -> Result<(Option<Layout<'a>>, usize), GltfError> {
        let accessor = self.accessor(index, path)?;
        let here = format!("accessors[{index}]");
        let component = Component::of(accessor.component_type).ok_or_else(|| {
            let code = accessor.component_type;
            GltfError::part(format!("{here}.componentType"), format!("{code} is none that glTF knows"))
        })?;
        if width(&accessor.kind) != Some(wanted) {
            let what = format!("'{}' where {wanted} numbers a value are wanted by {path}", accessor.kind);
            return Err(GltfError::part(format!("{here}.type"), what));
        }
        let count = self.count(index, path)?;
        let Some(view) = accessor.buffer_view else {
            let bytes = accessor.count.saturating_mul(4 * wanted as u64);
            if bytes > self.most_zeros {
                let what = format!("{count} values without data are too many for a file of this size");
                return Err(GltfError::part(format!("{here}.count"), what));
            }
            self.spend(index, accessor.count, wanted)?;
            return Ok((None, count));
        };
        let layout = self.layout((view, accessor.byte_offset), (accessor.count, wanted), component, &here)?;
        self.spend(index, accessor.count, wanted)?;
        Ok((Some(Layout { normalized: accessor.normalized, ..layout }), count))
    }

    /// The values of an accessor as floats, normalised integers brought to 0..1 or -1..1, all finite.
    pub(super) fn floats<const N: usize>(&self, index: usize, path: &str) -> Result<Vec<[f32; N]>, GltfError> {
        let (layout, count) = self.dense(index, N, path)?;
        let mut out = match &layout {
            Some(layout) => read_floats(layout, count),
            None => vec![[0.0; N]; count],
        };
        if let Some(sparse) = self.accessor(index, path)?.sparse.as_ref() {
            self.substitute(index, sparse, &mut out, read_floats)?;
        }
        if let Some(at) = out.iter().position(|value| value.iter().any(|number| !number.is_finite())) {
            let what = format!("value {at} is not a finite number, in what {path} reads");
            return Err(GltfError::part(format!("accessors[{index}]"), what));
        }
        Ok(out)
    }

    /// The values as whole numbers, unsigned.
    pub(super) fn wholes<const N: usize>(&self, index: usize, path: &str) -> Result<Vec<[u32; N]>, GltfError> {
        let (layout, count) = self.dense(index, N, path)?;
        let accessor = self.accessor(index, path)?;
        if !Component::of(accessor.component_type).is_some_and(Component::is_unsigned) {
            let what = format!("unsigned integers are wanted by {path}");
            return Err(GltfError::part(format!("accessors[{index}].componentType"), what));
        }
        let mut out = match &layout {
            Some(layout) => read_wholes(layout, count),
            None => vec![[0; N]; count],
        };
        if let Some(sparse) = accessor.sparse.as_ref() {
            self.substitute(index, sparse, &mut out, read_wholes)?;
        }
        Ok(out)
    }

    fn substitute<T: Copy, const N: usize>(
        &self,
        index: usize,
        sparse: &json::Sparse,
        out: &mut [[T; N]],
        read: fn(&Layout<'_>, usize) -> Vec<[T; N]>,
    ) -> Result<(), GltfError> {
        let here = format!("accessors[{index}].sparse");
        if sparse.count > out.len() as u64 {
            let what = format!("{} values are substituted in an array of {}", sparse.count, out.len());
            return Err(GltfError::part(format!("{here}.count"), what));
        }
        let accessor = self.accessor(index, &here)?;
        let component = Component::of(accessor.component_type).unwrap_or(Component::F32);
        let places = Component::of(sparse.indices.component_type).filter(|component| component.is_unsigned());
        let places = places
            .ok_or_else(|| GltfError::part(format!("{here}.indices.componentType"), "unsigned integers are wanted"))?;
        let view = (sparse.indices.buffer_view, sparse.indices.byte_offset);
        let indices = self.layout(view, (sparse.count, 1), places, &format!("{here}.indices"))?;
        let view = (sparse.values.buffer_view, sparse.values.byte_offset);
        let values = self.layout(view, (sparse.count, N), component, &format!("{here}.values"))?;
        let values = Layout { normalized: accessor.normalized, ..values };
        let count = usize::try_from(sparse.count).unwrap_or(out.len());
        let read = read(&values, count);
        let mut last = None;
        for (bytes, value) in indices.bytes.chunks(indices.stride).zip(read) {
            let place = places.whole(bytes);
            if last.is_some_and(|last| last >= place) {
                let what = format!("{place} does not come after the one before");
                return Err(GltfError::part(format!("{here}.indices"), what));
            }
            last = Some(place);
            let Some(slot) = out.get_mut(place as usize) else {
                let what = format!("{place} is beyond the array of {}", out.len());
                return Err(GltfError::part(format!("{here}.indices"), what));
            };
            *slot = value;
        }
        Ok(())
    }
}

impl Component {
    const fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }
}

fn read_wholes<const N: usize>(layout: &Layout<'_>, count: usize) -> Vec<[u32; N]> {
    let mut out = vec![[0; N]; count];
    for (value, bytes) in out.iter_mut().zip(layout.bytes.chunks(layout.stride)) {
        for (number, bytes) in value.iter_mut().zip(bytes.chunks(layout.component.size())) {
            *number = layout.component.whole(bytes);
        }
    }
    out
}

fn read_floats<const N: usize>(layout: &Layout<'_>, count: usize) -> Vec<[f32; N]> {
    let mut out = Vec::with_capacity(count);
    let size = layout.component.size();
    if layout.component == Component::F32 {
        // What motion and vertices nearly always are: worth its own loop.
        out.extend(layout.bytes.chunks(layout.stride).take(count).map(|bytes| {
            let mut value = [0.0; N];
            for (number, bytes) in value.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *number = f32::from_le_bytes(*bytes);
            }
            value
        }));
    } else {
        out.extend(layout.bytes.chunks(layout.stride).take(count).map(|bytes| {
            let mut value = [0.0; N];
            for (number, bytes) in value.iter_mut().zip(bytes.chunks(size)) {
                *number = layout.component.float(bytes, layout.normalized);
            }
            value
        }));
    }
    out.resize(count, [0.0; N]);
    out
}
