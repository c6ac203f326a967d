import { realpath } from "node:fs/promises";
import { basename, isAbsolute, sep } from "node:path";
import type { Recipe } from "../../core/recipe.js";

/**
 * Makes texts say nothing of the disk that a run lies on: the run's folder goes by its name, files below the
 * folders given by the rest of their path, and other files that the recipe names by their base names.
 *
 * @param options.place the run's folder
 * @param options.folders such as the working directory; their own names are left out
 * @returns what does so, in plain text, JSON and HTML
 */
export async function withoutPaths({
  place,
  name,
  folders,
  recipe,
}: {
  readonly place: string;
  readonly name: string;
  readonly folders: readonly string[];
  readonly recipe: Recipe;
}): Promise<(text: string) => string> {
  const replacements = new Map<string, string>();
  for (const path of pathsIn(recipe)) replacements.set(path, basename(path));
  for (const folder of folders) {
    for (const path of await written(folder)) replacements.set(`${path}${sep}`, "");
  }
  for (const path of await written(place)) replacements.set(path, name);
  // The longest first: a folder may lie in another.
  const inOrder = [...replacements]
    .filter(([path]) => path.length > sep.length)
    .sort(([a], [b]) => b.length - a.length)
    .flatMap(([path, short]) =>
      [...new Set([path, inJson(path)])].map((one) => [one, short] as const),
    );
  return (text) => inOrder.reduce((left, [path, short]) => left.replaceAll(path, short), text);
}

/** A path as it may have been written down: as it was given, and where its links lead. */
const written = async (path: string): Promise<readonly string[]> => [
  path,
  await realpath(path).catch(() => path),
];

const inJson = (path: string): string => JSON.stringify(path).slice(1, -1);

/** Every absolute path of a recipe: words of its commands, its sources, parameters of its steps. */
function pathsIn(recipe: Recipe): readonly string[] {
  const words = textsIn(recipe).flatMap((text) => [text, ...text.split(/["'\s=,]+/)]);
  return [...new Set(words.map((word) => word.replace(/[/\\]+$/, "")))].filter(
    (word) => isAbsolute(word) && !word.includes("\n") && word.split(sep).length > 2,
  );
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
