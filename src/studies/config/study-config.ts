import { z } from "zod";
import { textPlaces } from "../../files/folder-texts/folder-texts.js";

const text = z.string().trim().min(1);
const count = z.int().positive();

/** An answer that can be chosen: its value, and the words that participants read. */
const level = z.strictObject({ value: z.int(), label: text, description: text.optional() });

export const blockSchema = z.strictObject({
  protocol: text,
  from: text.meta({
    description:
      "items: a table (CSV, JSONL, Parquet) such as the review.jsonl of judge, a run's folder, or a folder of images; from this file's folder",
  }),
  map: z
    .record(text, text)
    .optional()
    .meta({ description: "column names: {image: my_column}, where the table has others" }),
  texts: z.enum(textPlaces).optional().meta({
    description:
      "of a folder of images without metadata: where their texts are (default: the one of the first four that has all)",
  }),
  unfiltered: z
    .boolean()
    .optional()
    .meta({ description: "of a run: also ask about pairs that its filter dropped" }),
  sample: count.optional().meta({
    description: "draw at most so many items by the seed; pairs and sets stay whole",
  }),
  ratingsPerItem: count.default(3).meta({ description: "answers from different people per item" }),
  itemsPerParticipant: count
    .optional()
    .meta({ description: "at most so many items per person; all where not given" }),
  gold: text.optional().meta({
    description: "a table of items with a known answer in the column value; everybody sees them",
  }),
  practice: text.optional().meta({
    description:
      "a table of items that the block begins with: column value is the known answer, told after each, and feedback says why, if wanted; answers to them count nowhere",
  }),
  repeats: z
    .int()
    .nonnegative()
    .default(0)
    .meta({ description: "so many of a person's own items are shown to them again" }),
  question: text.optional().meta({ description: "the question, in place of the protocol's own" }),
  guide: text.optional().meta({ description: "what is read before the first item" }),
  levels: z
    .array(level)
    .min(2)
    .refine(
      (levels) => new Set(levels.map(({ value }) => value)).size === levels.length,
      "expected each value once",
    )
    .optional()
    .meta({ description: "rating and likert: the answers in place of the protocol's own" }),
  minimumSeconds: z.number().positive().max(600).optional().meta({
    description: "an item is answered only after its images were on the screen for so long",
  }),
  caption: z
    .boolean()
    .default(true)
    .meta({ description: "pairwise: whether the caption is shown" }),
  tie: z
    .enum(["tie", "undecided", "none"])
    .default("tie")
    .meta({ description: "pairwise: the third answer" }),
  why: z
    .boolean()
    .default(false)
    .meta({ description: "pairwise: whether a reason may be written" }),
  view: z.enum(["localized", "box", "whole"]).default("box").meta({
    description:
      "localized: the whole image, with a box around the entity where masks or the table have one (box), without (whole), or what a metric sees of the entity alone (localized), which makes answers no reference for a metric with the same localiser",
  }),
  masks: text.optional().meta({
    description:
      "localized, of a run: where the entities are, as masks:DIR takes it: the folder of localize, masks.jsonl, masks drawn by hand; not what a metric of the run uses",
  }),
});

export type BlockSettings = z.output<typeof blockSchema>;

const backgroundQuestion = z.strictObject({
  name: text.regex(/^[a-z][a-z0-9_]*$/, "expected lower-case letters, digits and _"),
  question: text,
  choices: z
    .array(text)
    .min(2)
    .optional()
    .meta({ description: "the answers to choose from; free text where not given" }),
});

const screen = z.strictObject({
  name: text.meta({ description: "the background question that decides" }),
  accept: z.array(text).min(1).meta({ description: "the answers that let in" }),
  quotas: z
    .record(text, count)
    .optional()
    .meta({ description: "at most so many participants per answer" }),
});

/** Exclusion rules are fixed before collection; conclusions are shown with and without the excluded people. */
export const exclusionSchema = z.discriminatedUnion("rule", [
  z.strictObject({ rule: z.literal("gold-accuracy-below"), value: z.number().gt(0).max(1) }),
  z.strictObject({ rule: z.literal("repeat-agreement-below"), value: z.number().gt(0).max(1) }),
  z.strictObject({ rule: z.literal("median-seconds-below"), value: z.number().positive() }),
  z.strictObject({ rule: z.literal("same-answer-above"), value: z.number().min(0.5).lt(1) }),
]);

export type Exclusion = z.output<typeof exclusionSchema>;

/** A completion code, or an address to go back to. */
const code = z.string().trim().min(1).max(500);

/** Where participants are found, and what they are paid there. */
const panelPlatform = z.enum(["prolific", "mturk", "generic"]);
const panelSettings = z.strictObject({
  platform: panelPlatform,
  name: text.optional().meta({ description: "generic: what outside ids are said to be of" }),
  id: text.optional().meta({
    description: "generic: the address parameter with the participant's id (default: participant)",
  }),
  parameters: z
    .strictObject({ study: text.optional(), session: text.optional() })
    .default({})
    .meta({ description: "generic: further parameters of the address" }),
  complete: code.optional().meta({ description: "the code at the end, or an address to go to" }),
  screenedOut: code.optional(),
  full: code.optional(),
  noConsent: code.optional(),
  left: code.optional(),
  failed: code.optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: "where participants open the study" }),
  description: text
    .optional()
    .meta({ description: "what the panel says of the study (default: its title)" }),
  places: count.optional().meta({ description: "how many people (default: participants)" }),
  minutes: z
    .number()
    .positive()
    .default(10)
    .meta({ description: "how long it takes, as study plan says" }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "expected a code such as USD")
    .optional(),
  leastPerHour: z.number().nonnegative().optional().meta({
    description: "the least pay an hour: study status warns below it (default: the panel's own)",
  }),
  screenedOutPay: z.number().positive().optional().meta({
    description: "a fixed payment for who is screened out",
  }),
  devices: z
    .array(z.enum(["desktop", "tablet", "mobile"]))
    .min(1)
    .default(["desktop"]),
});

