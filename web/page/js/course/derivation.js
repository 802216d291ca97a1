// The derivation of a wrong answer: a scene and a query for the playground.
import { write } from '../link.js';

// derivation returns the address of the playground, with the scene and the query that derive the first wrong answer of a
// verdict. It returns '' if there is none.
export async function derivation(first) {
  if (!first) return '';
  const { args, stdin = '' } = first.derive;
  const flags = flagsOf(args);
  if (flags.capsules) return write(capsules(flags.capsules.split(',')), { query: { capsules: ['a', 'b'] } });
  if (!stdin) return '';
  const kind = ['pixel', 'ray', 'segment'].find((name) => flags[name]);
  const query = { [kind]: flags[kind].split(','), ...(flags.solid ? { solid: flags.solid } : {}) };
  return write(sized(stdin, flags), { query });
}

// flagsOf returns the flags of a command, --name value or --name=value.
function flagsOf(args) {
  const flags = {};
  args.forEach((arg, i) => {
    const [, name, value] = arg.match(/^--(\w+)(?:=(.*))?$/) ?? [];
    if (name) flags[name] = value ?? args[i + 1];
  });
  return flags;
}

// sized returns a scene with the size of the picture that a command states.
function sized(scene, { width, height, antialias = 1 }) {
  return width && !scene.includes('[image]') ? `[image]\nwidth = ${width}\nheight = ${height}\nantialias = ${antialias}\n\n${scene}` : scene;
}

// capsules returns a scene with two capsules, given as numbers: the ends and the radius of each.
function capsules(numbers) {
  const table = (name, [ax, ay, az, bx, by, bz, radius]) => `[[capsule]]\nname = "${name}"\na = [${ax}, ${ay}, ${az}]\nb = [${bx}, ${by}, ${bz}]\nradius = ${radius}\n`;
  return `${table('a', numbers.slice(0, 7))}\n${table('b', numbers.slice(7))}`;
}
