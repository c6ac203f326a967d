import { createHash } from "node:crypto";
import { type CellTable, csvText } from "../../tables/cell-table.js";
import { isValued, slugOf, unscoredNote, type WriteResult } from "./format.js";
import type { Result } from "./result.js";

interface Table {
  readonly name: string;
  readonly description: string;
  readonly columns: Readonly<Record<string, "sc:Text" | "sc:Float" | "sc:Integer">>;
  readonly rows: CellTable["rows"];
}

/**
 * croissant.json, a data set's description as search engines and loaders read it (MLCommons Croissant 1.1, with what
 * its vocabulary of responsible AI says), and its tables as CSV: the figures and, where known, the score of each
 * prompt or image. An empty cell is unscored.
 */
export const croissant: WriteResult = (result, source) => {
  const tables = [figuresTable(result), ...samplesTables(result)].map((table) => ({
    ...table,
    csv: csvText({ columns: Object.keys(table.columns), rows: table.rows }),
  }));
  const { metric, judge, verdict, warnings } = result;
  const methods = [...new Set(result.figures.flatMap(({ method }) => method ?? []))];
  const description = {
    "@context": context,
    "@type": "sc:Dataset",
    name: slugOf(source.data),
    description: `Results of text-to-image evaluation. ${verdict}`,
    conformsTo: ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
    version: "1.0.0",
    datePublished: source.now.toISOString().slice(0, 10),
    dateCreated: source.at.toISOString().slice(0, 10),
    "rai:dataCollection":
      `Written by touchstone-t2i ${source.version} from ${source.name} (SHA-256 ${source.hash}). ${methods.join(" ")}`.trim(),
    "rai:dataCollectionMissingData": missingText(result),
    "rai:machineAnnotationTools": [
      [metric, judge?.model].filter((one) => one !== undefined).join(", ") ||
        "see the column metric",
    ],
    "rai:dataUseCases":
      "Comparing text-to-image models, or metrics and judges of their images, with the intervals that stand beside each figure.",
    "rai:dataLimitations":
      warnings.length === 0 ? ["Figures hold for these prompts and images alone."] : warnings,
    distribution: tables.map(({ name, csv }) => ({
      "@type": "cr:FileObject",
      "@id": `${name}.csv`,
      name: `${name}.csv`,
      contentUrl: `${name}.csv`,
      encodingFormat: "text/csv",
      sha256: createHash("sha256").update(csv).digest("hex"),
    })),
    recordSet: tables.map(({ name, description: text, columns }) => ({
      "@type": "cr:RecordSet",
      "@id": name,
      name,
      description: text,
      field: Object.entries(columns).map(([column, dataType]) => ({
        "@type": "cr:Field",
        "@id": `${name}/${column}`,
        name: column,
        dataType,
        source: { fileObject: { "@id": `${name}.csv` }, extract: { column } },
      })),
    })),
  };
  return {
    files: [
      ...tables.map(({ name, csv }) => ({ path: `${name}.csv`, content: csv })),
      { path: "croissant.json", content: `${JSON.stringify(description, null, 2)}\n` },
    ],
    notes: [
      "Add license and url to croissant.json before it is published: only you know them.",
      ...unscoredNote(result.figures, "their cells are empty, with a reason"),
    ],
  };
};

/** How many scores have no answer: means count theirs, samples are one each; else the tables alone say it. */
function missingText({ figures, samples }: Result): string {
  const rest = "they are empty, with a reason, and in no figure.";
  const means = figures.filter(({ name, unscored }) => name === "mean" && unscored !== undefined);
  if (means.length === 0 && samples.length === 0)
    return `Values without an answer: the column unscored of figures.csv counts them; ${rest}`;
  const unscored =
    means.length > 0
      ? sum(means.map((mean) => mean.unscored ?? 0))
      : samples.filter(({ value }) => value === null).length;
  const all = means.length > 0 ? unscored + sum(means.map(({ n = 0 }) => n)) : samples.length;
  return `${unscored} of ${all} scores have no answer; ${rest}`;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

const figuresTable = ({ figures }: Result): Table => ({
  name: "figures",
  description: "What was measured: value, both ends of its interval, how many it is made of.",
  columns: {
    name: "sc:Text",
    of: "sc:Text",
    value: "sc:Float",
    low: "sc:Float",
    high: "sc:Float",
    n: "sc:Integer",
    unscored: "sc:Integer",
    unit: "sc:Text",
    reason: "sc:Text",
  },
  rows: figures.map((one) => [
    one.name,
    Object.entries(one.of)
      .map(([kind, name]) => `${kind}=${name}`)
      .join("; "),
    one.value,
    one.low,
    one.high,
    one.n ?? null,
    one.unscored ?? null,
    one.unit ?? null,
    one.reason ?? (isValued(one) ? null : "undefined"),
  ]),
});

function samplesTables({ samples }: Result): Table[] {
  if (samples.length === 0) return [];
  return [
    {
      name: "samples",
      description: "The score of each prompt or image; image is the SHA-256 of its file.",
      columns: {
        id: "sc:Text",
        subject: "sc:Text",
        text: "sc:Text",
        metric: "sc:Text",
        value: "sc:Float",
        image: "sc:Text",
        reason: "sc:Text",
      },
      rows: samples.map((one) => [
        one.id,
        one.subject,
        one.text,
        one.metric ?? null,
        one.value,
        one.image ?? null,
        one.reason ?? null,
      ]),
    },
  ];
}

/** Prefixes, and the short names of the vocabulary's members. */
const context = {
  "@language": "en",
  "@vocab": "https://schema.org/",
  sc: "https://schema.org/",
  cr: "http://mlcommons.org/croissant/",
  rai: "http://mlcommons.org/croissant/RAI/",
  dct: "http://purl.org/dc/terms/",
  conformsTo: "dct:conformsTo",
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  data: { "@id": "cr:data", "@type": "@json" },
  examples: { "@id": "cr:examples", "@type": "@json" },
  ...Object.fromEntries(
    (
      "citeAs column containedIn extract field fileProperty fileObject fileSet format includes isLiveDataset " +
      "jsonPath key md5 parentField path recordSet references regex repeated replace separator source subField transform"
    )
      .split(" ")
      .map((name) => [name, `cr:${name}`]),
  ),
};
