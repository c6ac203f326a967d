import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { Json, JsonObject } from "../../core/json.js";
import { jsonOrNone } from "../../core/read-json.js";
import type { ImageMaking } from "../../core/records.js";
import { makingOf } from "../image-generation/image-making.js";

const node = z.looseObject({
  class_type: z.string(),
  inputs: z.record(z.string(), z.json()),
});

/** A workflow in the format of ComfyUI's API: nodes by their id. */
const workflow = z.record(z.string(), node);
export type Workflow = z.output<typeof workflow> & JsonObject;

/**
 * Checks that text is a workflow in the API's format.
 *
 * @param name its file, for messages
 * @throws InputError where it is not.
 */
export function readWorkflow(text: string, name: string): Workflow {
  const json = jsonOrNone(text);
  const read = workflow.safeParse(json);
  if (read.success && Object.keys(read.data).length > 0) return read.data as Workflow;
  const isDrawing = Array.isArray(Object(json).nodes);
  throw new InputError(
    `Expected a workflow of nodes with class_type and inputs in ${name} but received ${
      isDrawing ? "one as the editor saves it" : "something else"
    }`,
    { hint: "In ComfyUI choose Export (API) (before: Save (API Format))." },
  );
}

/** Names that are always filled in: without them every image would be the same. */
const needed = ["prompt", "seed"];
/** Names that are promised; others that look alike (such as %date:yyyy%) are ComfyUI's own. */
const promised = ["width", "height"];

/**
 * A workflow with values in place of `%name%`: as they are where it is all of a text, else within it.
 *
 * @throws InputError where the workflow has no %prompt% or %seed%, or names one that has no value.
 */
export function filledWorkflow(template: JsonObject, values: JsonObject): JsonObject {
  const used = new Set<string>();
  const valueFor = (name: string): Json | undefined => {
    used.add(name);
    if (Object.hasOwn(values, name)) return values[name];
    if (!promised.includes(name)) return undefined;
    throw new InputError(`Expected a value for %${name}% of the workflow but received none`, {
      hint: `Give it in touchstone.config.yaml: input: { ${name}: … }`,
    });
  };
  const fill = (value: Json): Json => {
    if (typeof value === "string") {
      const [, whole] = /^%(\w+)%$/.exec(value) ?? [];
      if (whole !== undefined) return valueFor(whole) ?? value;
      return value.replaceAll(/%(\w+)%/g, (all, name) => {
        const found = valueFor(name);
        return found === undefined ? all : String(found);
      });
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(fill);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]));
  };
  const filled = fill(template) as JsonObject;
  const missing = needed.filter((name) => !used.has(name));
  if (missing.length === 0) return filled;
  throw new InputError(
    `Expected ${missing.map((name) => `%${name}%`).join(" and ")} in a value of the workflow but there is none`,
    { hint: 'Such as "text": "%prompt%" in a CLIPTextEncode and "seed": "%seed%" in a KSampler.' },
  );
}

/** How a workflow's nodes make an image: what its samplers, sizes and loaders say in numbers and names. */
export function workflowMaking(filled: JsonObject): ImageMaking {
  const inputs = Object.values(filled).map((one) => Object(Object(one).inputs));
  const names = ["ckpt_name", "unet_name"].flatMap((name) => inputs.map((one) => one[name]));
  const weights = names.find((name) => typeof name === "string");
  return {
    ...Object.assign({}, ...inputs.map(makingOf).reverse()),
    ...(weights === undefined ? {} : { weights }),
  };
}
