import type { WriteResult } from "./format.js";

/** The formats that a result is written in, by name. A new one is one line. */
export const resultFormats = {
  "every-eval-ever": async () => (await import("./every-eval-ever.js")).everyEvalEver,
  hub: async () => (await import("./hub.js")).hub,
  mlflow: async () => (await import("./mlflow.js")).mlflow,
  croissant: async () => (await import("./croissant.js")).croissant,
  junit: async () => (await import("./junit.js")).junit,
  sarif: async () => (await import("./sarif.js")).sarif,
} as const satisfies Readonly<Record<string, () => Promise<WriteResult>>>;

export type ResultFormatName = keyof typeof resultFormats;
export const resultFormatNames = Object.keys(resultFormats) as readonly ResultFormatName[];