export type PanelSettings = z.output<typeof panelSettings>;

/** A study's file, without the names of protocols: these know its settings. */
export const studyBaseSchema = z.strictObject({
  title: text.max(200).meta({ description: "what participants read first" }),
  seed: z.int().nonnegative().default(0).meta({ description: "order of items, sides, columns" }),
  language: z.enum(["en", "de"]).default("en").meta({ description: "of the page's own words" }),
  open: z
    .boolean()
    .default(false)
    .meta({ description: "anybody with an outside id may join; else by invitation only" }),
  consent: text.meta({ description: "the text that is agreed to, or its file beside this one" }),
  warning: text.optional().meta({ description: "what may disturb; shown before consent" }),
  disclose: z
    .enum(["at-start", "at-end"])
    .default("at-start")
    .meta({ description: "when participants learn that images were generated" }),
  debrief: text.optional().meta({ description: "the text at the end, or its file" }),
  order: z.enum(["fixed", "drawn"]).default("fixed").meta({ description: "of the blocks" }),
  blocks: z.array(blockSchema).min(1),
  participants: count
    .optional()
    .meta({ description: "at most so many; others are told that the study is full" }),
  background: z.array(backgroundQuestion).default([]),
  screening: z.array(screen).default([]),
  exclude: z
    .array(exclusionSchema)
    .default([])
    .meta({ description: "whose answers are also shown left out, fixed before collection" }),
  codes: z
    .strictObject({
      finished: code.optional(),
      declined: code.optional(),
      screenedOut: code.optional(),
      full: code.optional(),
      left: code.optional(),
      failed: code.optional(),
    })
    .default({})
    .meta({ description: "completion codes, or addresses to redirect to" }),
  goldCheck: z
    .strictObject({
      after: count.default(3).meta({ description: "so many gold items are answered first" }),
      warnBelow: z.number().gt(0).max(1).optional().meta({
        description: "a warning while the share of gold items answered as known is lower",
      }),
      endBelow: z.number().gt(0).max(1).optional().meta({
        description:
          "the session ends where that share is lower; its answers are kept, as excluded",
      }),
    })
    .optional()
    .meta({ description: "what gold items decide while a session runs" }),
  leaseMinutes: z
    .number()
    .positive()
    .default(20)
    .meta({ description: "an item that was opened is given to others after so many minutes" }),
  placeHours: z.number().positive().default(72).meta({
    description:
      "somebody who was let in and does nothing for so many hours no longer keeps their place of participants and quotas; who comes back goes on with what is left",
  }),
  retention: z.iso
    .date()
    .optional()
    .meta({ description: "the day on which the answers are to be erased: 2027-12-31" }),
  moderated: z
    .boolean()
    .default(false)
    .meta({ description: "a facilitator leads each session from a page of their own" }),
  facilitatorSeesModels: z.boolean().default(false).meta({
    description: "whether the facilitator's page names the models; the participant's never",
  }),
  codebook: text.optional().meta({
    description:
      "a file beside, codes: [{code, description}]: one tap each for the facilitator, and for study code",
  }),
  imageQuality: z
    .enum(["high", "lossless"])
    .default("high")
    .meta({ description: "how images are encoded anew for the browser" }),
  payPerHour: z
    .number()
    .nonnegative()
    .optional()
    .meta({ description: "for study plan and the panel" }),
  panel: z.union([panelPlatform, panelSettings]).optional().meta({
    description: "the panel that participants come from; study panel makes its study there",
  }),
  next: z
    .array(z.string())
    .min(1)
    .refine(([verb]) => verb === "compare", "expected compare and the words after it")
    .optional()
    .meta({
      description:
        "compare and the words after it that read the answers, as compare --ask writes them; study status prints them as the next command",
    }),
});

export type StudySettings = z.output<typeof studyBaseSchema>;

/** The panel of a study, with what its file leaves out; undefined where it names none. */
export const panelIn = ({ panel }: Pick<StudySettings, "panel">): PanelSettings | undefined =>
  typeof panel === "string" ? panelSettings.parse({ platform: panel }) : panel;

/**
 * The name of each block: its protocol, numbered from the second of a protocol on.
 *
 * @example blockNames of rating, likert, rating // ["rating", "likert", "rating-2"]
 */
export const blockNames = (blocks: readonly Pick<BlockSettings, "protocol">[]): readonly string[] =>
  blocks.map(({ protocol }, at) => {
    const before = blocks.slice(0, at).filter((block) => block.protocol === protocol).length;
    return before === 0 ? protocol : `${protocol}-${before + 1}`;
  });
