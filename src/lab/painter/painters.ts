import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { DefectRates } from "./defects.js";

const rate = z.number().min(0).max(1);

const painters = new Map(
  Object.entries(
    z
      .record(
        z.string(),
        z.strictObject({
          leakAttribute: rate,
          swapAttributes: rate,
          loseAttribute: rate,
          dropExtra: rate,
          miscount: rate,
          driftToPrototype: rate,
        }),
      )
      .parse(
        parse(readFileSync(new URL("../../../data/lab/painters.yaml", import.meta.url), "utf8")),
      ),
  ),
);

/** The painters that err at rates of their own, best first: a to e. */
export const painterNames: readonly string[] = [...painters.keys()];

/** How often the painter of this name errs; undefined where there is none. */
export const ratesOf = (name: string): DefectRates | undefined => painters.get(name);
