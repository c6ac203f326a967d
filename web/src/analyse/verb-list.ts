import { conclusions } from "../../../src/conclusions/conclusions.js";
import type { tableArguments } from "../../../src/conclusions/table-options.js";
import type { Argument } from "../../../src/core/options.js";
import type { AnalysisVerb, Flag } from "./analysis.js";

/** The verbs that conclude from a table, the very ones of the command line; flags that several take stand once. */
export interface VerbList {
  readonly verbs: readonly Omit<AnalysisVerb, "flags">[];
  /** A flag, and by places in `verbs` whose it is. */
  readonly flags: readonly (readonly [name: string, flag: Flag, of: readonly number[]])[];
}

/** What the form has fields of its own for, or the file itself says. */
const inForm: readonly string[] = [
  "map",
  "format",
  "join",
] satisfies (keyof typeof tableArguments)[];

/** Whether an argument names another file, which a page can't open. */
const readsFile = (argument: Argument): boolean =>
  argument.kind === "text" && /FILE|DIR/.test(argument.value ?? "");

async function listed(): Promise<VerbList> {
  const flags = new Map<string, [string, Flag, number[]]>();
  const verbs = [];
  for (const [at, { name, tells, load }] of conclusions.entries()) {
    const { title, arguments: declared } = (await load()).default;
    for (const [flag, argument] of Object.entries(declared)) {
      if (argument.kind === "positional" || inForm.includes(flag) || readsFile(argument)) continue;
      const key = JSON.stringify([flag, argument]);
      const known = flags.get(key);
      if (known === undefined) flags.set(key, [flag, argument, [at]]);
      else known[2].push(at);
    }
    verbs.push({ name, title, columns: Object.keys(tells?.columns ?? {}) });
  }
  return { verbs, flags: [...flags.values()] };
}

/** Made when the pages are built, so that a page that shows forms loads no code of verbs. */
export const verbList = await listed();
