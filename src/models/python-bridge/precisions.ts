/** What a network behind the bridge can compute with. */
export const precisions = ["fp32", "bf16", "fp16"] as const;
export type Precision = (typeof precisions)[number];
