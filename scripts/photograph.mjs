// Prints what the program says into files, so that two trees can be compared: every verb's help, text in 80
// and 120 columns, JSON, CSV, Markdown, page and plot on every example, the commands of every help, the
// reports of a small demo, and what the studio and a study answer over HTTP. Verbs, examples and flags come
// from the program's own declarations; photograph-shapes.mjs holds the rest. The same tree gives the same bytes.
//
//   npm run photograph -- OUT [--tree DIR] [--only PREFIX …] [--demo DIR]
//   npm run photograph -- --compare A B
//
// --tree photographs another built checkout; --only takes folders of OUT, such as verbs/analyze-swap; --demo takes
// a small demo that stands. A comparison names what differs: `diff -r A B` shows it.

import { spawnSync } from "node:child_process";
import crypto, { createHash } from "node:crypto";
import * as disk from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { parquetWriteBuffer } from "hyparquet-writer";
import {
  elsewhere,
  labelsOf,
  madeTables,
  masks,
  parameters,
  pieces,
  shapes,
  texts,
  unphotographed,
} from "./photograph-shapes.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tree: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    only: { type: "string", multiple: true, default: [""] },
    demo: { type: "string" },
    compare: { type: "boolean", default: false },
  },
});
if (positionals.length !== (flags.compare ? 2 : 1)) {
  console.error("Expected OUT, or --compare A B. See the head of scripts/photograph.mjs");
  process.exit(2);
}
if (flags.compare) {
  const { status } = spawnSync("diff", ["-rq", ...positionals], { stdio: "inherit" });
  if (status === 0) console.log("Nothing differs");
  process.exit(status);
}

const [out, tree] = [resolve(positionals[0]), resolve(flags.tree)];
/** Whether anything below a folder, or a file, is asked for. */
const wants = (name) => flags.only.some((one) => name.startsWith(one) || one.startsWith(name));
const work = await disk.mkdtemp(join(tmpdir(), "touchstone-photograph-"));
process.once("exit", () => spawnSync("rm", ["-rf", work]));
const load = (path) => import(pathToFileURL(join(tree, "dist", path)).href);
const { verbs } = await load("cli/verbs.js");
const { conclusions } = await load("conclusions/conclusions.js");
const { runCommandLine } = await load("cli/main.js");
const { wordsOf } = await load("cli/command-line/shell-words.js");

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const isText = (name) => /\.(txt|html|md|json|jsonl|csv|svg|ya?ml|path|js)$/.test(name);

