// Writes the Python functions of verbs from the verbs' own declarations, so that a new verb, or a new
// flag, needs no Python.
import { verbs } from "../../dist/cli/verbs.js";

/** The verbs that conclude something from a table, by what they declare; `score` beside them. */
async function* commands(listed, path = []) {
  for (const { name, load } of listed) {
    const { default: loaded } = await load();
    const words = [...path, name];
    if (loaded.kind === "group") yield* commands(loaded.verbs, words);
    // A function below `analyze` has its last word, another all: `swap`, but `judge_check`.
    else yield { name: words.join(" ").replace("analyze ", ""), verb: words.join(" "), ...loaded };
  }
}

const isConclusion = ({ arguments: declared }) => "file" in declared && "plot" in declared;

/** A conclusion has a method for each of these; `json` is how Python asks. */
const notForPython = new Set(["file", "source", "out", "plot", "scores-only"]);

const reserved = new Set(
  (
    "and as assert async await break class continue def del elif else except finally for from global if import in " +
    "is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
/** Switches that leave out what is done otherwise: `sanity=False` is --no-sanity. */
const leavesOut = new Set(["no-sanity"]);
const pythonName = (flag) => {
  const name = (leavesOut.has(flag) ? flag.slice("no-".length) : flag).replaceAll(/[- ]/g, "_");
  return reserved.has(name) ? `${name}_` : name;
};

const types = {
  text: () => "Text",
  number: ({ integer }) => (integer ? "int" : "float"),
  choice: ({ choices }) => `Literal[${choices.map((choice) => JSON.stringify(choice)).join(", ")}]`,
  switch: () => "bool",
};

function parameter([flag, argument]) {
  const type = types[argument.kind](argument);
  const value =
    argument.kind === "switch"
      ? `bool = ${leavesOut.has(flag) ? "True" : "False"}`
      : `Optional[${type}] = None`;
  return `    ${pythonName(flag)}: ${argument.value === "FILE" ? "Table = None" : value},`;
}

const wrapped = (text, indent, width = 99) => {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== "" && indent.length + last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.map((line) => indent + line).join("\n");
};

/** A flag is called by its name in Python. */
const inPython = (text) =>
  text
    .replace(/--(?:out|plot) (\S+\.\w+)/g, 'save("$1")')
    .replace(/--([a-z][a-z-]*)/g, (_, flag) =>
      leavesOut.has(flag) ? `${pythonName(flag)}=False` : pythonName(flag),
    )
    .replaceAll("\\", "\\\\");

function docstring(description, flags) {
  const lines = flags.map(([flag, { description: text, default: standard }]) => {
    const otherwise = standard === undefined ? "" : ` (default: ${standard})`;
    const where = leavesOut.has(flag) ? "False: " : "";
    const said = wrapped(
      `${pythonName(flag)}: ${where}${inPython(text)}${otherwise}`,
      "            ",
    ).trim();
    return `        ${said}`;
  });
  return [
    `    """${wrapped(inPython(description), "    ").trim()}`,
    "",
    "    Args:",
    ...lines,
    '    """',
  ];
}

const setOf = (names) =>
  names.length === 0
    ? "frozenset()"
    : `frozenset([${names.map((name) => JSON.stringify(name)).join(", ")}])`;

function functionOf({ name, verb, description, arguments: declared }) {
  const flags = Object.entries(declared).filter(([flag]) => !notForPython.has(flag));
  const names = (is) => flags.flatMap(([flag, argument]) => (is(argument) ? [flag] : []));
  const conclusion = isConclusion({ arguments: declared });
  const table = conclusion ? "    table: Table," : "    source: Table = None,";
  const given = flags.map(
    ([flag]) => `"${flag}": ${leavesOut.has(flag) ? "not " : ""}${pythonName(flag)}`,
  );
  return [
    `def ${pythonName(name)}(`,
    table,
    "    *,",
    ...flags.map(parameter),
    `) -> ${conclusion ? "Conclusion" : "Scores"}:`,
    ...docstring(description, flags),
    `    return ${conclusion ? "Conclusion" : "Scores"}(`,
    `        "${verb}",`,
    `        ${conclusion ? "table" : "source"},`,
    "        {",
    ...given.map((one) => `            ${one},`),
    "        },",
    `        repeated=${setOf(names(({ repeated }) => repeated === true))},`,
    `        files=${setOf(names(({ value }) => value === "FILE"))},`,
    "    )",
  ].join("\n");
}

async function declaredVerbs() {
  const declared = [];
  for await (const command of commands(verbs)) {
    if (isConclusion(command) || command.verb === "score") declared.push(command);
  }
  return declared;
}

/** The text of the module `keywords.py`: what verbs and flags are called in Python, for messages that name them. */
export async function pythonKeywords() {
  const flags = new Map();
  const commands = await declaredVerbs();
  for (const { arguments: declared } of commands) {
    for (const [flag, { kind, choices = [] }] of Object.entries(declared)) {
      if (notForPython.has(flag)) continue;
      const known = flags.get(flag)?.choices ?? [];
      flags.set(flag, { kind, choices: [...new Set([...known, ...choices])] });
    }
  }
  return [
    '"""What Python calls verbs and flags, with flags\' kinds and choices, as the command line declares them."""',
    "",
    "FUNCTIONS = {",
    ...commands.map(({ verb, name }) => `    "${verb}": "${pythonName(name)}",`),
    "}",
    "",
    "KEYWORDS = {",
    ...[...flags].map(([flag, { kind, choices }]) => {
      const words = choices.map((choice) => `${JSON.stringify(choice)}, `).join("");
      const how = leavesOut.has(flag) ? "leaves-out" : kind;
      return `    "${flag}": ("${pythonName(flag)}", "${how}", (${words})),`;
    }),
    "}",
    "",
  ].join("\n");
}

/** The text of the module `verbs.py`. */
export async function pythonVerbs() {
  const declared = await declaredVerbs();
  return [
    '"""Functions for the verbs, written from what the command line declares."""',
    "",
    "from typing import Any, Literal, Mapping, Optional, Sequence, Union",
    "",
    "from .conclusion import Conclusion",
    "from .scores import Scores",
    "from .tables import Table",
    "",
    "Text = Union[str, Sequence[str], Mapping[str, str]]",
    '"""A text; a list is "a,b", a dictionary "a=b,c=d"."""',
    "",
    `__all__ = [${declared.map(({ name }) => JSON.stringify(pythonName(name))).join(", ")}]`,
    "",
    "",
    declared.map(functionOf).join("\n\n\n"),
    "",
  ].join("\n");
}
