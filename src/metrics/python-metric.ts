import type { Metric } from "../core/metric.js";
import type { Model, RewardModel } from "../core/models.js";
import type { Bridged } from "../models/python-bridge/python-bridge.js";
import { checkMetric } from "./user-metric.js";

/** Where a function says nothing of its range: all numbers that a table may hold. */
const unbounded = [-1e300, 1e300];

/**
 * A metric that is a Python function f(image, text) -> float. Its attributes `range`, `direction`
 * ("higher" where it has none) and `version` say more; raise the last whenever the same input would
 * give another number.
 *
 * @param name where it is imported from: module:function or file.py:function
 * @param model `pythonBridge("function", { model: name })`; it is loaded, to be asked what it is
 * @throws InputError where it can't be imported, or says of itself what no metric is.
 * @example await pythonMetric("mine:brightness", pythonBridge("function", { model: "mine:brightness" }))
 */
export async function pythonMetric(
  name: string,
  model: Model & Bridged & RewardModel,
): Promise<Metric> {
  const described = await model.described();
  return checkMetric(
    {
      range: unbounded,
      direction: "higher",
      ...described,
      name: name.split(":").at(-1),
      model: `python:${name}`,
      score: async ({ image, text }, options) => ({
        value: await model.reward(image, text, options),
      }),
    } satisfies Record<string, unknown> & Pick<Metric, "score">,
    name,
  );
}
