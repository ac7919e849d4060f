//! The lines of a file.

use super::ObjError;
use crate::io::report::{Place, Report};

/// A corner of a face: which position, which texture coordinates and which normal, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Corner {
    /// The position.
    pub position: u32,
    /// The texture coordinates.
    pub uv: Option<u32>,
    /// The normal.
    pub normal: Option<u32>,
}

/// Faces that follow each other in one object, group and material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The object: `o`.
    pub object: String,
    /// The group: `g`.
    pub group: String,
    /// The material: `usemtl`; empty for none.
    pub material: String,
    /// The corners of all faces, one face after the other.
    pub corners: Vec<Corner>,
    /// How many corners each face has.
    pub sizes: Vec<u32>,
}

/// A file as it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjFile {
    /// Positions, in the file's unit.
    pub positions: Vec<[f32; 3]>,
    /// Colours of the positions, 0..1; none, or as many as there are positions (white where one has none).
    pub colors: Vec<[f32; 3]>,
    /// Texture coordinates, (0, 0) the image's bottom left corner.
    pub uvs: Vec<[f32; 2]>,
    /// Normals, of any length.
    pub normals: Vec<[f32; 3]>,
    /// Its faces.
    pub runs: Vec<Run>,
    /// The files that its materials are in: `mtllib`.
    pub libraries: Vec<String>,
}

/// What is a name at most.
const NAME: usize = 200;

/// Reads a text. Faces that name what does not exist are left out and told; lines of curves, surfaces, points and lines too.
///
/// # Errors
/// Where a number is none, a line is cut, or there is no face at all.
pub fn parse(text: &str, report: &mut Report) -> Result<ObjFile, ObjError> {
    let mut reader = Reader { report, file: ObjFile::default(), line: 0, run: Run::default(), ignored: 0 };
    let mut lines = text.lines().enumerate();
    let mut joined = String::new();
    while let Some((at, line)) = lines.next() {
        reader.line = at + 1;
        if !line.trim_end().ends_with('\\') {
            reader.read(line)?;
            continue;
        }
        joined.clear();
        let mut next = Some(line);
        while let Some(line) = next {
            let trimmed = line.trim_end();
            let more = trimmed.strip_suffix('\\');
            joined.push_str(more.unwrap_or(trimmed));
            joined.push(' ');
            next = more.and_then(|_| lines.next()).map(|(_, line)| line);
        }
        reader.read(&joined)?;
    }
    reader.finish()
}

