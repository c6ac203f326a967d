// Joins what each start loads into few files, so that a command line opens 20 files in place of 140: each module of
// dist stays where it is, and those that a start needs pass on what a chunk holds. Each pure room has a chunk of its
// own, since a browser loads it, too; and so have those of their modules that load zod, which takes time.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { rolldown } from "rolldown";

const dist = resolve("dist");
const chunks = "chunks";
const pureRooms = ["core", "stats", "ensembles", "analysis", "tables", "views", "conclusions"];
const kinds = [...pureRooms.map((room) => `-${room}`), "-schemas", ""];
/** Modules that importing these loads, themselves included. */
function loadedBy(...paths) {
  const found = new Set();
  const load = (path) => {
    if (found.has(path)) return;
    found.add(path);
    const code = readFileSync(path, "utf8");
    for (const [, from] of code.matchAll(
      /^(?:import|export) (?:[^"]* from )?"(\.[^"]+\.js)";$/gm,
    )) {
      load(join(dirname(path), from));
    }
  };
  for (const path of paths) load(join(dist, path));
  return found;
}

const loadsZod = (path) =>
  [...loadedBy(relative(dist, path))].some((one) =>
    / from "zod";$/m.test(readFileSync(one, "utf8")),
  );
function kindOf(path) {
  const [room] = relative(dist, path).split(sep);
  return pureRooms.includes(room) ? (loadsZod(path) ? "-schemas" : `-${room}`) : "";
}

const groups = Object.entries({
  start: loadedBy("cli/main.js"),
  concluding: loadedBy(
    "cli/conclusions/conclusion-command.js",
    "conclusions/contrastive/contrastive.js",
    "tables/csv-blocks.js",
  ),
  library: loadedBy("index.js"),
});
const inChunk = (path) => groups.some(([, modules]) => modules.has(path));
const modules = readdirSync(dist, { recursive: true }).filter(
  (name) => name.endsWith(".js") && !name.startsWith("web/"),
);
const bundle = await rolldown({
  input: Object.fromEntries(modules.map((name) => [name.slice(0, -3), join(dist, name)])),
  platform: "node",
  external: /^[^./]/,
  logLevel: "silent",
  plugins: [
    {
      name: "addresses of files beside a module, seen from its chunk",
      transform(code, path) {
        if (!inChunk(path) || !code.includes("import.meta.url")) return;
        const place = JSON.stringify(relative(join(dist, chunks), path).replaceAll("\\", "/"));
        return code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`);
      },
    },
  ],
});
const { output } = await bundle.generate({
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  codeSplitting: {
    groups: groups.flatMap(([name, loaded], at) =>
      kinds.map((kind) => ({
        name: `${chunks}/${name}${kind}`,
        test: (path) => loaded.has(path) && kindOf(path) === kind,
        priority: groups.length - at,
      })),
    ),
  },
});
await bundle.close();
mkdirSync(join(dist, chunks));
for (const { fileName, code } of output) {
  const path = join(dist, fileName);
  // What is in no chunk stays as it was compiled.
  if (!inChunk(path) && !fileName.startsWith(`${chunks}/`)) continue;
  if (code.includes("@oxc-project/runtime")) throw new Error(`${fileName} imports a package more`);
  writeFileSync(path, code);
}
