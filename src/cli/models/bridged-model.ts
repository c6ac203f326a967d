import type { Model } from "../../core/models.js";
import {
  type BackendName,
  callsInFlight,
  type PythonBridgeOptions,
  pythonBridge,
} from "../../models/python-bridge/python-bridge.js";
import type { BridgedModelSettings } from "../configuration/configuration-schema.js";
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

export const pythonOf = (
  variables: Hosting["variables"],
  python?: string,
): PythonBridgeOptions => ({
  python: python ?? (variables.TOUCHSTONE_PYTHON || undefined),
  variables: Object.fromEntries(Object.entries(variables).filter(([name]) => isKept(name))),
});

type Settings = Partial<Omit<BridgedModelSettings, "provider" | "model">>;
