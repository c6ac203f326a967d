// A process that works on a run whose one step asks a server over HTTP. Started by tests and by
// bench/kill.mjs, and killed by them.
// node asking-step.mjs DIRECTORY URL COUNT CONCURRENCY
const [directory, url, count, concurrency] = process.argv.slice(2);
const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { openStore } = await built("files/open-store.js");
const { runSteps } = await built("runs/run-steps.js");

const about = (number) => ({
  of: number.toString(16).padStart(32, "0"),
  image: "0".repeat(64),
  text: `picture ${number}`,
  metric: "asked",
  metricVersion: 1,
  statistic: "number",
  model: "local:server",
  range: [0, 1],
  direction: "higher",
  trial: 0,
});

const step = {
  name: "ask",
  version: 1,
  produces: "score",
  parameters: { count: Number(count) },
  async *plan() {
    for (let number = 0; number < Number(count); number++) yield about(number);
  },
  async perform({ text }, { signal, trace }) {
    const reply = await fetch(url, { method: "POST", body: text, signal });
    const { value } = await reply.json();
    trace({ kind: "call", cached: false });
    return { value };
  },
};

const folder = await openStore(directory, {
  create: { command: "touchstone score", seed: 0, software: "test" },
});
await runSteps({
  run: folder,
  steps: [step],
  concurrency: Number(concurrency),
  // One byte for each thing that happens, for whoever wants to kill this process at one of them.
  onEvent: () => process.stdout.write("."),
  openPicture: () => Promise.reject(new Error("Expected no picture to be opened")),
});
