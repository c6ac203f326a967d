// Writes a page for each verb from what the command line declares, as --help does.
import {
  argumentTerm,
  argumentText,
  positionalUsage,
  verbsBelow,
} from "../../dist/cli/command-line/help.js";
import { earlierNames, verbs } from "../../dist/cli/verbs.js";

const marks = { "<": "&lt;", "{": "&#123;", "*": "\\*", _: "\\_", "[": "\\[" };

/** Text as Markdown that shows it; what stands in backticks is code already. */
export const plain = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/[<{*_[]/g, (mark) => marks[mark])))
    .join("");

const entities = { "&": "&amp;", "<": "&lt;", "{": "&#123;" };
const code = (text) => `<code>${text.replace(/[&<{]/g, (mark) => entities[mark])}</code>`;

function terms(title, entries) {
  if (entries.length === 0) return [];
  const rows = entries.flatMap(([name, argument]) => [
    `<dt>${code(argumentTerm(name, argument))}</dt>`,
    `<dd>\n\n${plain(argumentText(argument))}\n\n</dd>`,
  ]);
  return [`## ${title}`, "", "<dl>", ...rows, "</dl>", ""];
}

/** Text whose flags are code. */
const withFlags = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/(?<!\w)--[a-z][a-z-]*/g, "`$&`")))
    .join("");

/** A description: what the verb does, and of a long one each further sentence by itself. */
function described(description) {
  const [does, ...more] = withFlags(description).split(/(?<=[.?!]) (?=[A-Z`-])/);
  if (more.length < 4) return [plain(withFlags(description)), ""];
  return [plain(does), "", ...more.map((sentence) => `- ${plain(sentence)}`), ""];
}

function commandPage(verb, { description, examples, arguments: declared }) {
  const entries = Object.entries(declared);
  const positionals = entries.filter(([, { kind }]) => kind === "positional");
  const usage = positionals.map(([name, argument]) =>
    positionalUsage(name.toUpperCase(), argument),
  );
  return [
    `# ${verb}`,
    "",
    "```",
    ["touchstone", verb, ...usage, "[flags]"].join(" "),
    "```",
    "",
    ...described(description),
    "## Examples",
    "",
    "```sh",
    ...examples,
    "```",
    "",
    ...linesOf(verb, verbsBelow(verb, verbs)),
    ...terms("Arguments", positionals),
    ...terms(
      "Flags",
      entries.filter(([, { kind }]) => kind !== "positional"),
    ),
    "Every verb also takes `--json`, `--debug` and `--help`.",
    "",
  ].join("\n");
}

const pathOf = (verb) => verb.replaceAll(" ", "-");

/** A line for each verb below another, with a link to its page. */
const linesOf = (verb, below) => [
  ...below.map(
    ({ name, summary }) => `- [${name}](./${pathOf(`${verb} ${name}`)}.md): ${plain(summary)}`,
  ),
  "",
];

const groupPage = (verb, { description, verbs: below }) =>
  [`# ${verb}`, "", plain(description), "", ...linesOf(verb, below)].join("\n");

async function* pagesOf(listed, parents = []) {
  for (const { name, summary, load } of listed) {
    const { default: loaded } = await load();
    const verb = [...parents, name].join(" ");
    const group = loaded.kind === "group";
    yield {
      verb,
      summary,
      path: pathOf(verb),
      group,
      depth: verb.split(" ").length - 1,
      text: group ? groupPage(verb, loaded) : commandPage(verb, loaded),
    };
    if (group) yield* pagesOf(loaded.verbs, [...parents, name]);
  }
}

/** A page for each verb, in the order of --help; `text` is Markdown, `path` its name below verbs/. */
export async function verbPages() {
  const pages = [];
  for await (const page of pagesOf(verbs)) pages.push(page);
  const first = [
    "# Verbs",
    "",
    "Written from what the command line declares; `touchstone VERB --help` prints the same.",
    "",
    ...pages
      .filter(({ depth }) => depth === 0)
      .map(({ verb, path, summary }) => `- [${verb}](./${path}.md): ${plain(summary)}`),
    "",
    "Earlier names go on:",
    "",
    ...[...earlierNames].map(([name, now]) => `- ${name}: [${now}](./${pathOf(now)}.md)`),
    "",
  ].join("\n");
  return { first, pages };
}
