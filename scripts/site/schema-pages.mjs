// Writes a page for each file that people write, from its JSON schema, one for models and metrics, from the
// catalogue that `touchstone metrics models` prints, one for the HTTP calls of a study, and one for each table in data/.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { metricCatalogue } from "../../dist/metrics/catalogue.js";
import { requests } from "../../dist/studies/server/requests.js";
import { plain } from "./verb-pages.mjs";

const data = fileURLToPath(new URL("../../data/", import.meta.url));

/** The page on the site of a file in data/. */
export const dataPages = {
  "data/study.schema.json": "reference/study-file.md",
  "data/audit.schema.json": "reference/audit-file.md",
  "data/config.schema.json": "reference/settings.md",
  "data/catalogue.yaml": "reference/providers.md",
  "data/study-calls.yaml": "reference/study-calls.md",
  "data/provider-failures.yaml": "reference/provider-failures.md",
  "data/judge-findings.yaml": "reference/judge-findings.md",
  "data/upgrade-names.yaml": "reference/upgrade-names.md",
};

const titles = {
  "study-file": [
    "The file of a study",
    "Members of the YAML file that `touchstone study create` reads.",
  ],
  "audit-file": ["The file of an audit", "Members of the YAML file that `touchstone audit` reads."],
  settings: [
    "Settings",
    "Members of `touchstone.config.yaml`. `touchstone doctor init` writes one that explains each.",
  ],
};

const cell = (text) => plain(String(text)).replaceAll("|", "\\|").replaceAll("\n", " ");

/** What a value may be: its words, or its kind. */
function kindOf({ enum: words, const: word, type, items, anyOf = [], oneOf = anyOf }) {
  if (word !== undefined) return `\`${word}\``;
  if (words !== undefined) return words.map((one) => `\`${one}\``).join(", ");
  if (oneOf.length > 0) return [...new Set(oneOf.map(kindOf))].join(" or ");
  return type === "array" ? `list of ${kindOf(items)}` : (type ?? "any value");
}

/** A row for each member, those of members below it. */
function* rows({ properties = {}, required = [] }, before = "") {
  for (const [name, member] of Object.entries(properties)) {
    const fallback = member.default === undefined ? "" : `\`${JSON.stringify(member.default)}\``;
    const needed = required.includes(name) && member.default === undefined;
    yield [
      `\`${before}${name}\``,
      cell(kindOf(member)),
      needed ? "required" : fallback,
      cell(member.description ?? ""),
    ];
    const below = [member, ...(member.anyOf ?? member.oneOf ?? [])];
    for (const one of below) yield* rows(one, `${before}${name}.`);
    for (const one of below) if (one.items) yield* rows(one.items, `${before}${name}[].`);
  }
}

const table = (head, lines) =>
  [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");

const members = (schema) => table(["member", "is", "default", "meaning"], [...rows(schema)]);

/** Alternatives that a member `provider` tells apart get a table each. */
function schemaText(schema) {
  const told = Object.entries(schema.properties).flatMap(([name, { additionalProperties: each }]) =>
    (each?.oneOf ?? []).map(({ properties: { provider, ...others }, required }) => ({
      heading: `## ${name}: provider ${[provider.const ?? provider.enum].flat().join(", ")}`,
      text: `${cell(provider.description ?? "")}\n\n${members({ properties: others, required })}`,
    })),
  );
  return [members(schema), ...told.map(({ heading, text }) => `${heading}\n\n${text}`)].join(
    "\n\n",
  );
}

async function catalogueText() {
  const { models } = parse(await readFile(`${data}catalogue.yaml`, "utf8"));
  const listed = Object.values(models).map(({ example, gives, needs, costs, tried }) => [
    `\`${example}\``,
    ...[gives, needs, costs, tried].map(cell),
  ]);
  const scores = metricCatalogue.map(({ name, gives, costs }) => [
    `\`${name}\``,
    cell(gives),
    cell(costs),
  ]);
  return [
    "# Models and metrics",
    "What `touchstone metrics models` and `touchstone metrics` list.",
    table(["model", "gives", "needs", "costs", "tried with"], listed),
    "## Metrics",
    table(["metric", "gives", "costs"], scores),
    "",
  ].join("\n\n");
}

/** The JSON that a schema takes: `{name, name?}`. */
function shapeOf({ properties, required = [], anyOf, enum: words, const: word }, name = "") {
  if (anyOf && name === "") return anyOf.map((one) => shapeOf(one)).join(" or ");
  const values = words ?? (word === undefined ? [] : [word]);
  if (values.length > 0) return `${name}: ${values.map((one) => JSON.stringify(one)).join(" or ")}`;
  if (properties === undefined) return name;
  const members = Object.entries(properties).map(([member, schema]) =>
    shapeOf(schema, required.includes(member) ? member : `${member}?`),
  );
  return `${name && `${name}: `}{${members.join(", ")}}`;
}

async function callsText() {
  const { all, participants, calls } = parse(await readFile(`${data}study-calls.yaml`, "utf8"));
  const columns = Object.entries(all.columns).map(([name, is]) => [name, cell(is)]);
  const bodyOf = (name) => shapeOf(z.toJSONSchema(requests[name], { io: "input" })) || "{…}";
  const parts = calls.flatMap(({ title, about, calls }) => [
    `## ${title}`,
    about,
    table(
      ["call", "body", "answer"],
      Object.entries(calls).map(([call, { body, answer }]) => [
        `\`${call}\``,
        body === undefined ? "" : `\`${bodyOf(body)}\``,
        cell(answer),
      ]),
    ),
  ]);
  return [
    "# A study's tables and calls",
    "For programs. [Human studies](../studies.md) is the guide.",
    "## Tables",
    all.about,
    table(["column", "is"], columns),
    participants,
    ...parts,
    "",
  ].join("\n\n");
}

/** A page that is one table of two columns. */
async function tableText(file) {
  const { title, about, columns, rows } = parse(await readFile(`${data}${file}`, "utf8"));
  const lines = Object.entries(rows).map((row) => row.map(cell));
  return `# ${title}\n\n${about}\n\n${table(columns, lines)}\n`;
}

/** Path and text of each page. */
export async function schemaPages() {
  const pages = Object.entries(dataPages).map(async ([file, path]) => {
    if (file === "data/catalogue.yaml") return { path, text: await catalogueText() };
    if (file === "data/study-calls.yaml") return { path, text: await callsText() };
    const name = file.slice("data/".length);
    if (name.endsWith(".yaml")) return { path, text: await tableText(name) };
    const [title, about] = titles[path.slice("reference/".length, -".md".length)];
    const schema = JSON.parse(await readFile(`${data}${name}`, "utf8"));
    return { path, text: `# ${title}\n\n${about}\n\n${schemaText(schema)}\n` };
  });
  return Promise.all(pages);
}