struct Reader<'a> {
    report: &'a mut Report,
    file: ObjFile,
    line: usize,
    run: Run,
    ignored: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: impl Into<String>) -> ObjError {
        ObjError { line: self.line, what: what.into() }
    }

    fn read(&mut self, line: &str) -> Result<(), ObjError> {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" | "s" | "vp" => {}
            "v" => self.position(rest)?,
            "vt" => {
                let [u, v] = self.some_numbers::<2>(rest, 1)?;
                self.file.uvs.push([u, v]);
            }
            "vn" => {
                let normal = self.some_numbers::<3>(rest, 3)?;
                self.file.normals.push(normal);
            }
            "f" | "fo" => self.face(rest)?,
            "o" => self.begin(|run| run.object = name(rest)),
            "g" => self.begin(|run| run.group = name(rest)),
            "usemtl" => self.begin(|run| run.material = name(rest)),
            "mtllib" => self.file.libraries.push(name(rest)),
            _ => {
                self.ignored += 1;
                let place = Place::Text { line: self.line, column: 1 };
                let word: String = word.chars().take(24).collect();
                self.report.warn("ignored", place, format!("'{word}', which is no polygon"), "left out");
            }
        }
        Ok(())
    }

    fn position(&mut self, rest: &str) -> Result<(), ObjError> {
        let mut numbers = [0.0; 7];
        let mut count = 0;
        for word in rest.split_whitespace() {
            let number = self.number(word)?;
            if let Some(slot) = numbers.get_mut(count) {
                *slot = number;
            }
            count += 1;
        }
        let color = match count {
            0..=2 => return Err(self.wrong("a position has three numbers: 'v X Y Z'; get a whole copy of the file")),
            // x y z, x y z w; x y z r g b and with a weight too are what many programs write.
            6 => Some([numbers[3], numbers[4], numbers[5]]),
            7 => Some([numbers[4], numbers[5], numbers[6]]),
            _ => None,
        };
        let before = self.file.positions.len();
        self.file.positions.push([numbers[0], numbers[1], numbers[2]]);
        if color.is_some() || !self.file.colors.is_empty() {
            self.file.colors.resize(before, [1.0; 3]);
            self.file.colors.push(color.unwrap_or([1.0; 3]));
        }
        Ok(())
    }

    /// Numbers, at least so many; those not there are 0.
    fn some_numbers<const N: usize>(&self, rest: &str, least: usize) -> Result<[f32; N], ObjError> {
        let mut out = [0.0; N];
        let mut count = 0;
        for (slot, word) in out.iter_mut().zip(rest.split_whitespace()) {
            *slot = self.number(word)?;
            count += 1;
        }
        if count < least {
            return Err(self.wrong(format!("{least} numbers are wanted here; get a whole copy of the file")));
        }
        Ok(out)
    }

    fn number(&self, word: &str) -> Result<f32, ObjError> {
        let number = word.parse::<f32>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| {
            let word: String = word.chars().take(24).collect();
            self.wrong(format!(
                "'{word}' is not a number to use here; mend it in a text editor, or export the file again"
            ))
        })
    }

    fn face(&mut self, rest: &str) -> Result<(), ObjError> {
        let before = self.run.corners.len();
        let mut missing = None;
        for word in rest.split_whitespace() {
            match self.corner(word)? {
                Some(corner) => self.run.corners.push(corner),
                None => missing = Some(word),
            }
        }
        let count = self.run.corners.len() - before;
        let place = Place::Text { line: self.line, column: 1 };
        if let Some(word) = missing {
            let word: String = word.chars().take(32).collect();
            self.report.warn("face", place, format!("a face with the corner {word}, which does not exist"), "left out");
        } else if count < 3 {
            self.report.warn("face", place, "a face of fewer than three corners", "left out");
        }
        if missing.is_some() || count < 3 {
            self.run.corners.truncate(before);
        } else {
            self.run.sizes.push(u32::try_from(count).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    /// A corner: `p`, `p/t`, `p//n` or `p/t/n`; none where a number names nothing.
    fn corner(&self, word: &str) -> Result<Option<Corner>, ObjError> {
        let mut parts = word.split('/');
        let file = &self.file;
        let position = self.index(parts.next().unwrap_or_default(), file.positions.len())?;
        let mut optional = |len: usize| match parts.next().filter(|part| !part.is_empty()) {
            Some(part) => self.index(part, len).map(|index| index.map(Some)),
            None => Ok(Some(None)),
        };
        let (uv, normal) = (optional(file.uvs.len())?, optional(file.normals.len())?);
        Ok(match (position, uv, normal) {
            (Some(position), Some(uv), Some(normal)) => Some(Corner { position, uv, normal }),
            _ => None,
        })
    }

    /// A number of a list from 1, or backwards from its end, as one from 0; none beyond it.
    fn index(&self, word: &str, len: usize) -> Result<Option<u32>, ObjError> {
        let number: i64 = word.parse().map_err(|_ignored| {
            let word: String = word.chars().take(24).collect();
            self.wrong(format!("'{word}' is not a vertex's number; mend it in a text editor, or export the file again"))
        })?;
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        let index = if number > 0 { number - 1 } else { len.saturating_add(number) };
        Ok((number != 0 && (0..len).contains(&index)).then(|| u32::try_from(index).ok()).flatten())
    }

    /// Goes on in another object, group or material.
    fn begin(&mut self, change: impl FnOnce(&mut Run)) {
        let (object, group, material) = (self.run.object.clone(), self.run.group.clone(), self.run.material.clone());
        let mut next = Run { object, group, material, ..Run::default() };
        change(&mut next);
        let done = std::mem::replace(&mut self.run, next);
        if !done.sizes.is_empty() {
            self.file.runs.push(done);
        }
    }

    fn finish(mut self) -> Result<ObjFile, ObjError> {
        self.begin(|_| {});
        if self.file.runs.is_empty() {
            let what = "the file holds no face; choose another, or export it again with polygons";
            return Err(ObjError { line: self.line.max(1), what: what.to_owned() });
        }
        Ok(self.file)
    }
}

fn name(rest: &str) -> String {
    rest.chars().filter(|c| !c.is_control()).take(NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Result<ObjFile, ObjError>, Report) {
        let mut report = Report::new();
        (parse(text, &mut report), report)
    }

    #[test]
    fn all_forms_of_corners_and_numbers_from_the_end() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0 # three\nvt 0.5\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/-1\nf 1//1 2//1 \\\n -1//-1\nf 1/1/1 2/1/1 3/1/1";
        let (file, report) = read(text);
        let file = file.unwrap();
        assert_eq!((file.runs.len(), file.runs[0].sizes.clone()), (1, vec![3; 4]));
        let corner = |position, uv, normal| Corner { position, uv, normal };
        assert_eq!(file.runs[0].corners[5], corner(2, Some(0), None));
        assert_eq!(file.runs[0].corners[8], corner(2, None, Some(0)));
        assert_eq!(file.uvs, [[0.5, 0.0]]);
        assert_eq!(report.total(), 0);
    }

    #[test]
    fn objects_groups_and_materials_make_runs() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nmtllib a b.mtl\no A\nf 1 2 3\ng left arm\nusemtl red\nf 1 2 3\no B\nf 1 2 3 3\n";
        let file = read(text).0.unwrap();
        let names: Vec<_> =
            file.runs.iter().map(|r| (r.object.as_str(), r.group.as_str(), r.material.as_str())).collect();
        assert_eq!(names, [("A", "", ""), ("A", "left arm", "red"), ("B", "left arm", "red")]);
        assert_eq!(file.libraries, ["a b.mtl"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line) in [
            ("v 0 0 0\nv 1 zero 0\n", 2),
            ("v 0 0 nan\n", 1),
            ("v 0 0 1e99\n", 1),
            ("v 0 0\n", 1),
            ("v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 x\n", 5),
            ("vn 1\n", 1),
            ("", 1),
            ("\0\u{1}\u{2}", 1),
            ("v 0 0 0\nf 1 1 99999999999999999999\n", 2),
        ] {
            let error = read(text).0.unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.to_string().contains("; "), "what to do: {error}");
        }
        let (file, report) = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\nf 1 2\nf 0 1 2\nf -9 1 2\nl 1 2\n");
        assert_eq!(file.unwrap().runs[0].sizes, [3]);
        assert_eq!(report.total(), 5);
        assert!(report.entries()[0].to_string().starts_with("line 5"));
    }

    #[test]
    fn colours_of_vertices_are_kept() {
        let file = read("v 0 0 0\nv 1 0 0 1 0.5 0\nv 0 1 0 1\nf 1 2 3").0.unwrap();
        assert_eq!(file.colors, [[1.0; 3], [1.0, 0.5, 0.0], [1.0; 3]]);
    }
}
