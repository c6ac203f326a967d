import { z } from "zod";
import { once } from "../../core/once.js";
import { packagedYaml } from "../../files/packaged-yaml.js";

/** A price and where it is from. */
export interface Listed<Price> {
  readonly price: Price;
  /** The month, such as "2026-04". */
  readonly asOf: string;
}

/**
 * A list of prices in `data/`: by provider (its base URL, the month and the page they are from) and
 * model. It is read when a price is first asked for.
 *
 * @param price what a price looks like in this list.
 * @returns what tells a model's price; `undefined` where it is not known.
 * @throws z.ZodError where the list does not follow its schema.
 */
export function priceList<Price>(
  file: string,
  price: z.ZodType<Price>,
): (baseUrl: string, model: string) => Listed<Price> | undefined {
  const schema = z.array(
    z.strictObject({
      baseUrl: z.url(),
      asOf: z.string().regex(/^\d{4}-\d{2}$/),
      source: z.url(),
      models: z.record(z.string(), price),
    }),
  );
  const lists = once(() => schema.parse(packagedYaml(file)));
  return (baseUrl, model) => {
    const list = lists().find((each) => each.baseUrl === baseUrl);
    const found = new Map(Object.entries(list?.models ?? {})).get(model);
    return list === undefined || found === undefined
      ? undefined
      : { price: found, asOf: list.asOf };
  };
}
