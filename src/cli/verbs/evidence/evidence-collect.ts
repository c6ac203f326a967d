import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { collectSet } from "../../../evidence/collect-set.js";
import { locateFiles } from "../../../evidence/locate-files.js";
import { evidenceSets } from "../../../evidence/sets.js";
import { figuresText, type ShippedSet } from "../../../evidence/shipped-figures.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";

export default command({
  description:
    "Computes the figures that touchstone evidence answers from (data/evidence/figures.json), from the files " +
    "of all sets. For whoever adds a set.",
  examples: ["touchstone evidence collect --from data --out figures.json"],
  arguments: {
    from: { kind: "text", value: "DIR", required: true, description: "where the sets' files lie" },
    out: { kind: "text", value: "FILE", required: true, description: "the file to write" },
  },
  async run({ given, environment, output }) {
    const at = (path: string) => resolve(environment.workingDirectory, path);
    const located = await locateFiles(at(given.from), evidenceSets());
    const problems = located.flatMap(({ set, missing }) =>
      missing.map((path) => `${set.name}: ${path}`),
    );
    if (problems.length > 0) {
      throw new InputError(
        `Expected the files of all sets in ${given.from} but ${problems.length} are missing: ${problems[0]}`,
        { problems, hint: `touchstone evidence fetch --to ${given.from} downloads them.` },
      );
    }
    const sets: ShippedSet[] = [];
    for (const one of located) {
      output.progress(`reading ${one.set.name}`);
      sets.push(await collectSet(one));
    }
    await writeFileAtomically(at(given.out), figuresText(sets));
    output.resultJson({ out: given.out, sets: sets.map(({ name }) => name) });
    output.result(`Wrote the figures of ${pluralText(sets.length, "set")} to ${given.out}.`);
    output.nextCommand(["evidence"]);
  },
});
