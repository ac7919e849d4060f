//! One golden case: typed access to the inputs, comparison with what is expected, and a list of what is wrong.

use inbetween::math::{Mat3, Mat4, Quat, Vec3};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The end of a case or a comparison. An error ends the case: an input that is missing or of another kind.
pub(super) type Outcome = Result<(), String>;

/// One case of a golden file.
pub(super) struct Case {
    name: String,
    inputs: Map<String, Value>,
    expected: Map<String, Value>,
    tolerance: Map<String, Value>,
    used: RefCell<BTreeSet<String>>,
    failures: RefCell<Vec<String>>,
}

impl Case {
    /// A case from its JSON, or what is missing.
    pub(super) fn from_json(json: &Value) -> Result<Self, String> {
        let name = json["name"].as_str().ok_or("a case without a name")?.to_owned();
        let part = |key: &str| json[key].as_object().cloned().ok_or_else(|| format!("{name}: no {key}"));
        let (inputs, expected, tolerance) = (part("inputs")?, part("expected")?, part("tolerance")?);
        Ok(Self { name, inputs, expected, tolerance, used: RefCell::default(), failures: RefCell::default() })
    }

    /// The name, for the few topics whose kinds of case differ in nothing else.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether an input is there: cases of one topic come in kinds that their inputs tell apart.
    pub(super) fn has(&self, input: &str) -> bool {
        self.inputs.contains_key(input)
    }

    /// An input, which must be there.
    pub(super) fn input<T: FromJson>(&self, field: &str) -> Result<T, String> {
        self.optional(field)?.ok_or_else(|| format!("input {field} is missing"))
    }

    /// An input that may be left out.
    pub(super) fn optional<T: FromJson>(&self, field: &str) -> Result<Option<T>, String> {
        let Some(value) = self.inputs.get(field) else { return Ok(None) };
        self.used.borrow_mut().insert(field.to_owned());
        T::from_json(value).map(Some).ok_or_else(|| format!("input {field} is not of the kind wanted: {value}"))
    }

    /// The expected value of a field, for properties that compare with more than one number.
    pub(super) fn wanted<T: FromJson>(&self, field: &str) -> Result<T, String> {
        let value = self.expected.get(field).ok_or_else(|| format!("expected {field} is missing"))?;
        T::from_json(value).ok_or_else(|| format!("expected {field} is not of the kind wanted: {value}"))
    }

    /// A tolerance by name, or the case's `abs`.
    pub(super) fn tolerance(&self, name: &str) -> f64 {
        let named = |key: &str| self.tolerance.get(key).and_then(Value::as_f64);
        named(name).or_else(|| named("abs")).unwrap_or(0.0)
    }

    /// Calls `judge` with each expected field. It ends in [`Case::unknown`] for the fields it has no opinion on.
    pub(super) fn judge(&self, mut judge: impl FnMut(&str) -> Outcome) -> Outcome {
        for field in self.expected.keys() {
            if field != "note" {
                judge(field)?;
            }
        }
        Ok(())
    }

    /// An expected field that the runner does not know: a failure, or a new set could pass unread.
    pub(super) fn unknown(&self, field: &str) -> Outcome {
        self.fail(format!("expected field {field} is not known to the runner"));
        Ok(())
    }

    /// Compares numbers with the expected ones, nested lists read row by row, within `abs` (plus `rel` of the wanted one).
    pub(super) fn numbers(&self, field: &str, got: &[f64]) -> Outcome {
        self.numbers_within(field, got, "abs")
    }

    /// [`Case::numbers`] within another tolerance of the case.
    pub(super) fn numbers_within(&self, field: &str, got: &[f64], tolerance: &str) -> Outcome {
        let wanted: Flat = self.wanted(field)?;
        let (abs, rel) = (self.tolerance(tolerance), self.tolerance.get("rel").and_then(Value::as_f64).unwrap_or(0.0));
        let close = |got: &f64, wanted: &f64| (got - wanted).abs() <= abs + rel * wanted.abs();
        let same = wanted.0.len() == got.len() && got.iter().zip(&wanted.0).all(|(g, w)| close(g, w));
        self.hold(same, field, || format!("got {got:?}, wanted {:?} within {abs:e}", wanted.0));
        Ok(())
    }

    /// Compares one number.
    pub(super) fn number(&self, field: &str, got: f64) -> Outcome {
        self.numbers(field, &[got])
    }

    /// Compares a point or direction.
    pub(super) fn vector(&self, field: &str, got: &Vec3) -> Outcome {
        self.numbers(field, got.as_slice())
    }

    /// Compares a list of points, or rows of one.
    pub(super) fn vectors(&self, field: &str, got: &[Vec3]) -> Outcome {
        self.numbers(field, &got.iter().flat_map(|v| v.iter().copied()).collect::<Vec<_>>())
    }

    /// Compares a matrix with the rows expected.
    pub(super) fn matrix<const R: usize, const C: usize>(
        &self,
        field: &str,
        got: &nalgebra::SMatrix<f64, R, C>,
    ) -> Outcome {
        self.numbers(field, got.transpose().as_slice())
    }

