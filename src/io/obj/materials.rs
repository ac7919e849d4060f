//! The colours of materials: `.mtl`.

use crate::{
    io::report::{Place, Report},
    model::{AlphaMode, Material},
};

/// A material with the name that faces call it by.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjMaterial {
    /// The name.
    pub name: String,
    /// What it looks like.
    pub material: Material,
}

/// Reads a library: of each material its colour (`Kd`, linear) and how much lets light through (`d`, `Tr`). A pattern is told and left
/// out; what does not read is, too.
#[must_use]
pub fn materials(text: &str, library: &str, report: &mut Report) -> Vec<ObjMaterial> {
    let mut found: Vec<ObjMaterial> = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let numbers: Vec<f32> = rest.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let unit = |at: usize| numbers.get(at).copied().filter(|n: &f32| n.is_finite()).map(|n| n.clamp(0.0, 1.0));
        if word == "newmtl" {
            let name: String = rest.trim().chars().filter(|c| !c.is_control()).take(200).collect();
            found.push(ObjMaterial { material: Material { name: name.clone(), ..Material::default() }, name });
            continue;
        }
        let Some(last) = found.last_mut() else { continue };
        match word {
            "Kd" => {
                if let (Some(red), Some(green), Some(blue)) = (unit(0), unit(1), unit(2)) {
                    last.material.color = [red, green, blue, last.material.color[3]];
                }
            }
            "d" | "Tr" => {
                if let Some(value) = unit(0) {
                    last.material.color[3] = if word == "d" { value } else { 1.0 - value };
                    let alpha = if last.material.color[3] < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque };
                    last.material.alpha = alpha;
                }
            }
            "map_Kd" => {
                let place = Place::Part(format!("{library}/{}", last.name));
                report.warn("picture", place, "the picture of a material", "left out: its colour alone is read");
            }
            _ => {}
        }
    }
    found
}
