import { z } from "zod";
import {
  conventionOf,
  localizedName,
} from "../../benchmarks/attribute-confusion/localized-metrics.js";
import type { Json } from "../../core/json.js";
import { placed } from "../../core/models.js";
import type { AnyRecord, RecordOf } from "../../core/records.js";
import type { RecordLife, TraceEntry } from "../../runs/record-life.js";
import { fixedText } from "../../views/number-text.js";

/** A record's life as lines for people: what was asked of whom, what came, when. */
export function lifeFacts(life: RecordLife): Fact[] {
  const { record } = life;
  return [
    ["record", `${record.type} ${record.key}, made by ${record.step}`],
    ...answerFacts(record),
    ...(record.type === "score" ? scoreFacts(record) : []),
    ...judgedFacts(record),
    ...life.shown.map(
      ({ name, hash, path, problem }): Fact => [`image ${name}`, path ?? problem ?? stored(hash)],
    ),
    ...imageFacts(life),
    ...promptFacts(life),
    ...descriptionFacts(life),
    ...askedFacts(life),
    ...life.madeFrom.map((made): Fact => ["became", madeText(made)]),
  ];
}

function answerFacts(record: RecordLife["record"]): Fact[] {
  if (record.status === "unscored") {
    const again = record.retryable ? "asked again on resume" : "not asked again";
    return [["unscored", `${record.reason}: ${record.detail} (${again})`]];
  }
  return record.type === "score" ? [["value", String(record.value)]] : [];
}

function scoreFacts(score: RecordOf<"score">): Fact[] {
  const [low, high] = score.range;
  const { question, details = {} } = score.status === "done" ? score : {};
  return [
    ["metric", `${score.metric}, version ${score.metricVersion}`],
    ...(score.convention === undefined ? [] : [["convention", score.convention] as const]),
    ...(score.template === undefined ? [] : [["template", score.template] as const]),
    ["statistic", score.statistic],
    ["range", `${low} to ${high}, ${score.direction} is better`],
    ["model", score.model],
    ...(score.baseUrl === undefined ? [] : [["base URL", score.baseUrl] as const]),
    ["text", score.text],
    ...(question === undefined ? [] : [["question", question] as const]),
    ...strategyFacts(score),
    ...Object.entries(details).flatMap(detailFacts),
  ];
}

function strategyFacts(score: RecordOf<"score">): Fact[] {
  if (score.metric !== localizedName) return [];
  const { strategy } = conventionOf(score);
  return [["looked at", `each entity by itself; around it: ${strategy}`]];
}

/** A list is shown a line for each of its members: each question with its answer. */
function detailFacts([name, detail]: readonly [string, Json]): Fact[] {
  return Array.isArray(detail)
    ? detail.map((member: Json): Fact => [name, detailText(member)])
    : [[name, detailText(detail)]];
}

function detailText(detail: Json): string {
  if (detail === null) return "none";
  const asked = question.safeParse(detail);
  if (asked.success) return questionText(asked.data);
  if (typeof detail !== "object" || Array.isArray(detail)) {
    return typeof detail === "string" ? detail : JSON.stringify(detail);
  }
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === "number" ? value : JSON.stringify(value)}`)
    .join(", ");
}

const question = z.object({
  question: z.string().optional(),
  on: z.string().optional(),
  entity: z.string(),
  attribute: z.string(),
  kind: z.enum(["reflection", "leakage"]),
  probability: z.number(),
  mask: z.string().optional(),
  inside: z.number().optional(),
});

/** `leakage, on skirt: "Is the skirt plaid?" P(yes) 0.07 (mask found, 12.3 % of the image)` */
function questionText(asked: z.output<typeof question>): string {
  const { on = asked.entity, kind, mask, inside, probability } = asked;
  const share = inside === undefined ? "" : `, ${fixedText(inside * 100, 1)} % of the image`;
  return [
    `${kind}, on ${on}: "${asked.question ?? `${asked.attribute} ${asked.entity}`}"`,
    `P(yes) ${probability}`,
    ...(mask === undefined ? [] : [`(mask ${mask}${share})`]),
  ].join(" ");
}

const stored = (hash: string) => `${hash.slice(0, 12)}… in the run's store`;

function imageFacts({ image, imagePath, imageProblem }: RecordLife): Fact[] {
  if (image === undefined) return [];
  const shape = image.status === "done" ? `, ${image.width} x ${image.height} pixels` : "";
  const revised = image.status === "done" ? image.revisedPrompt : undefined;
  // Bytes in a database or on S3 are in no file.
  const unfiled =
    image.status === "done" ? `${stored(image.image)}${shape}` : "its file is not in the run";
  return [
    ["image", imagePath === undefined ? (imageProblem ?? unfiled) : `${imagePath}${shape}`],
    ["drawn from", image.text],
    ...(revised === undefined ? [] : [["revised to", revised] as const]),
    ["drawn by", `${placed(image)}, seed ${image.seed}, sample ${image.sample}, as ${image.role}`],
    ["image key", image.key],
  ];
}

function promptFacts({ prompt }: RecordLife): Fact[] {
  if (prompt === undefined) return [];
  const { domain, category, nonPrototype, prototype, knob, right, wrong, extra } = prompt;
  return [
    ...(prompt.status === "done" ? [["prompt", prompt.text] as const] : []),
    [
      "pair",
      `${nonPrototype} against ${prototype} (${domain}, ${category}; ${prompt.split} split)`,
    ],
    [
      "error type",
      `${knob.replaceAll("_", " ")} of ${extra}: ${right} is right, ${wrong} is wrong`,
    ],
    ["prompt key", prompt.key],
  ];
}

