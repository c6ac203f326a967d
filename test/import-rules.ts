import { posix } from "node:path";
import { readImports } from "./source-imports.js";

/** The rooms from left to right; a room imports only rooms to its left, and itself. */
const rooms: readonly string[] = [
  "core",
  "stats",
  "ensembles",
  "analysis",
  "tables",
  "views",
  "conclusions",
  "files",
  "images",
  "models",
  "metrics",
  "judges",
  "benchmarks",
  "evidence",
  "studies",
  "runs",
  "report",
  "testing",
  "studio",
  "cli",
  // A package of its own, which reaches the tool as touchstone-t2i/internal.
  "lab",
];
const labFolder = "packages/lab/src/";
const internal = "touchstone-t2i/internal/";

const pureRooms = new Set([
  ...["core", "stats", "ensembles", "analysis", "tables", "views", "conclusions"],
]);
/** Each runs in a browser; the last two read Parquet, loaded when a table is one. */
const packagesOfPureRooms = ["zod", "@noble/hashes", "hyparquet", "hyparquet-compressors"];
/** A figure is a specification in the types of another package, known in one file. */
const typesOfFigures = "src/views/figures/figure.ts";
const onlyTypes = /^import type .* from "vega-lite";$/m;
/**
 * Plots are specifications, and verdicts words: the same ones are shown on a page that has no Node, and
 * concluded there from tables.
 */
const shownAnywhere = [
  "src/report/plots/",
  "src/report/text/",
  "src/benchmarks/attribute-confusion/verdict.ts",
  "src/benchmarks/prototypicality/verdict.ts",
  "src/benchmarks/stereotypes/verdict.ts",
  "src/benchmarks/stereotypes/index-tables.ts",
];
/** What judges images, and what holds the answers. */
const judging = [`${labFolder}models/`, "src/metrics/"];
const answers = [`${labFolder}world/`, `${labFolder}painter/`];

/** How run folders and logs of studies are kept: their own room's matter. */
const behindStore = ["src/files/run-folder/", "src/files/postgres/"];
/** What an address says, which whoever reads one may know. */
const addresses = "src/files/postgres/address.ts";
const namesInRun = "records|trace|blobs|truth|seals|work|run\\.json|report\\.html|verdict\\.json";
const pathIntoRun = new RegExp(
  `(?<!\\.)\\b(?:join|resolve)\\([^;]*?["'\`/](?:${namesInRun})["'\`/]`,
);

