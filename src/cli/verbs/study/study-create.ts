import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { hashOf } from "../../../core/keys.js";
import { countText } from "../../../report/text/number-text.js";
import { readStudyConfig } from "../../../studies/config/read-study-config.js";
import { createStudy } from "../../../studies/create-study.js";
import { checkFreeFolder, createStudyFolder } from "../../../studies/home/study-folder.js";
import { StudyImages } from "../../../studies/home/study-images.js";
import { command } from "../../command-line/command.js";

export default command({
  description:
    "Reads a study's file, checks all that it names (items, images, known answers, texts) and " +
    "freezes it into a folder: images are encoded anew, without names or metadata. With --lint " +
    "nothing is written.",
  examples: [
    "touchstone study create study.yaml --run studies/first",
    "touchstone study create study.yaml --from runs/demo --run studies/first",
    "touchstone study create study.yaml --lint",
  ],
  arguments: {
    config: { kind: "positional", description: "the study's file (YAML)" },
    run: { kind: "text", value: "DIR", description: "the folder to write; new or empty" },
    from: {
      kind: "text",
      value: "PLACE",
      description: "a run, a folder or a table of items for all blocks, in place of their from",
    },
    lint: { kind: "switch", description: "check only; write nothing" },
  },
  async run({ given, environment: { workingDirectory }, output, words }) {
    if (given.run === undefined && !given.lint) {
      throw new InputError("Expected --run DIR, the folder to write, or --lint");
    }
    const config = await readStudyConfig(given.config, workingDirectory, {
      from: given.from,
    });
    const directory =
      given.run === undefined || given.lint ? undefined : resolve(workingDirectory, given.run);
    if (directory !== undefined) await checkFreeFolder(directory);
    const images = directory === undefined ? undefined : new StudyImages(directory);
    const study = await createStudy(config, {
      keep: async (bytes) => (await images?.write(bytes)) ?? hashOf(bytes),
      onItem: ({ done, total }) => output.progress(`${done} of ${total} items`),
    });
    if (directory !== undefined) await createStudyFolder(directory, study);
    output.clear();
    const blocks = study.blocks.map(({ name, settings, items, gold }) => ({
      name,
      protocol: settings.protocol,
      items: items.length,
      gold: gold.length,
      ratings: items.length * settings.ratingsPerItem,
    }));
    const { title } = study.settings;
    output.resultJson({
      id: study.id,
      title,
      blocks,
      run: given.lint ? null : (given.run ?? null),
    });
    const total = blocks.reduce((sum, { ratings }) => sum + ratings, 0);
    output.result(
      [
        `${title}: ${countText(total)} answers are wanted.`,
        ...blocks.map(
          ({ name, items, gold, ratings }) =>
            `  ${name}: ${countText(items)} ${items === 1 ? "item" : "items"}` +
            `${gold === 0 ? "" : `, ${gold} gold`}, ${countText(ratings)} answers`,
        ),
      ].join("\n"),
    );
    if (given.run === undefined || given.lint) {
      output.nextCommand(words({ run: given.run ?? "studies/first", lint: false }));
    } else output.nextCommand(["study", "serve", given.run]);
  },
});
