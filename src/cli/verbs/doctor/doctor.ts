import { largestOf } from "../../../core/arrays.js";
import { InputError } from "../../../core/errors.js";
import { command } from "../../command-line/command.js";
import { loadLab } from "../../lab.js";
import { wrap } from "../../terminal/wrap.js";
import { type Check, checks, type Finding } from "./checks.js";
import { modelChecks } from "./model-checks.js";

export default command({
  description:
    "Checks what is installed and says how to get what is missing. Exits with 2 if a " +
    "required part does not work; optional parts may be missing.",
  examples: ["touchstone doctor", "touchstone doctor --models", "touchstone doctor --json"],
  arguments: {
    models: {
      kind: "switch",
      description:
        "ask each configured model for colours: does it see, down to which size, what can it do, what does it cost",
    },
  },
  async run({ given, environment, output }) {
    const all = [
      ...checks,
      ...(await labChecks()),
      ...(given.models ? await modelChecks(environment, output.note) : []),
    ];
    const findings: ({ name: string } & Finding)[] = [];
    const { style } = output;
    const paint = { ok: style.green, missing: style.yellow, wrong: style.red };
    const width = largestOf(all.map(({ name }) => name.length));
    for (const { name, look } of all) {
      const finding = await look(environment);
      findings.push({ name, ...finding });
      const { state, detail, advice, summary = detail } = finding;
      const text = [summary, ...(advice === undefined ? [] : [`-> ${advice}`])].join("\n");
      const indent = " ".repeat(width + 11);
      output.result(
        `${paint[state](state.padEnd(7))}  ${name.padEnd(width)}  ` +
          wrap(text, style.width - indent.length).replaceAll("\n", `\n${indent}`),
      );
    }
    output.resultJson({ checks: findings.map(({ summary, ...finding }) => finding) });
    const wrong = findings.filter(({ state }) => state === "wrong");
    if (wrong.length > 0) {
      throw new InputError(`${wrong.length} of ${findings.length} checks are wrong`, {
        problems: wrong.map(({ name, detail, advice }) => `${name}: ${detail}. ${advice ?? ""}`),
      });
    }
    output.nextCommand(["demo"]);
  },
});

/** What the lab checks of itself; without it, how to get it. */
async function labChecks(): Promise<readonly Check[]> {
  try {
    return (await loadLab()).checks;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { message, hint = "" } = error;
    return [
      { name: "lab", look: async () => ({ state: "missing", detail: message, advice: hint }) },
    ];
  }
}
