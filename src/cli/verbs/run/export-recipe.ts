import { makingOfImages } from "../../../analysis/comparison/image-making.js";
import { asJson, type JsonObject } from "../../../core/json.js";
import { placed } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { RecordOf } from "../../../core/records.js";
import { imagesOfRecords } from "../../conclusions/making-below.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import { configuredName } from "../../models/configured-name.js";
import type { Hosting } from "../../models/hosting.js";

/**
 * What another needs to make a run's images again: the commands, each generator with its settings (as
 * touchstone.config.yaml has them; keys never stand there) and how it made them, and each image's text, seed
 * and SHA-256.
 */
export async function recipeOfImages(
  store: Pick<RecordStore, "recipe" | "ofType">,
  { settings, hosting }: { readonly settings: Configuration; readonly hosting: Hosting },
): Promise<JsonObject> {
  const records: Extract<RecordOf<"image">, { status: "done" }>[] = [];
  for await (const record of store.ofType("image")) {
    if (record.status === "done") records.push(record);
  }
  const configured = settings.models ?? {};
  const generators = [];
  for (const { by, ...making } of makingOfImages(await imagesOfRecords(store))) {
    const facts = records.find((record) => placed(record) === by);
    const name = facts && (await configuredName(facts, { configured, hosting }));
    const entry = name === undefined ? undefined : configured[name];
    generators.push({ model: by, ...making, ...(entry === undefined ? {} : { settings: entry }) });
  }
  const { software, commands, seed } = store.recipe;
  return asJson({
    software,
    commands,
    seed,
    generators,
    images: records.map((record) => ({
      text: record.text,
      role: record.role,
      sample: record.sample,
      seed: record.seed,
      model: placed(record),
      sha256: record.image,
      ...(record.revisedPrompt === undefined ? {} : { revised_prompt: record.revisedPrompt }),
      ...(record.making === undefined ? {} : { making: record.making }),
    })),
  });
}
