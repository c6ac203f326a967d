import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { checkRegularNow } from "../../files/regular-file.js";
import type { Environment } from "../environment.js";

/** The variables of a folder's `.env`, with the real environment's over them. */
export function withEnvironmentFile(
  variables: Environment["variables"],
  workingDirectory: string,
): Environment["variables"] {
  let text: string;
  try {
    checkRegularNow(join(workingDirectory, ".env"));
    text = readFileSync(join(workingDirectory, ".env"), "utf8");
  } catch {
    // Most folders have none, and one that can't be read must not stop a verb that needs no key.
    return variables;
  }
  return { ...parseEnv(text), ...variables };
}