/** Masks what differs each time, and puts long lines on several, since `diff` goes by lines. */
function legible(text) {
  let shown = text.replaceAll(work, "WORK").replaceAll(tree, "TREE");
  for (const [pattern, word] of masks) shown = shown.replace(pattern, word);
  return shown
    .replace(/data:[\w/+-]+;base64,([\w+/=]+)/g, (_, data) => `data:${digest(data)}`)
    .replace(/></g, ">\n<")
    .replace(/([,{[])(?=["{[])/g, "$1\n");
}

const taken = new Set();
async function keep(name, content) {
  if (!wants(name)) return;
  if (taken.has(name)) throw new Error(`Two photographs are called ${name}`);
  taken.add(name);
  const path = join(out, name);
  await disk.mkdir(dirname(path), { recursive: true });
  await disk.writeFile(path, content);
}

/** Nothing takes time while a command line runs; what serves goes by the real clocks. */
const clocks = { Date, now: performance.now.bind(performance) };
const begun = Date.parse("2000-01-01T00:00:00Z");
class StillDate extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [begun] : given));
  }
  static now() {
    return begun;
  }
}
function stopClocks(areStopped) {
  globalThis.Date = areStopped ? StillDate : clocks.Date;
  performance.now = areStopped ? () => 0 : clocks.now;
}
stopClocks(true);

// Names and secrets of a study are drawn: here from a row that is the same each time.
let draws = 0;
crypto.randomBytes = (size) => {
  draws += 1;
  const bytes = createHash("sha512").update(String(draws)).digest();
  return Buffer.alloc(size, bytes);
};
crypto.randomInt = (below) => crypto.randomBytes(4).readUInt32BE() % below;
syncBuiltinESMExports();

/** Runs a command line in this process. `onOutput` may end it by what it has printed. */
async function called(words, { columns = 100, stdin = "", folder = work, onOutput } = {}) {
  const printed = { stdout: "", stderr: "" };
  const ending = new AbortController();
  const sink = (name) => ({
    isTerminal: false,
    columns,
    write(text) {
      printed[name] += text;
      onOutput?.(printed, ending);
    },
  });
  const code = await runCommandLine(words, {
    variables: {},
    workingDirectory: folder,
    program: "touchstone",
    stdin: (async function* () {
      yield new TextEncoder().encode(stdin);
    })(),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    now: () => new Date("2000-01-01T00:00:00Z"),
    open() {},
    signal: ending.signal,
  });
  return { code, ...printed };
}

/** Photographs one command line, or several with a pipe between each, and the files that it wrote. */
async function photograph(name, lines, { folder = work, columns, isNeeded = false } = {}) {
  if (!isNeeded && !wants(name)) return;
  const before = await listed(folder);
  let ended = { stdout: "" };
  let stderr = "";
  for (const words of lines) {
    ended = await called(words, { columns, folder, stdin: ended.stdout });
    stderr += ended.stderr;
  }
  const line = lines.map((words) => `touchstone ${words.join(" ")}`).join(" | ");
  const page = `$ ${line}\nexit ${ended.code}\n${ended.stdout}\n--- stderr\n${stderr}`;
  await keep(`${name}.txt`, legible(page));
  const changed = [...(await listed(folder))].filter(([path, at]) => before.get(path) !== at);
  await keepFiles(
    name,
    folder,
    changed.map(([path]) => path),
  );
}

/** When each file of a folder was last written, without what is never the same twice. */
async function listed(folder) {
  const names = await disk.readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter(
      (path) =>
        !/(^|\/)(trace|work|seals|\.studio|\.touchstone)\/|(secret|demo)\.json$|trace-\d+\.js$/.test(
          path,
        ),
    )
    .sort();
  const times = paths.map(async (path) => {
    const { mtimeMs, size } = await disk.stat(join(folder, path));
    return [path, `${mtimeMs} ${size}`];
  });
  return new Map(await Promise.all(times));
}

/** Keeps texts whole, and of all else a digest. */
async function keepFiles(name, folder, paths) {
  const digests = [];
  for (const path of paths) {
    const bytes = await disk.readFile(join(folder, path));
    const text = isText(path) ? legible(bytes.toString("utf8")) : undefined;
    const isWhole =
      text !== undefined &&
      !/(^|\/)(truth|records|items|blobs|demo-pages|participants|outside-ids)\//.test(path);
    if (isWhole) await keep(`${name}/${legible(path)}`, text);
    else digests.push(`${digest(text ?? bytes)} ${legible(path)}\n`);
  }
  // Names that a study draws come in any order.
  if (digests.length > 0) await keep(`${name}/digests.txt`, digests.sort().join(""));
}

async function commandsOf(list, parents = []) {
  const found = list.map(async ({ name, load }) => {
    const { default: command } = await load();
    const path = [...parents, name];
    const below = command.kind === "group" ? await commandsOf(command.verbs, path) : [];
    return [{ path: path.join(" "), command }, ...below];
  });
  return (await Promise.all(found)).flat();
}

/** One command for each flag of a verb, with a value by the flag's kind. */
function flagsOf(command, example) {
  const without = /^(json|debug|open|out|plot|resamples|permutations|many-models|store|blobs|run)$/;
  return Object.entries(command.arguments).flatMap(([name, flag]) => {
    if (without.test(name) || flag.kind === "positional") return [];
    if (flag.kind === "switch") return [[`--${name}`]];
    if (flag.kind === "choice") return flag.choices.map((choice) => [`--${name}`, choice]);
    if (flag.kind === "text") {
      return [[`--${name}`, (texts[name] ?? flag.value ?? name).replaceAll("$", example)]];
    }
    const value = Math.max(flag.minimum ?? 0, Math.min(flag.maximum ?? 3, 3));
    return [[`--${name}`, String(flag.integer ? Math.ceil(value) : value / 10)]];
  });
}

const commands = await commandsOf(verbs);
for (const { path } of commands) {
  for (const columns of [80, 120]) {
    const name = `help/${columns}/${path.replaceAll(" ", "-")}`;
    await photograph(name, [[...path.split(" "), "--help"]], { columns });
  }
}

// Each example as a table in every format.
const examples = JSON.parse((await called(["example", "--json"])).stdout).examples;
const rows = {};
for (const { verb } of examples) {
  const { stdout, code } = await called(["example", verb, "--json"]);
  if (code === 0) rows[verb] = JSON.parse(stdout).rows;
  await photograph(`example/${verb}`, [["example", verb]]);
  await photograph(`example/${verb}-jsonl`, [["example", verb, "--format", "jsonl"]]);
}
const cell = (value) => {
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? "");
  return `"${String(text).replaceAll('"', '""')}"`;
};
async function writeTable(name, table) {
  const names = Object.keys(table[0]);
  const asCsv = [names, ...table.map((row) => names.map((column) => row[column]))];
  const columnData = names.map((column) => ({
    name: column,
    data: table.map((row) =>
      Array.isArray(row[column]) ? JSON.stringify(row[column]) : row[column],
    ),
  }));
  const [ending] = /\w+$/.exec(name);
  const contents = {
    csv: () => asCsv.map((cells) => cells.map(cell).join(",")).join("\n"),
    json: () => JSON.stringify(table),
    jsonl: () => table.map((row) => JSON.stringify(row)).join("\n"),
    parquet: () => new Uint8Array(parquetWriteBuffer({ columnData })),
  };
  await disk.writeFile(join(work, name), contents[ending]());
}
for (const [name, table] of Object.entries(rows)) {
  if (table === undefined) continue;
  for (const format of ["json", "jsonl", "parquet"]) await writeTable(`${name}.${format}`, table);
  const { stdout } = await called(["example", name]);
  await disk.writeFile(join(work, `${name}.csv`), stdout);
}
for (const [name, table] of Object.entries(madeTables(rows))) await writeTable(name, table);
await called(["compare", "other.csv", "--out", "baseline.json"]);

