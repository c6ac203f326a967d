import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type CardFile, cardFileVersion } from "../../../conclusions/card/card-file.js";
import { asJson, canonicalJson } from "../../../core/json.js";
import { hashOf } from "../../../core/keys.js";
import type { RecordStore } from "../../../core/record-store.js";
import { sha256Of } from "../../../evidence/locate-files.js";
import type { Environment } from "../../environment.js";
import { version } from "../../program.js";

/** What a card file says beside its cards: its format, and what they were made of, by hash (of a run, that of its recipe, which determines its records). */
export async function fileHead(
  source: string | undefined,
  of: {
    readonly run: Pick<RecordStore, "recipe"> | undefined;
    readonly environment: Environment;
  },
): Promise<Pick<CardFile, "format" | "version" | "software" | "inputs">> {
  return {
    format: "touchstone-card",
    version: cardFileVersion,
    software: `touchstone-t2i ${version()}`,
    inputs: await inputsOf(source, of),
  };
}

async function inputsOf(
  source: string | undefined,
  {
    run,
    environment,
  }: { readonly run: Pick<RecordStore, "recipe"> | undefined; readonly environment: Environment },
): Promise<{ name: string; sha256: string }[]> {
  if (source === undefined || source === "-") return [];
  if (run !== undefined) {
    const text = canonicalJson(asJson(run.recipe));
    return [{ name: source, sha256: hashOf(new TextEncoder().encode(text)) }];
  }
  const path = resolve(environment.workingDirectory, source);
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
  return isFile ? [{ name: source, sha256: await sha256Of(path) }] : [];
}
