// A second reader's opinion: three.js loads each glTF file named, plays each clip, and its vertices are compared with those
// that Inbetween prints: `node compare.js INBETWEEN FILE...` (`npm ci` first). One line a file: the greatest distance over all
// vertices at 20 times of each clip, as a part of the scene's size. The exit status is the number of files beyond 1e-4.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

// The loader looks for a window's names when it is imported; images are not loaded at all.
globalThis.self = globalThis;
globalThis.ProgressEvent ??= class extends Event {};
const THREE = await import("three");
const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");

const TIMES = 20;
const ALLOWED = 1e-4;
const CHUNK_JSON = 0x4e4f534a;

/// The file as text with what needs a screen left out, and its binary part as data within it.
function plain(file) {
  const bytes = readFileSync(file);
  let json;
  if (bytes.toString("latin1", 0, 4) === "glTF") {
    const length = bytes.readUInt32LE(12);
    if (bytes.readUInt32LE(16) !== CHUNK_JSON) throw new Error("the first chunk is no JSON");
    json = JSON.parse(bytes.toString("utf8", 20, 20 + length));
    const rest = bytes.subarray(20 + length + 8);
    if (json.buffers?.[0] && !json.buffers[0].uri) {
      json.buffers[0].uri = `data:application/octet-stream;base64,${rest.toString("base64")}`;
    }
  } else {
    json = JSON.parse(bytes.toString("utf8"));
  }
  for (const buffer of json.buffers ?? []) {
    if (!buffer.uri || buffer.uri.startsWith("data:")) continue;
    const data = readFileSync(join(dirname(file), decodeURIComponent(buffer.uri)));
    buffer.uri = `data:application/octet-stream;base64,${data.toString("base64")}`;
  }
  for (const unseen of ["materials", "textures", "images", "samplers"]) delete json[unseen];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  return json;
}

/// The meshes of a node, one a primitive, in the file's order.
async function meshesOf(parser, index) {
  const node = await parser.getDependency("node", index);
  const ours = (object) => parser.associations.get(object)?.meshes !== undefined && object.isMesh;
  if (ours(node)) return [node];
  const group = node.children.find((child) => child.isGroup && parser.associations.get(child)?.meshes !== undefined);
  return (group ?? node).children.filter(ours);
}

async function compare(program, file) {
  const said = execFileSync(program, ["info", file, "--json", "--positions", String(TIMES)], { maxBuffer: 2 ** 30 });
  const expected = JSON.parse(said).positions;
  const json = plain(file);
  const gltf = await new GLTFLoader().parseAsync(JSON.stringify(json), `${dirname(file)}/`);
  const nodes = [...(json.nodes ?? []).keys()].filter((index) => json.nodes[index].mesh !== undefined);
  const meshes = [];
  for (const index of nodes) meshes.push(await meshesOf(gltf.parser, index));
  let worst = 0;
  let size = 1e-9;
  let vertices = 0;
  const point = new THREE.Vector3();
  for (const [number, { clip, times }] of expected.entries()) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    if (clip !== null) {
      const action = mixer.clipAction(gltf.animations[number]);
      action.setLoop(THREE.LoopOnce);
      action.clampWhenFinished = true;
      action.play();
    }
    for (const { secs, meshes: wanted } of times) {
      mixer.setTime(secs);
      gltf.scene.updateMatrixWorld(true);
      if (wanted.length !== meshes.length) throw new Error(`${wanted.length} meshes for ${meshes.length}`);
      for (const [index, { vertices: list }] of wanted.entries()) {
        let at = 0;
        for (const mesh of meshes[index]) {
          if (mesh.isSkinnedMesh) mesh.skeleton.update();
          for (let vertex = 0; vertex < mesh.geometry.attributes.position.count; vertex += 1, at += 1) {
            mesh.getVertexPosition(vertex, point).applyMatrix4(mesh.matrixWorld);
            const [x, y, z] = list[at];
            worst = Math.max(worst, Math.hypot(point.x - x, point.y - y, point.z - z));
            size = Math.max(size, Math.abs(x), Math.abs(y), Math.abs(z));
            vertices += 1;
          }
        }
        if (at !== list.length) throw new Error(`${list.length} vertices for ${at}`);
      }
    }
    mixer.stopAllAction();
    mixer.uncacheRoot(gltf.scene);
  }
  return { off: worst / size, vertices };
}

const [program, ...files] = process.argv.slice(2);
let beyond = 0;
for (const file of files) {
  try {
    const { off, vertices } = await compare(program, file);
    if (!(off <= ALLOWED)) beyond += 1;
    console.log(`${file}: ${off.toExponential(2)} (${vertices} positions)${off <= ALLOWED ? "" : " DIFFERS"}`);
  } catch (error) {
    beyond += 1;
    console.log(`${file}: ${error.message}`);
  }
}
process.exitCode = Math.min(beyond, 100);