function descriptionFacts({ record, description }: RecordLife): Fact[] {
  if (description === undefined) return [];
  const { entities, set, key } = description;
  const plain = entities.map(({ entity, attributes }) => `${entity}: ${attributes.join(", ")}`);
  return [
    ...(description.status === "done"
      ? [["description", description.text] as const, ["swapped", description.swapped] as const]
      : []),
    ...(record.type === "score" && record.structure !== undefined && description.status === "done"
      ? [
          [
            "scored for",
            record.text === description.text ? "the description" : "the swapped one",
          ] as const,
        ]
      : []),
    ["entities", `${plain.join("; ")} (${set})`],
    ["description key", key],
  ];
}

function askedFacts({ record, trace }: RecordLife): Fact[] {
  if (trace.length === 0) {
    return [["asked", `attempt ${record.attempt}; the trace of when is not in the run`]];
  }
  return trace.map((entry): Fact => [entry.kind === "asked" ? "asked" : "noted", traceText(entry)]);
}

const told = ["key", "step", "part", "kind", "attempt", "status", "startedAt", "seconds"];

function traceText(entry: TraceEntry): string {
  if (entry.kind === "mask") {
    const { entity, width, height } = entry;
    return `where the localiser found ${entity}: a mask of ${width} x ${height} pixels, as run lengths in trace/`;
  }
  const { attempt, status, startedAt, seconds } = entry;
  const rest = Object.entries(entry).filter(([name]) => !told.includes(name));
  return [
    ...(entry.kind === "asked" || typeof entry.kind !== "string" ? [] : [entry.kind]),
    ...(startedAt === undefined ? [] : [String(startedAt)]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(status === undefined ? [] : [String(status)]),
    ...rest.map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ].join(", ");
}

function madeText(made: RecordOf<"image" | "score">): string {
  const what =
    made.type === "image" ? `image ${made.key}, ${made.role}` : `score ${made.key}, ${made.metric}`;
  if (made.status === "unscored") return `${what}, unscored: ${made.reason}`;
  return made.type === "score" ? `${what} with ${placed(made)}: ${made.value}` : what;
}

/** A line about a record: its name and its text. */
export type Fact = readonly [name: string, value: string];

/** Requests to a judge, a refiner or a painter, and their replies. */
function judgedFacts(record: AnyRecord): Fact[] {
  switch (record.type) {
    case "query":
      return [
        ...(record.status === "done" ? [["query", record.text] as const] : []),
        ["category", record.category],
      ];
    case "audit":
      return auditFacts(record);
    case "refinement":
      return [
        ["query", `${record.text} (${record.category})`],
        ["painted by", record.generator],
        ...record.stereotypes.map((found): Fact => ["present", explained(found)]),
        ...(record.status === "done" ? [["rewritten to", record.prompt] as const] : []),
        ["rewritten by", record.model],
      ];
    case "pair":
      return [
        ...(record.status === "done" ? [["caption", record.caption] as const] : []),
        ["painters", `a by ${record.painterA}, b by ${record.painterB}, style ${record.style}`],
      ];
    case "judgment":
      return [
        ...(record.status === "done"
          ? [["value", sharesText(Object.entries(record.probabilities))] as const]
          : []),
        ["caption", record.caption],
        ["pair", `${record.pair}, image ${record.firstShown} shown first`],
        ["prompt", `${record.prompt} of ${record.pool}`],
        ["judged by", record.model],
      ];
    case "image-judgment": {
      const { answers } = record;
      const said = record.status === "done" ? record.probabilities : [];
      const shares = said.map((share, at) => [answers[at] ?? "", share] as const);
      return [
        ...(shares.length > 0 ? [["value", sharesText(shares)] as const] : []),
        ["text", record.text],
        ["item", record.item],
        ["prompt", `${record.prompt} of ${record.pool}`],
        ["judged by", record.model],
      ];
    }
    case "mask":
      return [
        ...(record.status === "done" ? [["value", `${record.inside} inside`] as const] : []),
        ["entity", record.entity],
        ["found by", record.model],
      ];
    default:
      return [];
  }
}

/** `P(a) 0.91, P(b) 0.09` */
const sharesText = (shares: readonly (readonly [answer: string, share: number])[]) =>
  shares.map(([answer, share]) => `P(${answer}) ${share}`).join(", ");

function auditFacts(audit: RecordOf<"audit">): Fact[] {
  const answers = audit.status === "done" ? audit.answers : [];
  const answered = answers.filter(({ status }) => status === "answered");
  const present = answered.filter((answer) => answer.status === "answered" && answer.present === 1);
  return [
    ...(answers.length === 0
      ? []
      : [["value", `${present.length} present of ${answered.length} answered`] as const]),
    ["query", `${audit.text} (${audit.category}, ${audit.phase})`],
    ["painted by", audit.generator],
    ["judged by", audit.model],
    ...answers.map(
      (answer): Fact =>
        answer.status === "answered"
          ? [answer.present === 1 ? "present" : "absent", explained(answer)]
          : ["unscored", `${answer.item}: ${answer.reason}: ${answer.detail}`],
    ),
  ];
}

/** A judge may say no more than that it is there. */
const explained = (found: { readonly item: string; readonly explanation: string }) =>
  found.explanation === "" ? found.item : `${found.item}: ${found.explanation}`;
