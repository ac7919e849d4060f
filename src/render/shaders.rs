//! The shading programs. Colours stay in sRGB from the theme to the screen; only the light on solid things is
//! linear, and is brought over by a square root (gamma 2), which costs far less than the exact curve.

/// Solid things: position and normal in the world; `position.w` is the slice of the depth, of so many, that all of the thing
/// lies in.
pub(super) const SOLID_VERTEX: &str = "
uniform mat4 clip_from_world;
uniform float slices;
in vec4 position;
in vec3 normal;
in uvec4 color;
out vec3 world_normal;
out vec4 tint;
void main() {
    world_normal = normal;
    tint = vec4(color) * (1.0 / 255.0);
    gl_Position = clip_from_world * vec4(position.xyz, 1.0);
    gl_Position.z = (gl_Position.z + gl_Position.w * (1.0 + 2.0 * position.w)) / slices - gl_Position.w;
}
";

/// A key light, a soft hemisphere, and a gentle fall-off to the silhouette that separates limb from limb. What has no normal
/// takes no light.
pub(super) const SOLID_FRAGMENT: &str = "
uniform vec3 toward_light;
uniform vec3 toward_eye;
uniform vec3 amount;
in vec3 world_normal;
in vec4 tint;
out vec4 pixel;
void main() {
    if (dot(world_normal, world_normal) < 0.01) {
        pixel = vec4(tint.rgb * tint.a, tint.a);
        return;
    }
    vec3 n = normalize(world_normal);
    float light = mix(amount.z, amount.y, n.y * 0.5 + 0.5) + amount.x * max(dot(n, toward_light), 0.0);
    light *= 0.72 + 0.28 * clamp(dot(n, toward_eye) * 1.6, 0.0, 1.0);
    pixel = vec4(tint.rgb * sqrt(min(light, 1.0)) * tint.a, tint.a);
}
";

/// Marks: already on the screen. `shape` is the place in the mark's own frame (points along and across, in pixels),
/// half its length, and its radius.
pub(super) const MARK_VERTEX: &str = "
in vec3 position;
in vec4 shape;
in uvec4 color;
out vec4 place;
out vec4 tint;
void main() {
    place = shape;
    tint = vec4(color) * (1.0 / 255.0);
    tint.rgb *= tint.a;
    gl_Position = vec4(position, 1.0);
}
";

/// A rounded segment with a smooth edge one pixel wide.
pub(super) const MARK_FRAGMENT: &str = "
in vec4 place;
in vec4 tint;
out vec4 pixel;
void main() {
    float beyond = max(abs(place.x) - place.z, 0.0);
    float distance = sqrt(beyond * beyond + place.y * place.y);
    pixel = tint * clamp(place.w + 0.5 - distance, 0.0, 1.0);
}
";

/// Shadows: a quad on the ground; `shape` is the place in metres along and across, half the length, and the radius.
pub(super) const SHADOW_VERTEX: &str = "
uniform mat4 clip_from_world;
in vec3 position;
in vec4 shape;
in vec2 strength;
out vec4 place;
out vec2 depth;
void main() {
    place = shape;
    depth = strength;
    gl_Position = clip_from_world * vec4(position, 1.0);
}
";

/// The darker of what is there and this: overlapping shadows join without a seam.
pub(super) const SHADOW_FRAGMENT: &str = "
uniform vec3 ground;
uniform vec3 darkest;
in vec4 place;
in vec2 depth;
out vec4 pixel;
void main() {
    float beyond = max(abs(place.x) - place.z, 0.0);
    float distance = sqrt(beyond * beyond + place.y * place.y);
    float edge = clamp((place.w - distance) * depth.y, 0.0, 1.0);
    pixel = vec4(mix(ground, darkest, edge * edge * (3.0 - 2.0 * edge) * depth.x), 1.0);
}
";

/// Plates: corners already in clip space, so that a picture in the world is foreshortened rightly.
pub(super) const PLATE_VERTEX: &str = "
in vec4 position;
in vec2 coordinates;
out vec2 place;
void main() {
    place = coordinates;
    gl_Position = position;
}
";

/// A picture, straight alpha in and premultiplied out.
pub(super) const PLATE_FRAGMENT: &str = "
uniform sampler2D picture;
uniform float opacity;
in vec2 place;
out vec4 pixel;
void main() {
    vec4 color = texture(picture, place);
    float alpha = color.a * opacity;
    pixel = vec4(color.rgb * alpha, alpha);
}
";

/// Meshes with textures: as solid things, with a picture's coordinates and a linear colour a vertex. The coordinates count
/// from the picture's top, its rows are stored from the bottom.
pub(super) const SURFACE_VERTEX: &str = "
uniform mat4 clip_from_world;
in vec3 position;
in vec3 normal;
in vec2 coordinates;
in vec4 color;
out vec3 world_normal;
out vec2 at;
out vec4 vertex_color;
void main() {
    world_normal = normal;
    at = vec2(coordinates.x, 1.0 - coordinates.y);
    vertex_color = color;
    gl_Position = clip_from_world * vec4(position, 1.0);
}
";

/// The light of solid things. Linear colours are brought to the screen by a square root, as light is.
pub(super) const SURFACE_FRAGMENT: &str = "
uniform vec3 toward_light;
uniform vec3 toward_eye;
uniform vec3 amount;
uniform sampler2D picture;
uniform vec4 tint;
uniform vec4 glow;
uniform float cutoff;
uniform float opaque;
in vec3 world_normal;
in vec2 at;
in vec4 vertex_color;
out vec4 pixel;
void main() {
    vec4 factor = max(tint * vertex_color, vec4(0.0));
    vec4 base = texture(picture, at) * vec4(sqrt(factor.rgb), factor.a);
    if (base.a < cutoff) discard;
    vec3 n = normalize(world_normal + vec3(0.0, 1e-9, 0.0));
    if (dot(n, toward_eye) < 0.0 && !gl_FrontFacing) n = -n;
    float light = mix(amount.z, amount.y, n.y * 0.5 + 0.5) + amount.x * max(dot(n, toward_light), 0.0);
    light *= 0.72 + 0.28 * clamp(dot(n, toward_eye) * 1.6, 0.0, 1.0);
    vec3 rgb = mix(base.rgb, glow.rgb, glow.a) * sqrt(min(light, 1.0));
    float alpha = max(base.a, opaque);
    pixel = vec4(rgb * alpha, alpha);
}
";
