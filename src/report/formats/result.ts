import type { Json, JsonObject } from "../../core/json.js";

/** A number that was found, with all that a reader needs to judge it. */
export interface ResultFigure {
  /** The members of the JSON that lead to it, without those that name what it is of: "overall.failureRate". */
  readonly name: string;
  /** What it is of: `{ model: "painter-a" }`, `{ metric: "clip-score", domain: "animals" }`. */
  readonly of: Readonly<Record<string, string>>;
  /** Null where the statistic is undefined; `reason` says why. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly reason?: string;
  readonly n?: number;
  readonly unscored?: number;
  /** How the number is read, where the result says: "share", "seconds". */
  readonly unit?: string;
  /** How its interval was made, a sentence. */
  readonly method?: string;
  /** Coverage of the interval, 0 to 1. */
  readonly level?: number;
}

/** Something that was demanded of a result. */
export interface ResultCheck {
  readonly name: string;
  readonly of: Readonly<Record<string, string>>;
  /** `open`: nothing shows it either way, or nothing was measured. */
  readonly state: "passed" | "failed" | "open";
  readonly message: string;
}

/** The score of one prompt or image; null where it is unscored. */
export interface ResultSample {
  readonly subject: string;
  readonly id: string;
  readonly text: string;
  readonly value: number | null;
  readonly metric?: string;
  /** The image that was scored, by its SHA-256. */
  readonly image?: string;
  readonly reason?: string;
}

/** What a verb concluded, in the one shape that all formats are written from. */
export interface Result {
  readonly verdict: string;
  readonly figures: readonly ResultFigure[];
  readonly checks: readonly ResultCheck[];
  readonly samples: readonly ResultSample[];
  readonly metric?: string;
  readonly direction?: "higher" | "lower";
  /** The range of the metric's scores. */
  readonly range?: readonly [low: number, high: number];
  /** The model behind the metric, and what it was asked. */
  readonly judge?: { readonly model: string; readonly template?: string };
  readonly warnings: readonly string[];
}

/** Members that hold a thing each, by what such a thing is. */
const collections: Readonly<Record<string, string>> = {
  models: "model",
  generators: "generator",
  metrics: "metric",
  judges: "judge",
  methods: "method",
  raters: "rater",
  domains: "domain",
  categories: "category",
  groups: "group",
  selections: "selection",
};

/** Members of a list's items that say what the item is of. */
const naming = [
  ..."metric model judge method phase domain category group generator".split(" "),
  ..."a b than against target errorType".split(" "),
];

/** Members that hold settings, rows and what figures are made of: no figures, though some hold estimates. */
const notFigures = new Set([
  ..."gate beside sanity subject claims scores bounds bins coverage images answers pairwise rank".split(
    " ",
  ),
  ..."measure results knobs bothAtypical bothTypical expectation labelsNeeded".split(" "),
]);

/** Numbers that are found without an interval of their own; others are counts, settings or steps of a calculation. */
const withoutInterval = new Set([
  ..."initial refined value againstValue difference meanDifference p pAdjusted cohensDz".split(" "),
  ..."reliability resolution uncertainty sensitivity specificity apparent".split(" "),
]);

/** Members that only group the figures of the object above. */
const transparent = new Set(["intervalsOf", "further", "figures"]);

interface Context {
  readonly path: readonly string[];
  readonly of: Readonly<Record<string, string>>;
  readonly n?: number | undefined;
  readonly unscored?: number | undefined;
  readonly method?: string | undefined;
  readonly level?: number | undefined;
}

/**
 * Reads what a verb printed with --json: each estimate, and the few numbers that are found without an interval, with
 * what it is of. Nothing is computed: each number is the JSON's.
 */
export function readResult(json: JsonObject): Result {
  const measure = objectOf(json.measure);
  const cards = listOf(json.cards);
  const subject = objectOf(objectOf(cards[0])?.subject);
  const metric = textOf(json.metric);
  const direction = json.direction ?? subject?.direction;
  const model = textOf(measure?.model);
  const template = textOf(measure?.template);
  const [low, high] = listOf(measure?.range).map(numberOf);
  return {
    verdict:
      textOf(json.verdict) ??
      listOf(json.verdict)
        .flatMap((one) => textOf(one) ?? [])
        .join(" "),
    figures: [...figuresOf(json, { path: [], of: {} })],
    checks: checksOf(json),
    samples: [...samplesOf(json)],
    ...(metric !== undefined && { metric }),
    ...(direction === "higher" || direction === "lower" ? { direction } : {}),
    ...(low !== undefined && high !== undefined && { range: [low, high] as const }),
    ...(model !== undefined && { judge: { model, ...(template !== undefined && { template }) } }),
    warnings: listOf(json.warnings).flatMap((one) => textOf(one) ?? []),
  };
}

