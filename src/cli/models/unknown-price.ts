import { InputError } from "../../core/errors.js";
import { type Model, modelFacts, modelName, placedName } from "../../core/models.js";

/** How a price is given in the settings of a model, with an example. */
const examples = {
  price: {
    member: "price: { input: 0.15, output: 0.6 }",
    unit: "US dollars for a million tokens",
    free: "price: { input: 0, output: 0 }",
    list: "data/prices.yaml",
  },
  pricePerMillionTokens: {
    member: "pricePerMillionTokens: 0.02",
    unit: "US dollars for a million tokens",
    free: "pricePerMillionTokens: 0",
    list: undefined,
  },
  pricePerImage: {
    member: "pricePerImage: 0.04",
    unit: "US dollars for an image",
    free: "pricePerImage: 0",
    list: "data/image-prices.yaml",
  },
} as const;

/** A limit of dollars means nothing where a price is not known; how to give one. */
export function unknownPrice({ identity }: Model, setting: keyof typeof examples): InputError {
  const { provider, model } = identity;
  const { baseUrl } = modelFacts(identity);
  const { member, unit, free, list } = examples[setting];
  const address = baseUrl === undefined ? "" : `, baseUrl: "${baseUrl}"`;
  return new InputError(
    `Expected a known price of ${placedName(identity)} for --max-cost but there is none; nothing was asked`,
    {
      hint: [
        `Give it in touchstone.config.yaml, in ${unit}, and name the model mine in place of ${modelName(identity)}:`,
        "  models:",
        `    mine: { provider: ${provider}, model: "${model}"${address}, ${member} }`,
        `A server of your own costs nothing: ${free}.${
          list === undefined ? "" : ` ${list} lists the prices that are known.`
        } --max-calls limits without a price.`,
      ].join("\n"),
    },
  );
}
