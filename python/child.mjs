// Answers the Python package from one process for as long as Python lives: node child.mjs ROOT,
// where ROOT holds dist.
//
// A frame on stdin or stdout is the length of a JSON object (4 bytes, big-endian), the object, and as many
// bytes after it as its member `bytes` says. Python sends
//   { id, words, cwd, variables, bytes }   a command line, with what stands on its standard input
//   { cancel: id }                         ends a call, as Ctrl+C does
// and receives { id, code, stdout, stderr }. Calls run side by side. The end of stdin ends the process.
import { channel } from "node:diagnostics_channel";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const main = pathToFileURL(join(process.argv[2], "dist/cli/main.js"));
const { openPage, runCommandLine, withEnvironmentFile } = await import(main);

const underWay = new Map();
/** Local models stay loaded from one call to the next. */
const models = new Map();

/** Processes of metrics in Python, which end with their command line. */
const started = new Set();
channel("child_process").subscribe(({ process: child }) => {
  started.add(child);
  child.once("close", () => started.delete(child));
});

async function answer({ id, words, cwd, variables }, bytes) {
  const said = { stdout: "", stderr: "" };
  const sink = (name) => ({
    write: (text) => {
      said[name] += text;
    },
    isTerminal: false,
    columns: 80,
  });
  const interruption = new AbortController();
  underWay.set(id, interruption);
  const merged = withEnvironmentFile(variables, cwd);
  // Drivers of databases and of object storage read the process's own.
  for (const [name, value] of Object.entries(merged)) {
    if (/^(PG|AWS_)/.test(name)) process.env[name] = value;
  }
  const code = await runCommandLine(words, {
    variables: merged,
    workingDirectory: cwd,
    program: "touchstone",
    stdin: (async function* () {
      if (bytes.length > 0) yield bytes;
    })(),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    now: () => new Date(),
    open: openPage,
    signal: interruption.signal,
    models,
  });
  underWay.delete(id);
  send({ id, code, ...said });
  if (underWay.size === 0) for (const child of started) child.stdin?.end();
}

function send(answered) {
  const text = Buffer.from(JSON.stringify(answered));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  process.stdout.write(Buffer.concat([length, text]));
}

const input = process.stdin[Symbol.asyncIterator]();
let held = Buffer.alloc(0);

/** The next bytes of stdin; undefined at its end. */
async function read(size) {
  const chunks = [held];
  let length = held.length;
  while (length < size) {
    const { done, value } = await input.next();
    if (done) return undefined;
    chunks.push(value);
    length += value.length;
  }
  const all = chunks.length === 1 ? held : Buffer.concat(chunks);
  held = all.subarray(size);
  return all.subarray(0, size);
}

for (;;) {
  const head = await read(4);
  const text = head && (await read(head.readUInt32BE()));
  if (text === undefined) break;
  const { cancel, ...call } = JSON.parse(text.toString("utf8"));
  const bytes = await read(call.bytes ?? 0);
  if (bytes === undefined) break;
  if (cancel === undefined) answer(call, bytes);
  else underWay.get(cancel)?.abort();
}
process.exit();
