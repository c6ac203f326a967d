import { stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { type NewRun, type Recipe, recipeFor, recipeSchema } from "../../core/recipe.js";
import { namesIn } from "../directory.js";
import { fileError, systemCode } from "../file-error.js";
import { readTextFile } from "../regular-file.js";

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

/** @throws InputError where no run is to be made, or the folder holds something else */
export async function newRecipe(directory: string, create: NewRun | undefined): Promise<Recipe> {
  if (create === undefined) throw notARun(directory);
  await refuseForeignFolder(directory);
  return recipeFor(create);
}

/** Hidden files, such as a file manager's, are in nobody's way. */
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

/** Whether a run stands in a folder. */
export const isRunFolder = (directory: string): Promise<boolean> =>
  stat(recipePath(directory)).then(
    (found) => found.isFile(),
    () => false,
  );
