import { z } from "zod";
import { refineModes } from "../../core/audit-records.js";
import { type ModelIdentity, placed, placedName } from "../../core/models.js";
import { type Benchmark, hasStep } from "../benchmark.js";
import {
  held,
  modelFactsSchema,
  modelIdentity,
  namedModels,
  paintInputs,
  type StepSources,
  scoreInputs,
  scorerParameters,
  stepKind,
} from "../step-kind.js";
import { type AuditPhase, auditImages } from "./audit-images.js";
import { type PaintOptions, paintQueries, paintRefined, scoreAlignment } from "./audit-steps.js";
import type { AuditReport } from "./conclusion.js";
import { keptLabels } from "./expert-labels.js";
import { loadJudgeWording } from "./packaged.js";
import { buildQueries, loadQueries } from "./queries.js";
import { loadRefineData, refineQueries } from "./refine-queries.js";
import {
  askedFiles,
  askedQueries,
  judgedBy,
  loadRubrics,
  ownFile,
  queryInputs,
  rubricRevision,
  rubricsByQuery,
  rubricWording,
  wordingOf,
} from "./rubrics.js";

const generators = z.object({ generator: modelFactsSchema });

const painting = (name: string, title: string, paint: (options: PaintOptions) => AuditStep) =>
  stepKind({
    name,
    version: 1,
    title,
    cost: 40,
    parameters: z.object({ generator: modelIdentity, seed: z.int(), images: z.int().positive() }),
    inputs: paintInputs,
    make: async ({ generator, ...rest }, inputs, sources) =>
      paint({ ...rest, generator: await sources.generator(generator, inputs) }),
  });

const auditing = (phase: AuditPhase, title: string) =>
  stepKind({
    name: `audit-${phase}`,
    version: 1,
    title,
    cost: 150,
    parameters: generators.extend({
      judge: modelFactsSchema,
      images: z.int().positive(),
      unit: z.enum(["set", "image"]),
      trials: z.int().positive(),
      seed: z.int(),
      instructions: rubricWording.optional(),
    }),
    inputs: namedModels,
    async make({ generator, judge, instructions, ...rest }, { models }, sources) {
      return auditImages({
        ...rest,
        phase,
        generator: painterOf({ generator }, sources),
        judge: await sources.asked(judge, "ChatModel", models),
        ...(await rubricsOf(sources)),
        wording: instructions ?? loadJudgeWording(),
        isOwnWording: instructions !== undefined,
      });
    },
  });

const stereotypeSteps = [
  stepKind({
    name: "build-queries",
    version: 1,
    title: "Choosing queries",
    cost: 1,
    parameters: z.object({ seed: z.int(), categories: z.array(z.string()) }),
    inputs: queryInputs,
    make({ seed, categories }, inputs) {
      held(inputs.queries, "from which file its queries are");
      return buildQueries({ queries: askedQueries(inputs, categories), seed, count: inputs.count });
    },
  }),
  painting("paint-queries", "Painting people", paintQueries),
  painting("paint-refined", "Painting rewritten queries", paintRefined),
  auditing("initial", "Looking for stereotypes"),
  auditing("refined", "Looking for stereotypes again"),
  stepKind({
    name: "refine-queries",
    version: 1,
    title: "Rewriting queries",
    cost: 5,
    parameters: generators.extend({
      refiner: modelFactsSchema,
      mode: z.enum(refineModes),
      similarity: modelFactsSchema.extend({ minimum: z.number() }).optional(),
      instructions: z
        .object({
          system: z.string(),
          verbatim: z.string(),
          meaning: z.string(),
          answer: z.string(),
          again: z.string(),
        })
        .optional(),
    }),
    inputs: namedModels,
    async make({ generator, refiner, mode, similarity, instructions }, { models }, sources) {
      return refineQueries({
        generator: painterOf({ generator }, sources),
        refiner: await sources.asked(refiner, "ChatModel", models),
        ...(await rubricsOf(sources)),
        data: loadRefineData(instructions),
        isOwnWording: instructions !== undefined,
        mode,
        similarity: similarity && {
          model: await sources.asked(similarity, "TextEmbedder", models),
          minimum: similarity.minimum,
        },
      });
    },
  }),
  stepKind({
    name: "score-alignment",
    version: 1,
    title: "Scoring prompt fidelity",
    cost: 20,
    parameters: scorerParameters,
    inputs: scoreInputs,
    async make(scorer, inputs, sources) {
      const [step] = scoreAlignment({ metrics: [await sources.metric(scorer, inputs)] });
      return held(step, "what is scored");
    },
  }),
];

/** How stereotyped are the people a generator makes, before and after prompts are refined? SSI. */
export const stereotypes: Benchmark<AuditReport> = {
  name: "stereotypes",
  recognises: hasStep("build-queries"),
  steps: stereotypeSteps,
  hint: "Its images are audited, not scored: touchstone audit, then touchstone report",
  async conclude(run, { world, documents, ...options }) {
    const { concludeAudit } = await import("./findings.js");
    return concludeAudit({
      run,
      ...options,
      labels: documents === undefined ? [] : await keptLabels(documents),
      truth: await world?.truth.stereotypes(run),
      embedder: world?.embedder,
    });
  },
  async report(conclusion) {
    const { auditReport } = await import("./report.js");
    return auditReport(conclusion);
  },
  refuses: {
    tieTolerance: "an audit compares no two scores",
    unfiltered: "an audit filters nothing",
  },
};

/**
 * The rubrics that an audit asks. A recipe of version 0.2 does not hold them: the package's are asked where all
 * that was judged so far was asked these.
 */
async function rubricsOf({ recipe, run }: StepSources) {
  const { queries, rubrics } = askedFiles(recipe);
  const asked = loadRubrics(ownFile(rubrics));
  if (rubrics === undefined) {
    const wording = wordingOf(recipe);
    const known = new Set([...asked.values()].map((one) => rubricRevision(one, wording)));
    const judged = await judgedBy(run);
    const isPackaged = judged.size > 0 && [...judged].every((one) => known.has(one));
    held(isPackaged || undefined, "which rubrics are asked");
  }
  return rubricsByQuery({ queries: loadQueries(ownFile(queries)), rubrics: asked });
}

/** The generator of a step's images, as the step that makes them has it. */
function painterOf(
  { generator }: z.output<typeof generators>,
  { recipe }: StepSources,
): { readonly identity: ModelIdentity } {
  const painters = recipe.steps.flatMap(({ name, parameters }) => {
    const parsed = modelIdentity.safeParse(parameters.generator);
    return name === "paint-queries" && parsed.success ? [parsed.data] : [];
  });
  const found = painters.find((identity) => placedName(identity) === placed(generator));
  return { identity: held(found, `who makes the images of ${generator.model}`) };
}

type AuditStep = ReturnType<typeof paintQueries>;