    /// Compares a rotation, as `[x,y,z,w]` up to the sign of the whole.
    pub(super) fn rotation(&self, field: &str, got: &Quat) -> Outcome {
        self.rotations(field, std::slice::from_ref(got), "abs")
    }

    /// Compares a list of rotations within a tolerance of the case.
    pub(super) fn rotations(&self, field: &str, got: &[Quat], tolerance: &str) -> Outcome {
        let wanted: Flat = self.wanted(field)?;
        let aligned = |q: &Quat, w: &[f64]| {
            let dot: f64 = q.coords.iter().zip(w).map(|(a, b)| a * b).sum();
            q.coords * if dot < 0.0 { -1.0 } else { 1.0 }
        };
        let got: Vec<f64> = got.iter().zip(wanted.0.chunks(4)).flat_map(|(q, w)| aligned(q, w).data.0[0]).collect();
        self.numbers_within(field, &got, tolerance)
    }

    /// Compares a word.
    pub(super) fn word(&self, field: &str, got: &str) -> Outcome {
        let wanted: String = self.wanted(field)?;
        self.hold(got == wanted, field, || format!("got {got:?}, wanted {wanted:?}"));
        Ok(())
    }

    /// Compares yes or no.
    pub(super) fn flag(&self, field: &str, got: bool) -> Outcome {
        let wanted: bool = self.wanted(field)?;
        self.hold(got == wanted, field, || format!("got {got}, wanted {wanted}"));
        Ok(())
    }

    /// Records a failure of `field` unless `holds`.
    pub(super) fn hold(&self, holds: bool, field: &str, detail: impl FnOnce() -> String) {
        if !holds {
            self.fail(format!("{field}: {}", detail()));
        }
    }

    /// Records a failure.
    pub(super) fn fail(&self, what: String) {
        self.failures.borrow_mut().push(format!("  {}: {what}", self.name));
    }

    /// Everything that was wrong; of a case that ran to its end, inputs that nobody read too.
    pub(super) fn finish(&self, ran_to_its_end: bool) -> Vec<String> {
        let unread = {
            let used = self.used.borrow();
            self.inputs.keys().filter(|key| !used.contains(*key) && *key != "note").cloned().collect::<Vec<_>>()
        };
        let mut failures = self.failures.take();
        if ran_to_its_end && !unread.is_empty() {
            failures.push(format!("  {}: inputs {unread:?} are not known to the runner", self.name));
        }
        failures
    }
}

/// What can be read from a golden file.
pub(super) trait FromJson: Sized {
    /// The value, or none where the JSON is of another kind.
    fn from_json(value: &Value) -> Option<Self>;
}

/// Numbers of a nested list, row by row; one number is a list of one.
struct Flat(Vec<f64>);

impl FromJson for Flat {
    fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Array(items) => {
                let rows = items.iter().map(Self::from_json).collect::<Option<Vec<_>>>()?;
                Some(Self(rows.into_iter().flat_map(|row| row.0).collect()))
            }
            other => other.as_f64().map(|n| Self(vec![n])),
        }
    }
}

impl FromJson for f64 {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_f64()
    }
}

impl FromJson for i64 {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_i64()
    }
}

impl FromJson for usize {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_u64().and_then(|n| Self::try_from(n).ok())
    }
}

impl FromJson for bool {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl FromJson for String {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_str().map(Self::from)
    }
}

impl FromJson for Value {
    fn from_json(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(T::from_json).collect()
    }
}

impl<T: FromJson, const N: usize> FromJson for [T; N] {
    fn from_json(value: &Value) -> Option<Self> {
        Vec::from_json(value)?.try_into().ok()
    }
}

impl FromJson for Vec3 {
    fn from_json(value: &Value) -> Option<Self> {
        <[f64; 3]>::from_json(value).map(Self::from)
    }
}

/// From `[x,y,z,w]`, which must have length 1 within 1e-6.
impl FromJson for Quat {
    fn from_json(value: &Value) -> Option<Self> {
        let [x, y, z, w] = <[f64; 4]>::from_json(value)?;
        let q = nalgebra::Quaternion::new(w, x, y, z);
        ((q.norm() - 1.0).abs() < 1e-6).then(|| Self::new_normalize(q))
    }
}

impl FromJson for Mat3 {
    fn from_json(value: &Value) -> Option<Self> {
        let rows = <[[f64; 3]; 3]>::from_json(value)?;
        Some(Self::from_fn(|r, c| rows[r][c]))
    }
}

impl FromJson for Mat4 {
    fn from_json(value: &Value) -> Option<Self> {
        let rows = <[[f64; 4]; 4]>::from_json(value)?;
        Some(Self::from_fn(|r, c| rows[r][c]))
    }
}

/// An Euler order by its name, as in a BVH CHANNELS line: `"ZXY"`.
impl FromJson for inbetween::math::EulerOrder {
    fn from_json(value: &Value) -> Option<Self> {
        let name = value.as_str()?;
        let axis = |c: char| "XYZ".find(c);
        let axes: [usize; 3] = name.chars().map(axis).collect::<Option<Vec<_>>>()?.try_into().ok()?;
        Self::from_axes(axes)
    }
}
