import { loadData } from "touchstone-t2i/internal/benchmarks/load-data.js";
import { z } from "zod";

const value = z.number();
const byMethod = z.array(value).length(5);
const byClusters = z.array(value).length(5);
const setting = { prompts: z.int().positive(), labels: z.int().positive() };
const three = <Kind extends z.ZodType>(kind: Kind) => ({
  ece: kind,
  mce: kind,
  averagePrecision: kind,
});
const six = <Kind extends z.ZodType>(kind: Kind) => ({
  nll: kind,
  brier: kind,
  kappa: kind,
  accuracy: kind,
  rocAuc: kind,
  f1: kind,
});
const clusters = z.array(z.int().positive()).length(5);

const publishedSchema = z.strictObject({
  paper: z.string(),
  judge: z.string(),
  methods: z.array(z.enum(["standard", "best", "average", "bpe", "mmb"])).length(5),
  table1: z.strictObject({
    source: z.string(),
    rows: z.array(z.strictObject({ ...setting, ...three(byMethod) })),
  }),
  table2: z.strictObject({ source: z.string(), ...setting, ...six(byMethod) }),
  table3: z.strictObject({ source: z.string(), clusters, ece: byClusters, ...six(byClusters) }),
  table4: z.strictObject({
    source: z.string(),
    rows: z.array(z.strictObject({ ...setting, confidence: byMethod })),
  }),
  table6: z.strictObject({
    source: z.string(),
    clusters,
    rows: z.array(z.strictObject({ ...setting, ...three(byClusters) })),
  }),
});

/** Figures that the paper prints, with the table of each. They are of another judge on other data. */
export type PublishedEnsembles = z.output<typeof publishedSchema>;

export const loadPublishedEnsembles = (): PublishedEnsembles =>
  loadData("ensemble/published.yaml", publishedSchema);
