//! The arrays and the JSON of a file on the way out.

use serde_json::{Map, Value, json};

/// What a view is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewUse {
    /// Vertices.
    Vertices,
    /// Vertex numbers.
    Indices,
    /// Anything else.
    Other,
}

/// A file on the way out: one binary buffer, and lists of the JSON.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) bin: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

/// A number as short as its single precision allows.
pub(super) fn short(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or_default())
}

impl Builder {
    /// Adds bytes as a view of their own, aligned to 4 bytes.
    pub(super) fn view(&mut self, bytes: &[u8], purpose: ViewUse) -> usize {
        self.view_of(bytes.len(), purpose, |room| room.copy_from_slice(bytes))
    }

    /// Adds a view of so many bytes, which are filled in where they will lie.
    fn view_of(&mut self, length: usize, purpose: ViewUse, fill: impl FnOnce(&mut [u8])) -> usize {
        let start = self.bin.len().next_multiple_of(4);
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": length });
        match purpose {
            ViewUse::Vertices => view["target"] = json!(34962),
            ViewUse::Indices => view["target"] = json!(34963),
            ViewUse::Other => {}
        }
        self.bin.resize(start + length, 0);
        fill(&mut self.bin[start..]);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Adds floats, `N` a value; with their least and greatest numbers where `bounds` asks for them.
    pub(super) fn floats<const N: usize>(&mut self, values: &[[f32; N]], purpose: ViewUse, bounds: bool) -> usize {
        self.numbers::<N>(values.as_flattened().iter().copied(), purpose, bounds)
    }

    /// The same of numbers of double precision, one after the other.
    #[expect(clippy::cast_possible_truncation, reason = "the format's own precision")]
    pub(super) fn singles<const N: usize>(&mut self, values: &[f64], bounds: bool) -> usize {
        self.numbers::<N>(values.iter().map(|value| *value as f32), ViewUse::Other, bounds)
    }

    fn numbers<const N: usize>(
        &mut self,
        values: impl ExactSizeIterator<Item = f32> + Clone,
        purpose: ViewUse,
        bounds: bool,
    ) -> usize {
        let numbers = values.clone();
        let view = self.view_of(4 * values.len(), purpose, |room| {
            for (bytes, value) in room.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
                *bytes = value.to_le_bytes();
            }
        });
        let kind = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        let count = values.len() / N;
        let mut accessor = json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind });
        if bounds {
            let extreme = |pick: fn(f32, f32) -> f32, start: f32| -> Vec<f64> {
                let axis = |axis: usize| values.clone().skip(axis).step_by(N).fold(start, pick);
                (0..N).map(|k| f64::from(axis(k))).collect()
            };
            accessor["min"] = json!(extreme(f32::min, f32::INFINITY));
            accessor["max"] = json!(extreme(f32::max, f32::NEG_INFINITY));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds whole numbers in as few bytes as hold them; vertex numbers in at least two.
    pub(super) fn wholes<const N: usize>(&mut self, values: &[[u32; N]], purpose: ViewUse) -> usize {
        let most = values.as_flattened().iter().copied().max().unwrap_or_default();
        let (code, size) = match most {
            0..=0xff if purpose != ViewUse::Indices => (5121, 1),
            0..=0xfffe => (5123, 2),
            _ => (5125, 4),
        };
        let mut bytes = Vec::with_capacity(values.len() * N * size);
        for value in values.as_flattened() {
            bytes.extend(value.to_le_bytes().into_iter().take(size));
        }
        let view = self.view(&bytes, purpose);
        let kind = if N == 1 { "SCALAR" } else { "VEC4" };
        self.accessors.push(json!({ "bufferView": view, "componentType": code, "count": values.len(), "type": kind }));
        self.accessors.len() - 1
    }
}

/// Puts a list into an object, unless it is empty: empty lists are not allowed.
pub(super) fn put_list(to: &mut Map<String, Value>, name: &str, list: Vec<Value>) {
    if !list.is_empty() {
        to.insert(name.to_owned(), Value::Array(list));
    }
}
