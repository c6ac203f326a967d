import { InputError } from "../../../core/errors.js";
import { hashOf } from "../../../core/keys.js";
import { listText } from "../../../core/phrases.js";
import { studyPlace } from "../../../files/open-store.js";
import { shownPlace } from "../../../files/postgres/address.js";
import { readStudyConfig } from "../../../studies/config/read-study-config.js";
import { createStudy } from "../../../studies/create-study.js";
import { newStudy } from "../../../studies/home/open-study.js";
import { sharedPrompts } from "../../../studies/items/read-items.js";
import { localizersShown } from "../../../studies/protocols/localized.js";
import type { FilterShare } from "../../../studies/study.js";
import { countText, pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { textsArgument } from "../../command-line/shared-arguments.js";
import { blobsArgument, inBlobs, storeArgument } from "../../command-line/store-argument.js";

export default command({
  description:
    "Reads a study's file, checks all that it names (items, images, known answers, texts) and " +
    "freezes it into a folder: images are encoded anew, without names or metadata. With --lint " +
    "nothing is written.",
  examples: [
    "touchstone study create study.yaml --run studies/first",
    "touchstone study create study.yaml --from runs/demo --run studies/first",
    "touchstone study create study.yaml --run first --store postgres://me@localhost/touchstone",
    "touchstone study create study.yaml --run first --store postgres://me@localhost/touchstone --blobs s3://images/first",
    "touchstone study create study.yaml --lint",
  ],
  arguments: {
    config: { kind: "positional", description: "the study's file (YAML)" },
    run: {
      kind: "text",
      value: "DIR",
      description: "the folder to write, new or empty; with --store a new name there",
    },
    store: {
      ...storeArgument.store,
      description:
        "where --run is a name in place of a folder, so that several servers serve the study: " +
        "postgres://user@host/database (password: PGPASSWORD)",
    },
    ...blobsArgument,
    from: {
      kind: "text",
      value: "PLACE",
      description: "a run, a folder or a table of items for all blocks, in place of their from",
    },
    ...textsArgument,
    unfiltered: {
      kind: "switch",
      description: "of a run with a filter: also ask about pairs of images that it dropped",
    },
    lint: { kind: "switch", description: "check only; write nothing" },
  },
  async run({ given, environment: { workingDirectory }, output, words }) {
    if (given.run === undefined && !given.lint) {
      throw new InputError("Expected --run DIR, the folder to write, or --lint");
    }
    const config = await readStudyConfig(given.config, workingDirectory, {
      from: given.from,
      texts: given.texts,
      unfiltered: given.unfiltered,
    });
    const place =
      given.run === undefined || given.lint
        ? undefined
        : inBlobs(studyPlace(given.run, { workingDirectory, store: given.store }), given.blobs, {
            workingDirectory,
          });
    const made = place === undefined ? undefined : await newStudy(place);
    const study = await createStudy(config, {
      keep: async (bytes) => (await made?.images.write(bytes)) ?? hashOf(bytes),
      tell: output.note,
      onItem: ({ done, total }) => output.progress(`${done} of ${total} items`),
    });
    await made?.create(study);
    output.clear();
    const blocks = study.blocks.map(({ name, settings, items, gold, practice = [], filter }) => ({
      name,
      protocol: settings.protocol,
      items: items.length,
      gold: gold.length,
      practice: practice.length,
      ratings: items.length * settings.ratingsPerItem,
      filter: filter === undefined ? null : { ...filter },
    }));
    const comparable = study.blocks.flatMap((block) => {
      const found = sharedPrompts(block);
      return found === undefined ? [] : [{ block: block.name, ...found }];
    });
    const { title } = study.settings;
    const localizers = new Set(
      study.blocks.flatMap(({ items, settings }) => [...localizersShown(items, settings)]),
    );
    const store = given.store === undefined ? undefined : shownPlace(given.store);
    output.resultJson({
      id: study.id,
      title,
      blocks,
      comparable,
      run: given.lint || given.run === undefined ? null : shownPlace(given.run),
    });
    const total = blocks.reduce((sum, { ratings }) => sum + ratings, 0);
    output.result(
      [
        `"${title}": ${countText(total)} answers are wanted.`,
        ...blocks.flatMap(({ name, items, gold, practice, ratings, filter }) => [
          `  ${name}: ${countText(items)} ${items === 1 ? "item" : "items"}` +
            `${gold === 0 ? "" : `, ${gold} gold`}${practice === 0 ? "" : `, ${practice} practice`}, ` +
            (ratings % items === 0
              ? `${pluralText(ratings / items, "answer")} each`
              : `${countText(ratings)} answers`),
          ...(filter === null ? [] : [`    ${filterSentence(filter)}`]),
        ]),
      ].join("\n"),
    );
    if (localizers.size > 0) {
      output.note(
        `People are shown what ${listText([...localizers])} found: their answers will be no reference for a metric that uses it.`,
      );
    }
    for (const { block, models, prompts, shared } of comparable) {
      if (shared === prompts) continue;
      output.warn(
        `${block}: ${models === 2 ? "its two models share" : "some two of its models share"} ` +
          `${countText(shared)} of ${countText(prompts)} prompts, and compare uses shared prompts alone. ` +
          "Give each model an image of every prompt.",
      );
    }
    if (given.run === undefined || given.lint) {
      output.nextCommand(
        words({
          run: given.run ?? "studies/first",
          lint: false,
          store,
          blobs: given.blobs,
        }),
      );
    } else {
      const inStore = store === undefined ? [] : ["--store", store];
      output.nextCommand(["study", "serve", shownPlace(given.run), ...inStore]);
    }
  },
});

/** Says which share of the run's pairs its filter kept, and whether the others are asked about. */
function filterSentence({ kept, of, description, unfiltered }: FilterShare): string {
  return unfiltered
    ? `Of all ${countText(of)} pairs of the run; its filter kept ${countText(kept)}, those ${description}.`
    : `Asks about ${countText(kept)} of the run's ${countText(of)} pairs: those ${description}. --unfiltered asks about all.`;
}
