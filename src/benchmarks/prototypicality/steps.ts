import { z } from "zod";
import { imageRoles, promptSplits } from "../../core/records.js";
import {
  held,
  modelIdentity,
  paintInputs,
  scoreInputs,
  scorerParameters,
  stepKind,
  textFile,
} from "../step-kind.js";
import { buildPrompts } from "./build-prompts.js";
import { chatWriter } from "./chat-writer.js";
import { packagedSource, readOwnTaxonomy } from "./own-taxonomy.js";
import { paintImages } from "./paint-images.js";
import { checkTruth, rateImages } from "./score-images.js";
import { templateWriter } from "./templates.js";
import { writerWordingSchema } from "./writer-wording.js";

const count = z.int().positive();
const share = z.number();

export const prototypicalitySteps = [
  stepKind({
    name: "build-prompts",
    version: 1,
    title: "Writing prompts",
    cost: 1,
    parameters: z.object({
      seed: z.int(),
      size: z.union([
        z.object({ total: count }),
        z.object({ byDomain: z.record(z.string(), z.int()) }),
      ]),
      writer: z.string(),
      instructions: writerWordingSchema.optional(),
      domains: z.array(z.string()),
      splits: z.array(z.enum(promptSplits)),
      shares: z.object({ train: share, evaluation: share, human: share }),
      splitSeed: z.int().optional(),
      drawableOnly: z.boolean(),
      attempts: count,
      taxonomy: z.string().optional(),
    }),
    inputs: z.object({
      taxonomy: textFile.optional(),
      writer: z.string().optional(),
      drawableBy: z.string().optional(),
    }),
    async make({ writer, instructions, taxonomy, ...choice }, inputs, sources) {
      const { wording, ...written } =
        taxonomy === undefined
          ? packagedSource()
          : readOwnTaxonomy(held(inputs.taxonomy, "what stood in the file of its taxonomy"));
      const { templates } = written;
      const canDraw = choice.drawableOnly
        ? await sources.cannotDraw(held(inputs.drawableBy, "who can draw its prompts"))
        : undefined;
      return buildPrompts({
        ...choice,
        ...written,
        ...(canDraw === undefined ? {} : { canDraw }),
        writer:
          writer === templateWriter(templates).name
            ? templateWriter(templates)
            : chatWriter({
                model: await sources.chatModel(held(inputs.writer, "who writes its prompts")),
                templates,
                wording: instructions ?? wording,
                isOwnWording: instructions !== undefined,
              }),
      });
    },
  }),
  stepKind({
    name: "paint-images",
    version: 1,
    title: "Painting pictures",
    cost: 10,
    parameters: z.object({
      generator: modelIdentity,
      seed: z.int(),
      samples: count,
      splits: z.array(z.enum(promptSplits)),
      roles: z.array(z.enum(imageRoles)),
    }),
    inputs: paintInputs,
    make: async ({ generator, ...rest }, inputs, sources) =>
      paintImages({ ...rest, generator: await sources.generator(generator, inputs) }),
  }),
  stepKind({
    name: "rate-images",
    version: 1,
    title: "Filtering pictures",
    cost: 13,
    parameters: scorerParameters.extend({ keepFrom: z.number().optional() }),
    inputs: scoreInputs,
    make: async ({ keepFrom, ...scorer }, inputs, sources) =>
      rateImages({ rater: await sources.metric(scorer, inputs), keepFrom }),
  }),
  stepKind({
    name: "check-truth",
    version: 1,
    title: "Comparing pictures with the truth",
    cost: 1,
    parameters: z.object({}),
    make: async (_, __, { world }) => checkTruth({ truth: (await world()).truth.scene }),
  }),
];
