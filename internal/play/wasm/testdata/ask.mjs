// Sends requests to the engine in wasm: node ask.mjs wasm_exec.js pillbox.wasm, with requests as lines of
// JSON on standard input. It prints a line for each: {status, body, frames}, the frames as SHA-256, except
// the last, which contains a time.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [runtime, program] = process.argv.slice(2);
createRequire(import.meta.url)(runtime);
const go = new globalThis.Go();
const ready = new Promise((resolve) => (globalThis.onPillbox = resolve));
const { instance } = await WebAssembly.instantiate(readFileSync(program), go.importObject);
go.run(instance);
const engine = await ready;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { name, request } = JSON.parse(line);
  const frames = [];
  const begun = performance.now();
  const { status, body } = engine.call(name, JSON.stringify(request), (frame) => {
    const hash = frame[0] === 3 ? JSON.parse(new TextDecoder().decode(frame.subarray(1))).hash : createHash("sha256").update(frame).digest("hex");
    frames.push(hash);
  });
  console.log(JSON.stringify({ status, body, frames, ms: performance.now() - begun }));
}
// The engine runs forever. Writes to a pipe are asynchronous: exit after the last one.
process.stdout.write("", () => process.exit(0));