/** A conclusion's text in two widths, JSON, CSV, Markdown, page and plot. */
async function everyForm(name, words, command) {
  const plot = "plot" in command.arguments ? ["--plot", "plot.svg"] : [];
  await photograph(`${name}/80`, [[...words, "--out", "out.csv"]], { columns: 80 });
  await photograph(`${name}/120`, [[...words, "--out", "out.md"]], { columns: 120 });
  await photograph(`${name}/json`, [[...words, "--json", "--out", "out.html", ...plot]]);
}

for (const { path, command } of commands) {
  const example = path.split(" ").at(-1);
  if (rows[example] === undefined || unphotographed.test(path)) continue;
  const [verb, folder] = [path.split(" "), `verbs/${path.replaceAll(" ", "-")}`];
  const known = await conclusions.find(({ name }) => name === example)?.load();
  const always = known?.default.example.words ?? [];
  const plain = [...verb, `${example}.csv`, ...always];
  const quick = ["resamples", "permutations"].flatMap((name) =>
    name in command.arguments ? [`--${name}`, "200"] : [],
  );
  await everyForm(`${folder}/plain`, plain, command);
  if ("details" in command.arguments) {
    await everyForm(`${folder}/details`, [...plain, "--details"], command);
  }
  for (const format of ["json", "jsonl", "parquet"]) {
    const words = [...verb, `${example}.${format}`, ...always, ...quick, "--json"];
    await photograph(`${folder}/from-${format}`, [words]);
  }
  for (const shape of shapes[path] ?? []) {
    const words = wordsOf(shape.replaceAll("$", example));
    await everyForm(`${folder}/${words.join(" ")}`, [...verb, ...words, ...quick], command);
  }
  for (const flag of flagsOf(command, example)) {
    const rest = always[0] === flag[0] ? [] : always;
    const words = [...verb, `${example}.csv`, ...rest, ...quick, ...flag];
    await photograph(`${folder}/flags/${flag.join(" ")}`, [words]);
    await photograph(`${folder}/flags/${flag.join(" ")}-json`, [[...words, "--json"]]);
  }
}

// Results of other programs, and whole pieces of work.
const fixtures = join(tree, "test/fixtures");
const foreign = join(fixtures, "foreign");
for (const { path } of commands.filter(({ path }) => path.startsWith("import "))) {
  const tool = path.slice("import ".length);
  for (const file of (await disk.readdir(foreign)).filter((name) => name.startsWith(tool))) {
    for (const wide of [[], ["--wide"]]) {
      const words = ["import", tool, join(foreign, file), "--out", `${tool}.csv`, ...wide];
      await photograph(`import/${file}${wide.join("")}`, [words]);
    }
  }
}
await disk.cp(join(foreign, "label-studio-study/study"), join(work, "studies/first"), {
  recursive: true,
});
await disk.cp(join(foreign, "label-studio-study/1.23.2/likert.json"), join(work, "export.json"));
await disk.cp(join(fixtures, "run-0.1.0"), join(work, "runs/older"), { recursive: true });
const demo = join(work, "runs/demo");
const needsDemo = ["demo", "work", "examples", "studio"].some(wants);
if (flags.demo !== undefined) {
  await disk.cp(resolve(flags.demo), demo, { recursive: true });
} else if (needsDemo) {
  const ended = await called(["demo", "--size", "small", "--run", "runs/demo"]);
  await keep("demo/demo.txt", legible(`${ended.stdout}\n--- stderr\n${ended.stderr}`));
}
if (wants("demo")) await keepFiles("demo", demo, [...(await listed(demo)).keys()]);
const { stdout: study } = await called(["example", "study-image-ratings"]);
await disk.writeFile(join(work, "study.yaml"), study);

