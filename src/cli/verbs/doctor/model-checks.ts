import { InputError } from "../../../core/errors.js";
import { modelName } from "../../../core/models.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import type { Environment } from "../../environment.js";
import { hostingFor } from "../../models/hosting.js";
import { chooseModel } from "../../models/model-choice.js";
import type { Check } from "./check.js";
import { tryModel } from "./try-model.js";

/** One check for each model that the settings name; hosted ones are really asked. */
export async function modelChecks(
  environment: Environment,
  tell?: (text: string) => void,
): Promise<Check[]> {
  const settings = await loadConfiguration(environment).then(
    (loaded) => loaded.settings,
    (error: unknown): Configuration => {
      // What is wrong with the file is a check of its own.
      if (error instanceof InputError) return {};
      throw error;
    },
  );
  const configured = settings.models ?? {};
  const names = [...new Set([...Object.keys(configured), ...(settings.score?.models ?? [])])];
  if (names.length === 0) {
    const look = async () => ({
      state: "missing" as const,
      detail: "the settings name none",
      advice: "Name them under models in touchstone.config.yaml: touchstone init",
    });
    return [{ name: "models", look }];
  }
  // Without the cache: a kept reply says nothing about today.
  const hosting = hostingFor(environment, { useCache: false, ...(tell && { tell }) });
  return names.map((name) => ({
    name: `model ${name}`,
    async look({ signal }) {
      try {
        const chosen = await chooseModel(name, configured, hosting);
        const finding = await tryModel(chosen, signal);
        const full = modelName(chosen.model.identity);
        return {
          ...finding,
          detail: full === name ? finding.detail : `${full}: ${finding.detail}`,
        };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const advice = error.hint ?? "Correct its settings in touchstone.config.yaml";
        return { state: "wrong", detail: error.message, advice };
      }
    },
  }));
}
