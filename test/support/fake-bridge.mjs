// A bridge in the place of Python's that does what it is told: by its arguments when it starts, by
// the texts of requests later. `node fake-bridge.mjs FOLDER [WORD …]`; what it sees it notes in
// FOLDER, or nowhere (-).
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";

const [folder = ".", ...words] = process.argv.slice(2);
/** A frame: letters, the bytes of the message and of what follows, both. */
const frame = (text, follows = Buffer.alloc(0)) => {
  const head = Buffer.alloc(12, "TBF2");
  head.writeUInt32LE(Buffer.byteLength(text), 4);
  head.writeUInt32LE(follows.length, 8);
  process.stdout.write(Buffer.concat([head, Buffer.from(text), follows]));
  return true;
};
const say = (message, follows) => frame(JSON.stringify(message), follows);
const note = (name, text) => {
  if (folder !== "-") appendFileSync(`${folder}/${name}`, `${text}\n`);
};

note("starts", process.pid);
process.on("SIGINT", () => {});
process.stderr.write("a warning of a library\n");

if (words.includes("silent")) await new Promise((resolve) => setTimeout(resolve, 3_600_000));
if (words.includes("no-bridge")) process.stdout.write("Python 2.7.18\n");
if (words.includes("exit")) process.exit(9);
const paints = words.includes("paints");
say({
  type: "hello",
  protocol: words.includes("newer") ? 3 : 2,
  version: "0",
  backend: paints ? (words.includes("own") ? "generator" : "diffusers") : "stub",
  abilities: paints
    ? ["generate"]
    : ["reward", "probability-of-yes", "embed-image", "embed-text", "localize"],
});

const failure = (kind, message, hint) => ({ error: { kind, message, ...(hint && { hint }) } });
const load = () => {
  if (words.includes("missing")) return failure("missing-package", "No module named hpsv2", "pip");
  const logitScale = words.includes("scaled") ? { logitScale: 50 } : {};
  return {
    result: {
      packages: { fake: "1.0" },
      device: words.includes("card") ? "cuda:1" : "cpu",
      ...logitScale,
      ...(words.includes("own") ? { metric: { making: { steps: 20, guidance_scale: 7.5 } } } : {}),
    },
  };
};
const isFirst = (name) => {
  const had = existsSync(`${folder}/${name}`);
  note(name, "");
  return !had;
};

const doing = {
  exit: () => process.exit(3),
  "exit once": () => isFirst("once") && process.exit(3),
  hang: () => "nothing",
  huge: () => process.stdout.write("x".repeat(5_000_000)) && "nothing",
  nonsense: () => process.stdout.write("Loading checkpoint: 100%\n") && "nothing",
  stranger: () => say({ id: 999, results: [] }) && "nothing",
  fewer: (id) => say({ id, results: [] }) && "nothing",
  fault: (id) => say({ id, ...failure("failed", "RuntimeError: told to") }) && "nothing",
  memory: (id) => say({ id, results: [failure("out-of-memory", "CUDA")] }) && "nothing",
  nan: (id) => say({ id, results: [failure("not-finite", "nan")] }) && "nothing",
  bad: (id) => say({ id, results: [failure("bad-input", "no image")] }) && "nothing",
  two: (id) => say({ id, results: [{ value: 2 }] }) && "nothing",
};

const sum = (text) => [...text].reduce((total, letter) => total + letter.charCodeAt(0), 0);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, items } = JSON.parse(line);
  note("requests", `${id} ${method} ${line.length}`);
  if (method === "load") {
    say({ id, ...load() });
    continue;
  }
  if (method === "health") {
    say({ id, result: { loaded: true, answered: 0 } });
    continue;
  }
  if (method === "generate") {
    say({ id, results: [{ bytes: 3 }] }, Buffer.from("PNG"));
    continue;
  }
  const [{ text = "" }] = items;
  if (text.startsWith("results: ")) {
    frame(`{"id": ${id}, "results": ${text.slice("results: ".length)}}`);
    continue;
  }
  if (doing[text]?.(id) === "nothing") continue;
  if (!method.startsWith("embed")) {
    say({ id, results: items.map(({ text = "" }) => ({ value: 1 / text.length })) });
    continue;
  }
  const vectors = items.map(({ text = "", image }) => [
    sum(image?.path ?? image?.base64 ?? text),
    1,
  ]);
  say(
    { id, results: vectors.map(({ length }) => ({ numbers: length })) },
    Buffer.from(Float64Array.from(vectors.flat()).buffer),
  );
}