function* figuresOf(node: JsonObject, outer: Context): Generator<ResultFigure> {
  const intervals = objectOf(node.intervals) ?? objectOf(node.intervalMethod);
  const context: Context = {
    ...outer,
    n: numberOf(node.n) ?? outer.n,
    unscored: numberOf(node.unscored) ?? outer.unscored,
    method: textOf(node.intervals) ?? textOf(intervals?.text) ?? outer.method,
    level: numberOf(intervals?.level) ?? outer.level,
  };
  const known = objectOf(node.intervalsOf);
  for (const [key, value] of Object.entries(node)) {
    if (notFigures.has(key)) continue;
    const path = transparent.has(key) ? context.path : [...context.path, key];
    if (typeof value === "number") {
      if (withoutInterval.has(key) && known?.[key] === undefined) {
        // A test has the interval of its mean difference beside it.
        const beside = key === "meanDifference" ? node : {};
        const [low, high] = [numberOf(beside.low) ?? null, numberOf(beside.high) ?? null];
        yield { ...named({ ...context, path }), value, low, high };
      }
    } else if (Array.isArray(value)) {
      yield* itemsOf(value, { ...context, path });
    } else {
      const inner = objectOf(value);
      if (inner === undefined) continue;
      // The same numbers stand in `intervalsOf`, with their intervals.
      if (key === "metrics" && known !== undefined) continue;
      yield* membersOf(inner, { key, context, path });
    }
  }
}

function* membersOf(
  inner: JsonObject,
  {
    key,
    context,
    path,
  }: { readonly key: string; readonly context: Context; readonly path: readonly string[] },
): Generator<ResultFigure> {
  const kind = collections[key];
  const things = Object.entries(inner);
  if (isEstimate(inner)) {
    yield estimateOf(inner, { ...context, path: key === "estimate" ? context.path : path });
  } else if (kind !== undefined && things.every(([, one]) => objectOf(one) !== undefined)) {
    for (const [name, one] of things) {
      const thing = objectOf(one);
      if (thing === undefined) continue;
      yield* figuresOf(thing, {
        ...fresh(context),
        path: context.path,
        of: { ...context.of, [kind]: name },
      });
    }
  } else {
    // Counts belong to the object that has them, and to what only groups its figures.
    yield* figuresOf(
      inner,
      transparent.has(key) ? { ...context, path } : { ...fresh(context), path },
    );
  }
}

function* itemsOf(items: readonly Json[], context: Context): Generator<ResultFigure> {
  const at = context.path.at(-1) ?? "";
  const kind = at === "cards" ? "metric" : collections[at];
  const path = kind === undefined ? context.path : context.path.slice(0, -1);
  for (const item of items) {
    const thing = objectOf(item);
    if (thing === undefined) continue;
    const own = textOf(thing.name) ?? textOf(objectOf(thing.subject)?.name);
    const of = {
      ...context.of,
      ...(own !== undefined && { [kind ?? "name"]: own }),
      ...Object.fromEntries(
        naming.flatMap((name) => {
          const text = textOf(thing[name]);
          return text === undefined ? [] : [[name, text]];
        }),
      ),
    };
    yield* figuresOf(thing, { ...fresh(context), path, of });
  }
}

const fresh = (context: Context): Context => ({ ...context, n: undefined, unscored: undefined });

function named({ path, of, n, unscored, method, level }: Context) {
  return {
    name: path.join("."),
    of,
    ...(n !== undefined && { n }),
    ...(unscored !== undefined && { unscored }),
    ...(method !== undefined && { method }),
    ...(level !== undefined && { level }),
  };
}

const isEstimate = (node: JsonObject) => "value" in node && "low" in node && "high" in node;

function estimateOf(node: JsonObject, context: Context): ResultFigure {
  const [reason, unit] = [textOf(node.reason), textOf(node.unit)];
  return {
    ...named(context),
    value: numberOf(node.value) ?? null,
    low: numberOf(node.low) ?? null,
    high: numberOf(node.high) ?? null,
    ...(reason !== undefined && { reason }),
    ...(unit !== undefined && { unit }),
  };
}