/** Numbers tell equal lines apart. */
async function runLines(folder, lines, options) {
  for (const [at, line] of lines.entries()) {
    const parts = line.replace(/ > \S+$/, "").split(" | ");
    const name = `${String(at + 1).padStart(2, "0")} ${line.replaceAll("/", ":").slice(0, 120)}`;
    await photograph(`${folder}/${name}`, parts.map(wordsOf), options);
  }
}
if (["work", "examples", "studio"].some(wants)) {
  const painting = ["example", "score", "--out", "painted"];
  await photograph("work/00 example score", [painting], { isNeeded: true });
  const captions = await disk.readFile(join(work, "painted/captions.csv"), "utf8");
  const [, ...lines] = captions.trim().split("\n");
  const pairs = lines.map((line) => line.split(/,(.*)/)).map(([image, text]) => ({ image, text }));
  await writeTable("labels.csv", labelsOf(pairs));
  await runLines("work", pieces, { isNeeded: true });
}

// What is answered over HTTP, by a real socket.
const served = (words, ask) => {
  let asked;
  stopClocks(false);
  return called([...words, "--port", "0", "--json"], {
    onOutput({ stdout }, ending) {
      if (!stdout.endsWith("\n")) return;
      asked ??= ask(JSON.parse(stdout)).finally(() => ending.abort());
      asked.catch((error) => {
        console.error(error);
        process.exit(1);
      });
    },
  });
};
async function reply(name, url, { json, token, ...options } = {}) {
  const ending = new AbortController();
  const response = await fetch(url, {
    signal: ending.signal,
    ...options,
    headers: {
      ...(json && { "content-type": "application/json" }),
      authorization: `Bearer ${token}`,
    },
    ...(json && { method: "POST", body: JSON.stringify(json) }),
  });
  const type = response.headers.get("content-type") ?? "";
  // A stream of events never ends.
  const isStream = type.startsWith("text/event-stream");
  const bytes = isStream
    ? (await response.body.getReader().read()).value
    : Buffer.from(await response.arrayBuffer());
  if (isStream) ending.abort();
  const text = /json|text|svg/.test(type) ? Buffer.from(bytes).toString("utf8") : digest(bytes);
  const head = [...response.headers].map(([header, value]) => `${header}: ${value}\n`).join("");
  await keep(`${name}.txt`, legible(`${response.status}\n${head}\n${text}\n`));
  return type.includes("json") ? JSON.parse(text) : undefined;
}
const named = (path) => path.slice(1, 120).replaceAll("/", ":") || "root";

/** Asks for every address of the studio, each parameter by the first values that other replies name. */
async function askStudio({ url }) {
  const { studio } = await load("studio/studio.js");
  const templates = studio({ root: work })
    .routes.filter(({ method, path }) => method === "GET" && path.startsWith("/api/"))
    .map(({ path }) => path.replace(/\/next$/, "/next?window=photograph"));
  const replies = new Map();
  const get = async (path) => {
    if (!replies.has(path)) {
      replies.set(path, await reply(`studio/${named(path)}`, new URL(path, url).href));
    }
    return replies.get(path);
  };
  const expand = async (path) => {
    const [, name] = /:(\w+)/.exec(path) ?? [];
    if (name === undefined) return [path];
    const found = await parameters[name](get, path);
    const paths = found.map((value) => path.replace(`:${name}`, encodeURIComponent(value)));
    return (await Promise.all(paths.map(expand))).flat();
  };
  for (const template of new Set(templates)) {
    for (const path of await expand(template)) await get(path);
  }
  const { runs } = await get("/api/runs");
  const ids = runs.slice(0, 4).map(({ id }) => `run=${encodeURIComponent(id)}`);
  await get(`/api/compare?${ids.join("&")}`);
  for (const { report } of runs) if (report) await get(report);
}

/** Walks a study's pages as a participant up to the first item, and as who runs it. */
async function askStudy({ url, admin }) {
  const ask = (path, options) => reply(`study/${named(path)}`, new URL(path, url).href, options);
  const external = { source: "link", id: "preview" };
  const { session: token } = await ask("/api/participants", { json: { external } });
  const { study } = await ask("/api/study");
  const consent = { version: study?.consent?.version, agreed: true };
  await ask("/api/consent", { token, json: consent });
  for (const path of ["/", "/admin", "/api/next", "/api/finish"]) await ask(path, { token });
  await ask("/admin/api/status", { token: new URL(admin).hash.slice(1) });
}

if (wants("studio")) await served(["studio", ".", "--no-open"], askStudio);
if (wants("study")) await served(["study", "serve", "studies/first", "--preview"], askStudy);
stopClocks(true);

for (const { path, command } of commands) {
  if (command.kind === "group" || unphotographed.test(path)) continue;
  const lines = command.examples.filter((line) => !elsewhere.test(line));
  const words = lines.map((line) => line.replaceAll(/(?<=^|\| )touchstone /g, ""));
  await runLines(`examples/${path.replaceAll(" ", "-")}`, words);
}
console.log(`${taken.size} photographs in ${out}`);
