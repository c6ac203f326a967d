import { relative } from "node:path";
import { largestOf } from "../../../core/arrays.js";
import type { Json } from "../../../core/json.js";
import { type ModelFacts, placed } from "../../../core/models.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { type Fact, lifeFacts } from "../../../report/text/record-life-text.js";
import { recordLife } from "../../../runs/record-life.js";
import { repeatCommand } from "../../../runs/repeat-command.js";
import { modelsToRepeat } from "../../../runs/repeat-words.js";
import { printable } from "../../../views/printable.js";
import { command } from "../../command-line/command.js";
import { commandLine } from "../../command-line/shell-words.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { configuredName } from "../../models/configured-name.js";
import { hostingFor } from "../../models/hosting.js";
import { asTyped } from "../../program.js";

export default command({
  description:
    "Shows how one record was made. For a score: the image, the text, the exact question, " +
    "the metric with convention, template and statistic, the model, the value, the time, and " +
    "the command that repeats it. Every other record works too. Keys are in records/*.jsonl " +
    "of a run and under the cards of its report; the first characters of a key are enough.",
  examples: [
    "touchstone run explain 3fa94c --run runs/demo",
    "touchstone run explain 3fa94c --run runs/demo --json",
  ],
  arguments: {
    key: { kind: "positional", description: "the key of a record, or its first characters" },
    run: { kind: "text", value: "DIR", required: true, description: "the folder of the run" },
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const run = await openStore(runPlace(given.run, environment));
    const { imagePath, ...found } = await recordLife(run, given.key);
    const near = imagePath === undefined ? {} : { imagePath: shorter(workingDirectory, imagePath) };
    const shown = found.shown.map(({ path, ...image }) =>
      path === undefined ? image : { ...image, path: shorter(workingDirectory, path) },
    );
    const life = { ...found, ...near, shown };
    const repeat =
      life.record.type === "score"
        ? repeatCommand(
            life.record,
            life.imagePath,
            await namesOf(modelsToRepeat(life.record), environment),
          )
        : undefined;
    const made = run.recipe.commands.at(-1);
    // The command to repeat a score is the "Next" line.
    const commands: Fact[] = [
      ...(made === undefined ? [] : [["run made by", asTyped(made, environment)] as const]),
    ];
    output.resultJson({
      ...life,
      ...(repeat === undefined
        ? {}
        : { repeat: commandLine(repeat.words, { ...repeat, program: "touchstone" }) }),
      ...(made === undefined ? {} : { madeBy: made }),
    } as unknown as Json);
    output.result(factsText([...lifeFacts(life), ...commands]));
    // Answers of a judge may stand in a folder of their own, of which there is no report.
    const isJudgment = life.record.type.endsWith("judgment");
    const whole = isJudgment ? ["run", "status", given.run] : ["report", given.run];
    output.nextCommand(repeat?.words ?? whole, { variables: repeat?.variables });
  },
});

/** Finds models' names in the configuration, by place. */
async function namesOf(
  models: readonly ModelFacts[],
  environment: Environment,
): Promise<ReadonlyMap<string, string>> {
  const { settings } = await loadConfiguration(environment);
  const choosing = { configured: settings.models, hosting: hostingFor(environment) };
  const names = new Map<string, string>();
  for (const model of models) {
    const name = await configuredName(model, choosing);
    if (name !== undefined) names.set(placed(model), name);
  }
  return names;
}

/** As the user would write it: relative, unless that leads out of where they stand. */
function shorter(from: string, path: string): string {
  const short = relative(from, path);
  return short.startsWith("..") ? path : short;
}

function factsText(facts: readonly Fact[]): string {
  const width = largestOf(facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join("\n");
}
