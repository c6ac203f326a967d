import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { JsonObject } from "../../core/json.js";
import { keyOf } from "../../core/keys.js";
import type { ImageGenerator } from "../../core/models.js";
import {
  callsInFlight,
  type PythonBridgeOptions,
  pythonBridge,
} from "../../models/python-bridge/python-bridge.js";
import type {
  DiffusersSettings,
  PythonGeneratorSettings,
} from "../configuration/configuration-schema.js";
import { pythonOf } from "./bridged-model.js";
import type { Hosting } from "./hosting.js";

type SettingsOf<Entry> = Partial<Omit<Entry, "provider" | "model">>;

interface PythonGenerator {
  readonly model: ImageGenerator;
  readonly callsAtOnce: number;
  load(): Promise<void>;
}

/**
 * A function of the user's own that makes images, `gen.py:generate` or `module:generate`. Its code is part of its identity:
 * images of other code are no images of this generator.
 */
export async function ownGenerator(
  name: string,
  settings: SettingsOf<PythonGeneratorSettings>,
  hosting: Hosting,
): Promise<PythonGenerator> {
  const code = await codeOf(name, hosting.workingDirectory);
  const identity = { provider: "python", model: name, ...(code && { revision: `code-${code}` }) };
  const directory = hosting.workingDirectory;
  return made("generator", { ...common(settings, hosting), model: name, directory, identity });
}

/** Any text-to-image pipeline of diffusers, by its name on the Hub or its folder. */
export function diffusersGenerator(
  name: string,
  {
    revision,
    variant,
    dtype,
    input,
    scheduler,
    lora,
    offload,
    ...settings
  }: SettingsOf<DiffusersSettings>,
  hosting: Hosting,
): PythonGenerator {
  const asked = json({ input, scheduler, lora });
  const hash = Object.keys(asked).length === 0 ? undefined : `input-${keyOf(asked).slice(0, 8)}`;
  const parts = [revision, variant, dtype, hash].filter((part) => part !== undefined);
  const identity = {
    provider: "diffusers",
    model: name,
    ...(parts.length === 0 ? {} : { revision: parts.join("+") }),
  };
  return made("diffusers", {
    ...common(settings, hosting),
    model: name.startsWith(".") ? resolve(hosting.workingDirectory, name) : name,
    revision,
    precision: dtype,
    settings: json({ input, scheduler, lora, variant, offload }),
    identity,
  });
}

const common = (
  { python, device, batch, timeoutSeconds, loadSeconds }: SettingsOf<PythonGeneratorSettings>,
  { variables }: Hosting,
): PythonBridgeOptions => ({
  ...pythonOf(variables, python),
  device,
  batch,
  timeoutSeconds,
  loadSeconds,
});

function made(name: "generator" | "diffusers", options: PythonBridgeOptions): PythonGenerator {
  const model = pythonBridge(name, options);
  return { model, callsAtOnce: callsInFlight(name, options), load: () => model.load() };
}

/** What is given of settings, which YAML holds and the schema has checked. */
const json = (settings: Readonly<Record<string, unknown>>): JsonObject =>
  JSON.parse(JSON.stringify(settings));

/** The beginning of the SHA-256 of the file that a function is in; undefined for an installed module. */
async function codeOf(name: string, directory: string): Promise<string | undefined> {
  const module = name.slice(0, name.lastIndexOf(":"));
  const path = module.endsWith(".py") ? module : `${module.replaceAll(".", "/")}.py`;
  const code = await readFile(resolve(directory, path)).catch(() => undefined);
  return code && createHash("sha256").update(code).digest("hex").slice(0, 8);
}