/** Verbs are handed an environment and an output; the process itself stands here. */
const onlyOutside = "src/cli/main.ts";
const outside =
  /\bconsole\s*[.[]|\bprocess\s*(?:\?\.|\.)\s*(?:env|exit|exitCode|argv|std\w+|cwd)\b/;

/** What a browser has not, and what gives another answer the second time. */
const unpure =
  /(?<!\.)\b(?:Buffer|process|global|require|setImmediate)\b(?!\s*:)|\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/;
const ownRandomness = /\bMath\.random\b|\bcrypto\.getRandomValues\b/;

/**
 * What ECMAScript lets engines round as they like, so that a browser's last digit is another than Node's:
 * `src/stats/elementary` has the same bits everywhere. Powers of 2 are exact.
 */
const roundedAsEnginesLike =
  /\bMath\.(?:exp|expm1|log|log1p|log2|log10|pow|a?(?:sin|cos|tan)h?|atan2|cbrt|hypot)\b|(?<!(?<![\w.])2 )\*\*/;

/** Paths from the repository's root (`src/core/keys.ts`) with their texts, tests left out. */
export type Sources = ReadonlyMap<string, string>;

/** Every breach of the house's rules about imports, as one sentence each, sorted. */
export function importViolations(sources: Sources): string[] {
  const files = [...sources].map(([path, source]) => {
    const { specifiers, code } = readImports(source);
    const local = specifiers.flatMap((name) =>
      name?.startsWith(internal)
        ? [`src/${name.slice(internal.length)}`]
        : name?.startsWith(".")
          ? [posix.join(posix.dirname(path), name)]
          : [],
    );
    return {
      path,
      room: roomOf(path),
      code,
      source,
      targets: local.map((name) => name.replace(/\.js$/, ".ts")),
      packages: specifiers.filter((name) => name !== null && !name.startsWith(".")),
      hasComputed: specifiers.includes(null),
    };
  });
  const graph = new Map(files.map(({ path, targets }) => [path, targets]));
  const violations = files.flatMap((file) => [
    ...directionViolations(file.path, file.room, file.targets),
    ...purityViolations(file),
    ...(file.path !== onlyOutside && outside.test(file.code)
      ? [`${file.path} prints, exits or reads the environment; only ${onlyOutside} does`]
      : []),
    ...folderViolations(file),
    ...(ownRandomness.test(file.code)
      ? [`${file.path} makes random numbers of its own; randomFrom gives seeded ones`]
      : []),
    ...(judging.some((folder) => file.path.startsWith(folder))
      ? answersReached(file.path, graph)
      : []),
  ]);
  return [...new Set([...violations, ...circles(withoutBreaches(files))])].sort();
}

/** The imports that keep to the direction: each of the others is a breach of its own. */
const withoutBreaches = (
  files: readonly { path: string; room: string; targets: readonly string[] }[],
) =>
  new Map(
    files.map(({ path, room, targets }) => [
      path,
      targets.filter((target) => placeOf(roomOf(target)) <= placeOf(room)),
    ]),
  );

/** The circles of imports, types included, one for each import that closes one. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start >= 0) found.push(`${[...way.slice(start), path].join(" -> ")}: a circle of imports`);
    if (start >= 0 || done.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly source: string;
  readonly code: string;
  readonly packages: readonly (string | null)[];
  readonly hasComputed: boolean;
}

const roomOf = (path: string) =>
  path.startsWith(labFolder) ? "lab" : path.split("/").length > 2 ? (path.split("/")[1] ?? "") : "";

/** The library's entry (`src/index.ts`) stands to the right of all rooms but cli. */
function placeOf(room: string): number {
  return room === "" ? rooms.indexOf("cli") - 0.5 : rooms.indexOf(room);
}

function directionViolations(path: string, room: string, targets: readonly string[]): string[] {
  const place = placeOf(room);
  if (place < 0) return [`${path} lies in no room of the house`];
  return targets.flatMap((target) => {
    if (!target.startsWith("src/") && !target.startsWith(labFolder))
      return [`${path} imports ${target}, outside src`];
    return placeOf(roomOf(target)) > place
      ? [`${path} imports ${target}, a room to its right`]
      : [];
  });
}

/** A run may live elsewhere: above `files` nobody knows that it is a folder. */
function folderViolations({
  path,
  room,
  source,
  targets,
}: {
  readonly path: string;
  readonly room: string;
  readonly source: string;
  readonly targets: readonly string[];
}): string[] {
  if (room === "files") return [];
  const inside = targets.filter(
    (target) => target !== addresses && behindStore.some((home) => target.startsWith(home)),
  );
  return [
    ...inside.map((target) => `${path} imports ${target}; a run is opened by openStore alone`),
    ...(pathIntoRun.test(source)
      ? [`${path} joins a path into a run, which may be no folder`]
      : []),
  ];
}

function purityViolations({
  path,
  room,
  source,
  code,
  packages: named,
  hasComputed,
}: SourceFile): string[] {
  const packages =
    path === typesOfFigures && onlyTypes.test(source)
      ? named.filter((name) => name !== "vega-lite")
      : named;
  const isSpec = shownAnywhere.some((folder) => path.startsWith(folder));
  if (!pureRooms.has(room) && !isSpec) return [];
  const foreign = packages.filter((name) =>
    isSpec
      ? name?.startsWith("node:")
      : !packagesOfPureRooms.some((known) => name === known || name?.startsWith(`${known}/`)),
  );
  return [
    ...foreign.map((name) => `${path} imports ${name}, but is pure`),
    ...(unpure.test(code) ? [`${path} uses Node's globals or a clock, but is pure`] : []),
    ...(roundedAsEnginesLike.test(code)
      ? [`${path} rounds as the engine likes; src/stats/elementary is the same everywhere`]
      : []),
    ...(hasComputed ? [`${path} imports a computed name, but is pure`] : []),
  ];
}

/** Whether a file that judges reaches, over any number of steps, a file that knows the answer. */
function answersReached(start: string, graph: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set([start]);
  const open: string[][] = [[start]];
  for (let way = open.shift(); way !== undefined; way = open.shift()) {
    for (const target of graph.get(way.at(-1) ?? "") ?? []) {
      if (knowsAnswer(target))
        return [`${[...way, target].join(" -> ")}: a judge reaches the truth`];
      if (seen.has(target)) continue;
      seen.add(target);
      open.push([...way, target]);
    }
  }
  return [];
}

const knowsAnswer = (path: string) =>
  answers.some((folder) => path.startsWith(folder)) || /(?:^|[/.-])truth(?:[/.-]|$)/.test(path);
