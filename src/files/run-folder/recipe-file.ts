import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { type NewRun, type Recipe, recipeFor, recipeSchema } from "../../core/recipe.js";
import type { DocumentStore } from "../../core/record-store.js";
import { writeFileAtomically } from "../atomic.js";
import { absent, fileError, systemCode } from "../file-error.js";
import { foldersBelow } from "../files-below.js";
import { namesIn } from "../make-folder.js";
import { exists } from "../paths.js";
import { kindAt, readTextFile } from "../regular-file.js";

export const recipeName = "run.json";
const recipePath = (directory: string): string => join(directory, recipeName);

/** The recipe of the run in a folder; `undefined` where there is none. */
export async function readRecipe(directory: string): Promise<Recipe | undefined> {
  const path = recipePath(directory);
  try {
    return recipeSchema.parse(JSON.parse(await readTextFile(path)));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    if (systemCode(error) !== undefined) throw fileError(error, "read", path);
    throw new InputError(`Expected the recipe of a run but received something else (in ${path})`, {
      hint: "The file was changed by hand, or written by another version of Touchstone.",
      cause: error,
    });
  }
}

/**
 * Returns the recipe of a new run.
 * @throws InputError without `create`, or where the folder holds something else
 */
export async function newRecipe(directory: string, create: NewRun | undefined): Promise<Recipe> {
  if (create === undefined) throw notARun(directory);
  await refuseForeignFolder(directory);
  return recipeFor(create);
}

/** Hidden files, such as a file manager's, do not count. */
async function refuseForeignFolder(directory: string): Promise<void> {
  const [name] = (await namesIn(directory)).filter((candidate) => !candidate.startsWith("."));
  if (name === undefined) return;
  throw new InputError(
    `Expected a new or empty folder, or a run, but received ${directory}, which holds ${name}`,
    { hint: "Name another folder for the run; it is made where there is none." },
  );
}

function notARun(directory: string): InputError {
  return new InputError(
    `Expected the folder of a run but received ${directory}, which has no run.json`,
    {
      hint: "A run is made by, for example: touchstone demo --run DIR",
    },
  );
}

/** Tells whether a folder holds a run. */
export const isRunFolder = async (directory: string): Promise<boolean> =>
  (await kindAt(recipePath(directory))) === "file";

/** Paths of the runs in and below a folder; the folder itself comes first if it is a run. */
export async function findRunFolders(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { directory, entries } of foldersBelow(root)) {
    if (entries.some(({ name }) => name === recipeName)) found.push(directory);
  }
  return found;
}

/** The error for a run that was made with other settings. */
export function otherRecipe(
  place: string,
  recipe: Recipe,
  problems: readonly string[],
): InputError {
  const last = recipe.commands.at(-1);
  return new InputError(
    `Expected the settings that the run in ${place} was made with but received others`,
    {
      problems,
      hint: `Name another folder for a new run${last === undefined ? "" : `, or continue this one: ${last}`}`,
    },
  );
}

/** Documents as files in a folder, such as that of a run: `report.html` beside its recipe. */
export class DocumentFolder implements DocumentStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async has(name: string): Promise<boolean> {
    return exists(this.addressOf(name));
  }

  async read(name: string): Promise<string | undefined> {
    const path = this.addressOf(name);
    return readFile(path, "utf8").catch(absent(path));
  }

  async write(name: string, text: string): Promise<void> {
    await writeFileAtomically(this.addressOf(name), text);
  }

  addressOf(name: string): string {
    return join(this.#directory, name);
  }
}
