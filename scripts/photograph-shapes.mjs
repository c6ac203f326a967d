// What a photograph can't derive from declarations: flags that take texts, tables of other shapes, and
// what isn't photographed. See photograph.mjs.

/** Values of flags that take a text, for all verbs that read the table `example NAME` prints. */
export const texts = {
  map: "id=prompt",
  where: "prompt!=a red kettle",
  unscored: "0.712,5",
  join: "id",
  range: "0,1",
  values: "a=b,5=4",
  raters: "Ada,Ben",
  experts: "present,expert",
  categories: "1,2,3,4,5",
  human: "rating",
  group: "prompt",
  partial: "vqa-score",
  metrics: "clip-score",
  metric: "clip-score",
  "without-excluded": "$.csv",
};

/** Shapes of a verb's table and flags that go together; `$` is the name of its example. */
export const shapes = {
  "analyze contrastive": [
    "wide.contrastive.csv --wide",
    "wide.contrastive.csv --wide --interval t --details",
    "$.csv --scale range --range 0,1 --interval bca",
    "$.csv --scale minmax --direction lower --tie-tolerance 0.05",
    "$.csv $.csv --map id=id+filename",
    "$.csv --where metric=clip-score --where domain!=animals --details",
  ],
  "analyze swap": ["wide.swap.csv --wide", "$.csv --direction lower --interval bca --details"],
  "analyze correlation": [
    "raters.csv --human anna,ben",
    "raters.csv --human anna,ben --icc --plcc --williams --details",
    "$.csv --human rating --group prompt --average mean --weight n --undefined zero",
    "$.csv --human rating --partial vqa-score --metrics clip-score --tie-calibration --details",
    "counts.csv --human-counts tp,fp,fn --groups 4 --seeds 2 --target precision --metrics clip",
    "long.csv --human rating --metrics value",
    "left.csv right.csv --join id --human rating",
  ],
  "analyze agreement": [
    "wide.agreement.csv --scale ordinal --raters Ada,Ben,Cleo",
    "wide.agreement.csv --scale nominal --raters Ada,Ben --categories 1,2,3,4,5 --details",
    "anonymous.csv --scale interval --details",
    "$.csv --scale interval --values 5=4 --details",
  ],
  "analyze significance": [
    "wide.significance.csv --methods coin=coin,judge=calibrated-judge",
    "$.csv --metric ece --adjust none --details",
  ],
  "analyze stereotypes": [
    "$.csv --experts present,expert",
    "$.csv --experts present,expert --interval bca --details",
  ],
  "analyze preferences": [
    "$.csv --ties davidson --cluster prompt --details",
    "$.csv --prior 0.5 --interval delta --cluster both",
    "named.csv --details",
  ],
  "analyze ensemble": ["$.csv --objective mixture --lambda 0.3 --clusters 3 --temperature 1"],
  "analyze calibration": ["$.csv --bins equal-mass --bin-count 5 --interval bca --details"],
  compare: [
    "wide.compare.csv --scores A=painter-a,B=painter-b",
    "wide.compare.csv --scores A=painter-a,B=painter-b --humans A=human_a,B=human_b --details",
    "$.csv --fail-under 0.99",
    "$.csv --baseline other.csv --fail-under -0.02 --details",
    "$.csv --baseline baseline.json --test wilcoxon --adjust bh",
    "$.csv --labels chosen --range 0,1 --interval delta --details",
    "scored.jsonl --metric vqa-score --test t",
  ],
  card: ["$.csv --direction lower", "$.csv --tie-tolerance 0.1"],
};

/** Tables of those shapes, from the rows that `example NAME` prints. */
export function madeTables(rows) {
  const column = ({ metric }, name) => `${metric}_${name}`;
  const wide = (table, by, cells) => {
    const found = new Map();
    for (const row of table) found.set(row[by], { ...found.get(row[by]), ...cells(row) });
    const names = [...new Set([...found.values()].flatMap(Object.keys))];
    return [...found.values()].map((row) =>
      Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
    );
  };
  const { correlation, agreement, preferences, compare } = rows;
  return {
    "wide.contrastive.csv": wide(rows.contrastive, "id", (row) => ({
      id: row.id,
      domain: row.domain,
      prompt: row.prompt,
      [column(row, "correct")]: row.correct,
      [column(row, "adversarial")]: row.adversarial,
    })),
    "wide.swap.csv": wide(rows.swap, "id", (row) => ({
      id: row.id,
      prompt: row.prompt,
      [column(row, "original")]: row.original,
      [column(row, "swapped")]: row.swapped,
    })),
    "wide.agreement.csv": wide(agreement, "item", (row) => ({
      item: row.item,
      [row.annotator]: row.value,
    })),
    "anonymous.csv": agreement.map(({ item, value }) => ({ item, value })),
    "wide.significance.csv": wide(rows.significance, "id", (row) => ({
      id: row.id,
      label: row.label,
      [row.method]: row.probability,
    })),
    "wide.compare.csv": wide(compare, "prompt", (row) => ({
      prompt: row.prompt,
      [row.model]: row.score,
      [`human_${row.model.at(-1)}`]: row.human,
    })),
    "other.csv": compare.map((row) => ({ ...row, score: row.score && row.score + 0.05 })),
    "scored.jsonl": compare.map((row) => ({ ...row, metric: "vqa-score", direction: "higher" })),
    "named.csv": preferences.map((row) => ({
      ...row,
      preferred: row[row.preferred] ?? row.preferred,
    })),
    "raters.csv": correlation.map(({ rating, ...row }, at) => ({
      ...row,
      anna: Math.round(rating),
      ben: Math.min(5, Math.round(rating) + (at % 2)),
    })),
    "counts.csv": correlation.map((row, at) => ({
      id: row.id,
      tp: at % 4,
      fp: (at * 3) % 5,
      fn: (at * 7) % 3,
      clip: row["clip-score"],
    })),
    "left.csv": correlation.map(({ id, rating }) => ({ id, rating })),
    "right.csv": correlation.map(({ rating: _, ...row }) => row),
    "long.csv": correlation.flatMap(({ id, prompt, rating, ...metrics }) =>
      Object.entries(metrics).map(([metric, value]) => ({ id, prompt, rating, metric, value })),
    ),
  };
}

