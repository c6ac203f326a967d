import { join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Hash } from "../../../core/keys.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import {
  blocksForLabelStudio,
  labelStudioProject,
} from "../../../studies/label-studio/write-project.js";
import { Tokens } from "../../../studies/server/signed-tokens.js";
import type { KeptAnswer } from "../../../studies/tables/counted-answers.js";
import { countText } from "../../../views/number-text.js";
import { checkTarget } from "../../command-line/out-path.js";
import type { Output } from "../../terminal/output.js";

/**
 * Writes each block as a project of Label Studio: NAME.xml, the labelling configuration, and NAME.json,
 * tasks with annotations.
 *
 * @param options.images what stands before an image's name in a task; the image itself where not given
 */
export async function exportLabelStudio(
  home: StudyHome,
  {
    answers,
    folder,
    images,
    block,
    workingDirectory,
    output,
    name,
  }: {
    readonly answers: readonly KeptAnswer[];
    readonly folder: string;
    readonly images: string | undefined;
    readonly block: string | undefined;
    readonly workingDirectory: string;
    readonly output: Output;
    /** The study, as the next command names it. */
    readonly name: string;
  },
): Promise<void> {
  const { study } = home;
  const { blocks, left } = blocksForLabelStudio(study, block);
  const directory = resolve(workingDirectory, folder);
  const tokens = new Tokens(home.secret);
  const addressOf = async (image: Hash): Promise<string> => {
    const bytes = await home.image(image);
    if (images === undefined) {
      return `data:image/webp;base64,${Buffer.from(bytes).toString("base64")}`;
    }
    await writeFileAtomically(join(directory, "images", `${image}.webp`), bytes);
    return `${images}${image}.webp`;
  };
  const projects = blocks.map((one) =>
    labelStudioProject(study, one, { answers, tokens, addressOf }),
  );
  const files = projects.map((project) => ({
    project,
    config: join(directory, `${project.block}.xml`),
    tasks: join(directory, `${project.block}.json`),
  }));
  for (const { config, tasks } of files) {
    await checkTarget(config);
    await checkTarget(tasks);
  }
  for (const { project, config, tasks } of files) {
    await writeFileAtomically(tasks, project.json());
    await writeFileAtomically(config, project.config);
  }
  const written = projects.map(({ block: of, tasks, annotations }) => ({
    block: of,
    tasks,
    annotations,
  }));
  output.resultJson({ labelStudio: folder, blocks: written, left });
  output.result(
    written
      .map(
        ({ block: of, tasks, annotations }) =>
          `${join(folder, of)}.xml, .json: ${countText(tasks)} ${tasks === 1 ? "task" : "tasks"}, ` +
          `${countText(annotations)} ${annotations === 1 ? "annotation" : "annotations"}`,
      )
      .join("\n"),
  );
  for (const one of left) output.warn(`Left out ${one}.`);
  output.note(
    "In Label Studio: paste the .xml as a project's labelling configuration, import the .json, and " +
      "export it as JSON when it is labelled.",
  );
  output.nextCommand(["study", "import", name, "export.json"]);
}

/** @throws InputError where flags are given that belong to the other kind of export. */
export function checkExportFlags({
  table,
  out,
  "label-studio": labelStudio,
  images,
}: {
  readonly table: string | undefined;
  readonly out: string | undefined;
  readonly "label-studio": string | undefined;
  readonly images: string | undefined;
}): void {
  if (labelStudio === undefined) {
    if (images !== undefined) throw new InputError("Expected --label-studio DIR with --images");
    if (out === undefined)
      throw new InputError("Expected --out FILE, or --label-studio DIR, but received neither", {
        hint: "Such as --out answers.csv, .jsonl or .parquet",
      });
  } else if (table !== undefined || out !== undefined) {
    throw new InputError("Expected either --table NAME with --out FILE or --label-studio DIR");
  }
}
