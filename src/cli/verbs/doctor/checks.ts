import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Acuity } from "../../../analysis/sanity/sanity-text.js";
import { InputError } from "../../../core/errors.js";
import type { Sight } from "../../../models/sight/sight.js";
import { configurationFile, loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { version } from "../../program.js";

const reinstall = "Install it again: npm ci in a clone, npm install touchstone-t2i elsewhere";
const oldestNode = [20, 19] as const;

/** Checks of `touchstone doctor`, in order. A new line is one entry here. */
export const checks: readonly Check[] = [
  { name: "touchstone", look: async () => ({ state: "ok", detail: version() }) },
  { name: "Node", look: async () => nodeFinding(process.versions.node) },
  {
    name: "platform",
    look: async () => ({ state: "ok", detail: `${process.platform} ${process.arch}` }),
  },
  {
    name: "images (sharp)",
    look: () =>
      tryOut(async () => {
        const { default: sharp } = await import("sharp");
        await sharp({ create: { width: 2, height: 2, channels: 3, background: "white" } })
          .png()
          .toBuffer();
        return `sharp ${sharp.versions.sharp}`;
      }, reinstall),
  },
  { name: "local models", look: peerFinding },
  {
    name: "configuration",
    look: async (environment) => {
      try {
        const { file } = await loadConfiguration(environment);
        if (file !== undefined) return { state: "ok", detail: file };
        const advice = "touchstone doctor init writes one; all settings have defaults";
        return { state: "missing", detail: `no ${configurationFile} in this folder`, advice };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const detail = [error.message, ...error.problems].join("; ");
        return { state: "wrong", detail, advice: error.hint ?? "Mend the file" };
      }
    },
  },
  {
    name: "keys",
    look: async ({ variables }) => {
      const names = Object.keys(variables).filter((name) => variables[name] && isKey(name));
      const set = names.length === 0 ? "none set" : `set: ${names.sort().join(", ")}`;
      return { state: "ok", detail: `${set} (only hosted models need one)` };
    },
  },
  {
    name: "folder for runs",
    look: ({ workingDirectory }) => runsFinding(resolve(workingDirectory, "runs")),
  },
];

const isKey = (name: string) => /_API_KEY$|^HF_TOKEN$/.test(name);

/** Compares a version of Node with the oldest that works. */
export function nodeFinding(current: string): Finding {
  const [major = 0, minor = 0] = current.split(".").map(Number);
  const isNew = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  return isNew
    ? { state: "ok", detail: current }
    : { state: "wrong", detail: current, advice: `Install Node ${oldestNode.join(".")} or later` };
}

/** Tries if runs can be written to a folder, which need not exist yet. */
export async function runsFinding(folder: string): Promise<Finding> {
  try {
    await access(folder, constants.W_OK);
    return { state: "ok", detail: `${folder} can be written` };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const parent = dirname(folder);
    if (isMissing && parent !== folder) {
      const above = await runsFinding(parent);
      return above.state === "ok" ? { state: "ok", detail: `${folder} can be made` } : above;
    }
    return {
      state: "wrong",
      detail: `${folder} can't be written`,
      advice: "Give runs another place: --run DIR",
    };
  }
}

async function peerFinding(): Promise<Finding> {
  const { importTransformers } = await import(
    "../../../models/transformers-js/transformers-library.js"
  );
  try {
    await importTransformers(["AutoTokenizer", "AutoProcessor", "RawImage"]);
    return { state: "ok", detail: "@huggingface/transformers" };
  } catch (error) {
    if (!(error instanceof InputError)) {
      const detail = error instanceof Error ? error.message : String(error);
      return { state: "wrong", detail, advice: "Install @huggingface/transformers again" };
    }
    const detail = "@huggingface/transformers is not installed (optional)";
    return { state: "missing", detail, advice: error.hint ?? "" };
  }
}

/**
 * Finding of one look at the installation. `missing` may stay so: something optional is not there.
 * `wrong` must be mended, and `advice` says how.
 */
export interface Finding {
  readonly state: "ok" | "missing" | "wrong";
  readonly detail: string;
  readonly advice?: string;
  /** Printed in place of a detail that is long. */
  readonly summary?: string;
  /** Of a model that is shown images. */
  readonly sight?: Sight;
  readonly acuity?: Acuity;
}

/** One line of `touchstone doctor`. */
export interface Check {
  readonly name: string;
  look(environment: Environment): Promise<Finding>;
}

/** A finding from something that throws where it is broken. */
export async function tryOut(attempt: () => Promise<string>, advice: string): Promise<Finding> {
  try {
    return { state: "ok", detail: await attempt() };
  } catch (error) {
    const detail = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { state: "wrong", detail, advice };
  }
}
