/** How large the demo is; `data/lab/demo*.yaml` have what each means. */
export const experimentSizes = ["small", "medium", "full"] as const;
export type ExperimentSize = (typeof experimentSizes)[number];
