// The learner's program as a file that `render grade` runs with node.

const BEGIN = '// ---- The program ----', END = '// ---- The end of the program ----';

// exported returns the text of the file.
export function exported(program) {
  return `// A program for the course of Pillbox, made in the playground. Grade it with
//
//     render grade all -- node tracer.mjs
//
// The page can open this file again.
import { createInterface as pillbox$lines } from "node:readline";
import { deflateSync as pillbox$deflate } from "node:zlib";
import { writeFileSync as pillbox$write } from "node:fs";

globalThis.answer = {};

// writePNG writes a picture, given as red, green and blue of each pixel, row by row.
globalThis.writePNG = function writePNG(name, width, height, pixels) {
  const word = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
  const crc = (bytes) => {
    let sum = -1;
    for (const byte of bytes) {
      sum ^= byte;
      for (let k = 0; k < 8; k++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum >>> 0;
  };
  const chunk = (kind, data) => {
    const body = [...[...kind].map((c) => c.charCodeAt(0)), ...data];
    return [...word(data.length), ...body, ...word(crc(body))];
  };
  const rows = new Uint8Array(height * (1 + 3 * width)); // each begins with 0: no filter
  for (let y = 0; y < height; y++) rows.set(Uint8Array.from(pixels.slice(3 * width * y, 3 * width * (y + 1))), y * (1 + 3 * width) + 1);
  pillbox$write(name, Uint8Array.from([
    0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...chunk('IHDR', [...word(width), ...word(height), 8, 2, 0, 0, 0]), ...chunk('IDAT', pillbox$deflate(rows)), ...chunk('IEND', []),
  ]));
};

console.log = console.info = console.debug = console.error; // standard output is for answers

${BEGIN}
${program.replace(/\n$/, '')}
${END}

for await (const line of pillbox$lines({ input: globalThis.process.stdin })) {
  const question = JSON.parse(line), { id, stage } = question;
  globalThis.process.stdout.write(JSON.stringify({ id, ...answer[stage](question) }) + "\\n");
}
`;
}

// opened returns the program in the text of a file, exported or not.
export function opened(text) {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const begin = lines.indexOf(BEGIN), end = lines.lastIndexOf(END);
  return begin >= 0 && end > begin ? `${lines.slice(begin + 1, end).join('\n')}\n` : lines.join('\n');
}

const PARTS = {
  sphere: ['origin, direction, center, radius', 'count: 0, t: [], points: [], normals: []'],
  box: ['origin, direction, center, half_extents, axes', 'count: 0, t: [], points: [], normals: []'],
  capsule: ['origin, direction, a, b, radius', 'count: 0, t: [], points: [], normals: []'],
  cylinder: ['origin, direction, a, b, radius', 'count: 0, t: [], points: [], normals: []'],
  cut: ['origin, direction, solid, sections', 'count: 0, t: [], normals: [], faces: []'],
  ahead: ['origin, direction, solid', 't: null'],
  segment: ['a, b, center, radius', 'touches: false, closest: a'],
  overlap: ['a, b', 'relation: "apart"'],
  nearest: ['origin, direction, solids', 'object: null, t: null, normal: null'],
  camera: ['camera, width, height, pixel', 'origin: camera.position, direction: [0, 0, -1]'],
  lambert: ['albedo, ambient, lights, normal, point', 'color: [0, 0, 0], srgb: [0, 0, 0]'],
  shadow: ['point, normal, solid, lights, solids', 'arrives: lights.map(() => true)'],
  mirror: ['origin, direction, scene', 'color: [0, 0, 0]'],
};

// stub returns the beginning of the function for a stage.
export function stub(stage) {
  if (stage === 'picture') {
    return `answer.picture = ({ scene, png }) => {
  const { width, height } = scene;
  const pixels = new Uint8Array(3 * width * height); // red, green and blue of each pixel, row by row
  writePNG(png, width, height, pixels);
  return {};
};
`;
  }
  const [fields, result] = PARTS[stage];
  return `answer.${stage} = ({ ${fields} }) => {
  return { ${result} };
};
`;
}

// has reports whether a program seems to have the function for a stage.
export const has = (program, stage) => new RegExp(`\\banswer\\s*\\.\\s*${stage}\\s*=[^=]`).test(program);

// FIRST is the program that a learner begins with.
export const FIRST = `// Write a ray tracer, one function for each stage.
// answer.sphere gets a question and returns the answer.
// Points and vectors are lists of three numbers.
// console.log shows values beside the verdict.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

${stub('sphere')}`;
