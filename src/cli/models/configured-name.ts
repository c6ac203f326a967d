import { InputError } from "../../core/errors.js";
import { type Placed, placed, placedName } from "../../core/models.js";
import type { ConfiguredModel } from "../configuration/configuration-schema.js";
import type { Hosting } from "./hosting.js";
import { chooseModel } from "./model-choice.js";

/**
 * Finds how touchstone.config.yaml names a model of a record or a saved judge: a command line
 * reaches it by that name alone, since its address, key and settings stand there.
 *
 * @returns the first name whose model is the same, at the same address; undefined where there is none.
 */
export async function configuredName(
  wanted: Placed,
  {
    configured = {},
    hosting,
  }: {
    readonly configured: Readonly<Record<string, ConfiguredModel>> | undefined;
    readonly hosting: Hosting;
  },
): Promise<string | undefined> {
  for (const [name, { provider }] of Object.entries(configured)) {
    if (!wanted.model.startsWith(`${provider}:`)) continue;
    const found = await identityOf(name, configured, hosting);
    if (found === placed(wanted)) return name;
  }
  return undefined;
}

/** Undefined for one that can't be had here, such as a recording that is gone. */
async function identityOf(...choice: Parameters<typeof chooseModel>): Promise<string | undefined> {
  try {
    return placedName((await chooseModel(...choice)).model.identity);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