/** What a gate or a card's expectations say; a gate that is missed by none of its models fails by itself. */
function checksOf(json: JsonObject): readonly ResultCheck[] {
  const gate = objectOf(json.gate);
  const each = [...eachCheck(json, gate)];
  if (gate?.passed !== false || each.some(({ state }) => state === "failed")) return each;
  const why = listOf(gate.cautions).flatMap((one) => textOf(one) ?? []);
  const message = why.join("; ") || (textOf(json.verdict) ?? "The gate was missed.");
  return [{ name: "gate", of: {}, state: "failed", message }, ...each];
}

function* eachCheck(json: JsonObject, gate: JsonObject | undefined): Generator<ResultCheck> {
  for (const one of listOf(gate?.models)) {
    const model = objectOf(one);
    if (model === undefined) continue;
    const name = textOf(model.model) ?? "";
    const change = objectOf(model.change);
    const moved = change === undefined ? "" : `: change ${spoken(change)}`;
    const state = model.passed === true ? "passed" : "failed";
    yield {
      name: "gate",
      of: { model: name },
      state,
      message: `${name} ${state} the gate${moved}`,
    };
  }
  for (const one of listOf(gate?.perPrompt)) {
    const prompt = objectOf(one);
    const state = prompt?.state;
    if (prompt === undefined || (state !== "failed" && state !== "passed" && state !== "open"))
      continue;
    const of = { model: textOf(prompt.model) ?? "", prompt: textOf(prompt.prompt) ?? "" };
    yield { name: "gate per prompt", of, state, message: textOf(prompt.sentence) ?? "" };
  }
  for (const one of listOf(json.claims)) {
    const claim = objectOf(one);
    const [statement, measured] = [textOf(claim?.statement), textOf(claim?.measured)];
    const state = expectations[textOf(claim?.outcome) ?? ""];
    if (claim === undefined || statement === undefined || state === undefined) continue;
    const found = objectOf(claim.estimate);
    const message = `${measured ?? statement}: ${found === undefined ? (textOf(claim.reason) ?? "") : spoken(found)}`;
    yield { name: statement, of: {}, state, message };
  }
  for (const card of listOf(json.cards)) {
    const its = objectOf(card);
    const metric = textOf(objectOf(its?.subject)?.name) ?? "";
    for (const [id, one] of Object.entries(objectOf(its?.figures) ?? {})) {
      const figure = objectOf(one);
      const state = expectations[textOf(figure?.status) ?? ""];
      if (state === undefined) continue;
      yield { name: id, of: { metric }, state, message: textOf(figure?.sentence) ?? "" };
    }
  }
}

const expectations: Readonly<Record<string, ResultCheck["state"]>> = {
  holds: "passed",
  fails: "failed",
  undecided: "open",
  "not-measured": "open",
};

const spoken = ({ value, low, high }: JsonObject) =>
  `${value ?? "undefined"}${low === null ? "" : ` [${low}, ${high}]`}`;

/** Scores of single prompts, as `compare` keeps them for the next gate. */
function* samplesOf(json: JsonObject): Generator<ResultSample> {
  const scores = objectOf(json.scores);
  const metric = textOf(json.metric);
  const prompts = listOf(scores?.prompts);
  for (const [subject, its] of Object.entries(objectOf(scores?.models) ?? {})) {
    for (const [at, values] of listOf(its).entries()) {
      const text = textOf(prompts[at]) ?? "";
      const shared = { subject, text, ...(metric !== undefined && { metric }) };
      const scored = listOf(values).flatMap((one) => numberOf(one) ?? []);
      if (scored.length === 0) {
        yield { ...shared, id: `${at + 1}`, value: null, reason: "no score of this prompt" };
      }
      for (const [number, value] of scored.entries()) {
        yield { ...shared, id: `${at + 1}-${number + 1}`, value };
      }
    }
  }
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
const objectOf = (value: Json | undefined): JsonObject | undefined =>
  value !== null && typeof value === "object" && !isList(value) ? value : undefined;
const textOf = (value: Json | undefined) => (typeof value === "string" ? value : undefined);
const numberOf = (value: Json | undefined) => (typeof value === "number" ? value : undefined);
