import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { TrustCard } from "../../../analysis/trust-card/trust-card.js";
import { type CardFile, cardFileVersion } from "../../../conclusions/card/card-file.js";
import { asJson, canonicalJson } from "../../../core/json.js";
import { hashOf } from "../../../core/keys.js";
import type { RecordStore } from "../../../core/record-store.js";
import { sha256Of } from "../../../evidence/locate-files.js";
import { publishedLine } from "../../../evidence/published-line.js";
import type { Environment } from "../../environment.js";
import { version } from "../../program.js";

/**
 * What a card file says beside its cards: its format, what they were made of, by hash (of a run, that of its recipe,
 * which determines its records), and what published answers say of the same metrics.
 */
export async function fileHead(
  cards: readonly TrustCard[],
  {
    source,
    run,
    environment,
  }: {
    readonly source: string | undefined;
    readonly run: Pick<RecordStore, "recipe"> | undefined;
    readonly environment: Environment;
  },
): Promise<Omit<CardFile, "cards" | "verdict">> {
  const evidence = cards.flatMap(({ subject: { name } }) => {
    // "clip-score:hessel (MODEL)" is a clip-score; one of the lab's is none that anything was published of.
    const line = name.includes("lab:") ? undefined : publishedLine(name.split(/[:( ]/)[0] ?? name);
    return line === undefined ? [] : [[name, line] as const];
  });
  return {
    format: "touchstone-card",
    version: cardFileVersion,
    software: `touchstone-t2i ${version()}`,
    inputs: await inputsOf(source, { run, environment }),
    evidence: Object.fromEntries(evidence),
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
