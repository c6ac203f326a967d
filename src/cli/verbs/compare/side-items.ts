import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { imagesBelow, imagesWithoutTexts, metadataNames } from "../../../files/image-folder.js";
import { parseMap } from "../../../tables/map.js";
import type { Environment } from "../../environment.js";
import type { ScoreItem } from "../score/score-item.js";
import { readItems } from "../score/score-items.js";
import { isRun } from "../score/score-run.js";
import { promptsFor } from "./given-prompts.js";

/** Where the texts of a side's images come from; "none" where nothing says them. */
export type TextsFrom = "metadata" | "elsewhere" | "none";

/** The images of one side, with texts where they have some. */
export interface SideItems {
  readonly items: readonly ScoreItem[];
  readonly textsFrom: TextsFrom;
  readonly notes: readonly string[];
}

/** How the items of a side are read. */
export interface SideReading {
  readonly environment: Environment;
  readonly map: readonly string[];
  readonly allowOutside: boolean;
  /** A file of prompts for folders. */
  readonly prompts: string | undefined;
}

/**
 * Reads the images of a folder or a table, also of a folder that says of none what it is to show.
 *
 * @throws InputError for a run, and where there is no image.
 */
export async function sideItems(
  source: string,
  { environment, map, allowOutside, prompts }: SideReading,
): Promise<SideItems> {
  const { workingDirectory } = environment;
  if (await isRun(source, environment)) {
    throw new InputError(`Expected a folder or table of images but ${source} is a run`, {
      hint: `Score it (touchstone score ${source} --metric …) and compare its scores: touchstone run export ${source}`,
    });
  }
  const folder = resolve(workingDirectory, source);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const bare = (images: readonly string[], texts: ReadonlyMap<string, string>) =>
    images.map(
      (image): ScoreItem => ({
        image,
        path: join(folder, image),
        text: texts.get(image) ?? "",
        ...(allowOutside ? {} : { folder }),
        others: {},
      }),
    );
  if (prompts !== undefined && isFolder) {
    const images = await imagesBelow(folder);
    if (images.length === 0) throw new InputError(`Expected images in ${source} but it has none`);
    const texts = await promptsFor(images, { file: prompts, source, workingDirectory });
    const items = bare(images, texts).filter(({ text }) => text !== "");
    return { items, textsFrom: "elsewhere", notes: [] };
  }
  const untold = isFolder ? await imagesWithoutTexts(folder) : undefined;
  if (untold !== undefined) return { items: bare(untold, new Map()), textsFrom: "none", notes: [] };
  const { items, notes } = await readItems(source, {
    environment,
    map: parseMap(map),
    allowOutside,
    skipBad: false,
  });
  if (items.length === 0) throw new InputError(`Expected images in ${source} but it has none`);
  const hasTable = isFolder && (await hasMetadata(folder));
  return { items, notes, textsFrom: hasTable ? "metadata" : "elsewhere" };
}

const hasMetadata = async (folder: string) =>
  (
    await Promise.all(
      metadataNames.map((name) =>
        stat(join(folder, name)).then(
          () => true,
          () => false,
        ),
      ),
    )
  ).includes(true);
