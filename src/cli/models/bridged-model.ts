import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { keyOf } from "../../core/keys.js";
import type { ImageGenerator, Model } from "../../core/models.js";
import {
  type BackendName,
  callsInFlight,
  type PythonBridgeOptions,
  pythonBridge,
} from "../../models/python-bridge/python-bridge.js";
import type {
  BridgedModelSettings,
  DiffusersSettings,
  PythonGeneratorSettings,
} from "../configuration/configuration-schema.js";
import type { Hosting } from "./hosting.js";

/** Keys are for servers, and Python needs none but that of the Hugging Face Hub. */
const isKept = (name: string) => name === "HF_TOKEN" || !/_(KEY|TOKEN|SECRET)$/i.test(name);

/**
 * A metric behind Python that `backend` or `backend:model` names. Its Python is that of the settings,
 * else of TOUCHSTONE_PYTHON; it ends with the command line.
 *
 * @throws InputError for a backend that does not exist.
 */
export function bridgedModel(
  text: string,
  { python, ...settings }: Settings,
  { variables, meter }: Hosting,
): { model: Model; callsAtOnce: number; load: () => Promise<void> } {
  const [, backend = text, model] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  const options: PythonBridgeOptions = {
    ...pythonOf(variables, python),
    ...settings,
    model,
  };
  // The factory refuses a name that is no backend's.
  const bridged = pythonBridge(backend as BackendName, options);
  meter.show(bridged);
  return {
    model: bridged,
    callsAtOnce: callsInFlight(backend as BackendName, options),
    load: () => bridged.load(),
  };
}

/** A function of the user's own that `module:function` names, from the folder of the command line. */
export const bridgedFunction = (name: string, { variables, workingDirectory }: Hosting) =>
  pythonBridge("function", { ...pythonOf(variables), model: name, directory: workingDirectory });

const pythonOf = (variables: Hosting["variables"], python?: string): PythonBridgeOptions => ({
  python: python ?? (variables.TOUCHSTONE_PYTHON || undefined),
  variables: Object.fromEntries(Object.entries(variables).filter(([name]) => isKept(name))),
});

type Settings = Partial<Omit<BridgedModelSettings, "provider" | "model">>;

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
  {
    revision,
    ...settings
  }: SettingsOf<PythonGeneratorSettings> & { readonly revision?: string | undefined },
  hosting: Hosting,
): Promise<PythonGenerator> {
  if (revision !== undefined) {
    throw new InputError(
      `Expected python:${name} without a revision but received "${revision}"; its code is its revision`,
    );
  }
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
  const parts = [
    revision,
    variant && `variant-${variant}`,
    dtype && `dtype-${dtype}`,
    // What is computed together may round otherwise: a seed's image is then another one.
    (settings.batch ?? 1) > 1 ? `batch-${settings.batch}` : undefined,
    hash,
  ].filter((part) => part !== undefined);
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

/** Settings without undefined members. */
const json = (settings: Readonly<Record<string, unknown>>): JsonObject =>
  JSON.parse(JSON.stringify(settings));

/** The beginning of the SHA-256 of the file that a function is in; undefined for an installed module. */
async function codeOf(name: string, directory: string): Promise<string | undefined> {
  const module = name.slice(0, name.lastIndexOf(":"));
  const bare = module.replaceAll(".", "/");
  // Python prefers a package to a module of the same name.
  const paths = module.endsWith(".py") ? [module] : [`${bare}/__init__.py`, `${bare}.py`];
  for (const path of paths) {
    const code = await readFile(resolve(directory, path)).catch(() => undefined);
    if (code !== undefined) return createHash("sha256").update(code).digest("hex").slice(0, 8);
  }
  return undefined;
}
