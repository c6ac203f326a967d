import { basename, extname, join, relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { randomFrom } from "../../../core/random.js";
import { NoAnswer } from "../../../core/unscored.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { imageTables, refuseTexts } from "../../../files/image-folder.js";
import { unpackedFolder } from "../../../files/image-sets/unpacked-folder.js";
import { freeName } from "../../../files/make-folder.js";
import { readTable } from "../../../files/read-table.js";
import {
  type DegradationLevel,
  degradationLevels,
  degradations,
  degrade,
} from "../../../images/degrade.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { text } from "../../../tables/columns.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { textsArgument } from "../../command-line/shared-arguments.js";
import { withOwnModel } from "../../models/own-model.js";

export default command({
  description:
    "Makes altered copies of a folder's images (contrast, motion-blur, brightness, occlusion, " +
    "noise) and pairs.jsonl, a table of labels for calibrate: in each pair one image is a copy of " +
    "the other, made worse, so which is better is known without asking anybody. metadata.jsonl lists all " +
    "of them with their text, original, kind and level, for score. The images are copied along, so that the new folder can be moved. FOLDER has metadata.jsonl or metadata.csv with file_name and text, or texts where score finds them.",
  examples: [
    "touchstone label degrade images --out degraded",
    "touchstone label degrade images --out degraded --level 3 --kinds noise,contrast",
  ],
  arguments: {
    folder: {
      kind: "positional",
      description:
        "images with metadata.jsonl or metadata.csv, in it or its splits; WebDataset shards (.tar) or " +
        "Parquet with images",
    },
    out: { kind: "text", value: "DIR", default: "degraded", description: "where copies go" },
    level: {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 4,
      default: 2,
      description: "how much worse: 1 (hardly) to 4",
    },
    kinds: {
      kind: "text",
      value: "A,B",
      default: degradations.join(", "),
      description: "the ways to alter",
    },
    seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
    ...textsArgument,
    "skip-bad": {
      kind: "switch",
      description: "leave out images that can't be read, in place of refusing them all",
    },
  },
  async run({ given, environment, output }) {
    const { workingDirectory, signal } = environment;
    const { folder, out, seed } = given;
    const kinds = kindsOf(given.kinds);
    const level = levelOf(given.level);
    const unpacked = await unpackedFolder(folder, { workingDirectory, tell: output.note });
    if (unpacked !== undefined) refuseTexts(given.texts, folder);
    const directory = unpacked ?? resolve(workingDirectory, folder);
    const listed = new Map<string, string>();
    const repeated = new Set<string>();
    const columns = { file_name: text, text };
    for (const { split, metadata, table, note } of await imageTables(directory, {
      place: given.texts,
    })) {
      if (note !== undefined) output.note(note);
      const source = { ...table(), name: relative(workingDirectory, metadata) };
      for await (const { row } of readTable({ source, columns, tell: output.warn })) {
        const name = join(split, row.file_name);
        if (listed.has(name)) repeated.add(name);
        else listed.set(name, row.text);
      }
    }
    const [twice] = repeated;
    if (twice !== undefined) {
      const stand = repeated.size === 1 ? "image stands" : "images stand";
      output.warn(`${repeated.size} ${stand} in several rows, such as ${twice}; the first counts`);
    }
    const to = resolve(workingDirectory, out);
    const problems = await unreadable(listed.keys(), { directory, folder, signal });
    if (problems.size === listed.size || (problems.size > 0 && !given["skip-bad"])) {
      throw new InputError(
        `${problems.size} of ${pluralText(listed.size, "image")} can't be read`,
        {
          problems: [...problems.values()],
          hint: "Nothing was written. Correct or remove these images, or leave them out: --skip-bad",
        },
      );
    }
    const taken = new Set<string>();
    const labels: string[] = [];
    const metadata: string[] = [];
    for (const [name, caption] of listed) {
      if (problems.has(name)) continue;
      const picture = await openPictureFile(join(directory, name), `${folder}/${name}`);
      const pixels = await picture.pixels();
      const ending = extname(name);
      const stem = name.slice(0, name.length - ending.length).replaceAll("/", "-");
      const own = freeName(taken, stem, ending);
      await writeFileAtomically(join(to, own), picture.bytes);
      const shared = { text: caption, original: own };
      metadata.push(JSON.stringify({ file_name: own, ...shared, level: 0 }));
      for (const degradation of kinds) {
        signal.throwIfAborted();
        const copy = degrade(pixels, { degradation, level, seed: picture.hash });
        const file = freeName(taken, `${stem}-${degradation}-${level}`, ".png");
        await writeFileAtomically(join(to, file), encodePng(copy));
        metadata.push(JSON.stringify({ file_name: file, ...shared, level, degradation }));
        const isFirst = randomFrom(seed, "degrade", name, degradation).chance(0.5);
        labels.push(
          JSON.stringify({
            id: basename(file, ".png"),
            caption,
            image_a: isFirst ? own : file,
            image_b: isFirst ? file : own,
            preferred: isFirst ? "a" : "b",
            degradation,
          }),
        );
      }
    }
    const table = join(out, "pairs.jsonl");
    const images = listed.size - problems.size;
    const files = { "pairs.jsonl": labels, "metadata.jsonl": metadata };
    for (const [name, lines] of Object.entries(files)) {
      await writeFileAtomically(join(to, name), lines.map((line) => `${line}\n`).join(""));
    }
    output.result(
      `${pluralText(labels.length, "altered copy", "altered copies")} of ${pluralText(images, "image")} in ${out}; ${table} pairs each with its image`,
    );
    for (const problem of problems.values()) output.warn(`Left out: ${problem}`);
    output.resultJson({
      out,
      images,
      ...(problems.size === 0 ? {} : { leftOut: [...problems.values()] }),
      copies: labels.length,
      labels: table,
      level,
      kinds,
    });
    output.nextCommand(await withOwnModel(["calibrate", table], environment));
  },
});

/** Problems of images that can't be read, by name: each is opened before anything is written. */
async function unreadable(
  names: Iterable<string>,
  {
    directory,
    folder,
    signal,
  }: { readonly directory: string; readonly folder: string; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  for (const name of names) {
    signal.throwIfAborted();
    try {
      await (await openPictureFile(join(directory, name), `${folder}/${name}`)).pixels();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      problems.set(name, error.message);
    }
  }
  return problems;
}

function kindsOf(words: string) {
  const names = words.split(",").map((name) => name.trim());
  const kinds = degradations.filter((kind) => names.includes(kind));
  const odd = names.find((name) => !kinds.some((kind) => kind === name));
  if (odd === undefined) return kinds;
  throw new InputError(`Expected ${degradations.join(", ")} for --kinds but received "${odd}"`);
}

const levelOf = (level: number): DegradationLevel =>
  degradationLevels.find((one) => one === level) ?? 2;
