import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { degradationLevels } from "../../images/degrade.js";
import { held, modelIdentity, stepKind } from "../step-kind.js";
import { buildPairs } from "./build-pairs.js";
import { countFaults } from "./count-faults.js";
import { degradeImages, faultlessImages } from "./no-preference-pairs.js";
import { paintPairs } from "./paint-pairs.js";

export const preferenceSteps = [
  stepKind({
    name: "build-pairs",
    version: 1,
    title: "Writing captions",
    cost: 1,
    parameters: z.object({
      seed: z.int(),
      count: z.int().positive(),
      styles: z.array(z.string()),
      source: z.string(),
    }),
    async make({ source: name, ...rest }, _, { world }) {
      const { pairs: source } = await world();
      if (name === `${source.name}@${source.version}`) return buildPairs({ source, ...rest });
      throw new InputError(
        `Expected captions of ${name} but this version has ${source.name}@${source.version}`,
      );
    },
  }),
  stepKind({
    name: "paint-pairs",
    version: 1,
    title: "Painting pairs",
    cost: 10,
    parameters: z.object({ painter: z.string(), generator: modelIdentity }),
    async make({ painter, generator: identity }, _, sources) {
      const generator = await sources.generator(identity, {});
      const [step] = paintPairs({ painters: new Map([[painter, generator]]) });
      return held(step, "who paints");
    },
  }),
  stepKind({
    name: "count-faults",
    version: 1,
    title: "Counting painters' mistakes",
    cost: 1,
    parameters: z.object({}),
    make: async (_, __, { world }) => countFaults({ truth: (await world()).truth.faults }),
  }),
  stepKind({
    name: "degrade-images",
    version: 1,
    title: "Altering copies of images",
    cost: 10,
    parameters: z.object({ level: z.literal(degradationLevels) }),
    make: async ({ level }, _, { world }) =>
      degradeImages({ images: faultlessImages, level, mark: (await world()).sign }),
  }),
];
