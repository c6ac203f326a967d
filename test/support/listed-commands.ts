import type { Command, Verb } from "../../src/cli/command-line/command.js";
import { append } from "../../src/core/arrays.js";

interface Listed {
  /** Such as "analyze swap". */
  readonly path: string;
  readonly command: Command;
}

/** All verbs of a list, and those that they have of their own. */
export async function listedCommands(
  of: readonly Verb[],
  parents: readonly string[] = [],
): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const { name, load } of of) {
    const { default: loaded } = await load();
    const path = [...parents, name];
    if (loaded.kind === "group") append(found, await listedCommands(loaded.verbs, path));
    else found.push({ path: path.join(" "), command: loaded });
  }
  return found;
}