/** Verbs whose examples are not run: they serve until they are stopped, take long, or tell of the machine. */
export const unphotographed =
  /^(demo|doctor|lab evaluate|lab serve|studio|study serve|lab experiment \S+)$/;

/** Examples that ask another machine, take long, or are photographed otherwise. */
export const elsewhere =
  /postgres:|s3:|openai|fal:|transformers-js|python:|^touchstone (card|report|generate runs|run resume|build .*(paper-size|300)|analyze|compare|import) /;

/** Labels of the painted pairs of `example score`, every other one wrong: what `calibrate` reads. */
export const labelsOf = (captions) =>
  captions.flatMap(({ image, text: caption }, at) => {
    if (at % 2 === 1) return [];
    const files = { image_a: `painted/${image}`, image_b: `painted/${captions[at + 1].image}` };
    return [{ id: `p${at}`, caption, ...files, preferred: at % 4 === 0 ? "a" : "b" }];
  });

/** Pieces of work, in this order in one folder; runs/demo is the small demo. */
export const pieces = [
  "score painted/captions.csv --metric vqa-score --model lab:vqa --out scores.jsonl",
  "score painted/captions.csv --metric clip-score --model lab:dual-encoder-skewed --json",
  "score painted/captions.csv --metric vqa-score=lab:vqa --metric clip-score=lab:dual-encoder-skewed --out scores.html",
  "calibrate labels.csv --model lab:judge --prompts 3 --target-error 0.45 --out judge.json",
  "judge labels.csv --judge judge.json --threshold 0.7 --out results.jsonl --review review.jsonl",
  "card --metric vqa-score --model lab:vqa --pictures 4 --resamples 200 --out card.html",
  "build --run runs/benchmark --prompts 8 --drawable-by lab:painter",
  "generate --run runs/benchmark --model lab:painter --samples 1",
  "score runs/benchmark --metric vqa-score --model lab:vqa",
  "report runs/benchmark --json",
  "run resume runs/benchmark",
  "report runs/older --out older.html",
  "run verify runs/older",
  "report runs/demo --unfiltered --out unfiltered.html",
  "report runs/demo/attribute-confusion --tables tables --out outfits.html",
  "report runs/demo/stereotypes --out stereotypes.html",
  "card runs/demo --out demo-card.html",
  "card runs/demo --json",
  "run status runs/demo/judge/pairs",
  "study page runs/demo/stereotypes --out sheet.html",
  "study import studies/first export.json",
  "study status studies/first",
  "study status runs/demo/people/study",
  "study export runs/demo/people/study --out answers.csv",
  "study export runs/demo/people/study --table participants --out participants.csv",
  "study export runs/demo/people/study --table agreement --out agreement-of-people.csv",
  "analyze agreement agreement-of-people.csv --scale ordinal",
  "study create study.yaml --from runs/demo --run studies/second",
  "study plan study.yaml --difference 0.3 --simulations 50",
];

const ofFiles = (kind) => async (get) =>
  (await get("/api/files")).files.filter((file) => file.kind === kind).map(({ id }) => id);
const fromItems = (name) => async (get, path) => {
  const [run] = /^\/api\/runs\/[^/]+/.exec(path) ?? [];
  const { items } = await get(`${run}/items`);
  return items.slice(0, 2).map((item) => item[name]);
};

/** Values for the parameters of the studio's addresses, from what it answers to `get(path)`. */
export const parameters = {
  run: async (get) => (await get("/api/runs")).runs.map(({ id }) => id),
  key: fromItems("key"),
  image: fromItems("image"),
  at: () => ["0"],
  judge: ofFiles("judge"),
  study: ofFiles("study"),
  review: ofFiles("review"),
  file: ofFiles("scores"),
  // A job runs by the clock.
  job: () => [],
  item: async (get, path) => {
    const { items } = await get(`${path.slice(0, path.indexOf("/items"))}/next?window=photograph`);
    return items.slice(0, 1).map(({ item }) => item);
  },
};

/** What differs between two photographs of one tree: clocks, ports, folders, random names. */
export const masks = [
  [/^(date|content-length|etag): .*$/gm, "$1: …"],
  [/"rate":[\d.]+/g, '"rate":RATE'],
  [/\d[\d.]* s, attempt/g, "DURATION, attempt"],
  [/\bp-[a-z]{10}\b/g, "p-NAME"],
  [/#invite=[\w.-]+/g, "#invite=TOKEN"],
  // Tokens, invitations and names of images that a study draws.
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}/g, "TOKEN"],
  [/"sha256": ?"[0-9a-f]{64}"/g, '"sha256": "HASH"'],
  [/"id": ?"[0-9a-f]{12}"/g, '"id": "ID"'],
  [/127\.0\.0\.1:\d+/g, "ADDRESS"],
  [/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "TIME"],
  [/\d[\d.,]*\/s\b/g, "RATE"],
  [/in (under )?\d[\d.,]* (s|min|h)( \d+ (s|min))?\b/g, "in DURATION"],
  [/\d[\d.,]* (s|min|h)( \d+ (s|min))? left/g, "DURATION left"],
];
