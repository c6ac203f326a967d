import type { Plugin } from "vite";

/** The policy of pages lets nobody compile code: labels' tables are multiplied by plain loops, of the same digits. */
export const plainProducts = (): Plugin => ({
  name: "plain-products",
  load: (id) =>
    id.endsWith("/src/ensembles/paired-products.ts")
      ? 'export { plainProducts as labelProducts } from "./label-products.js";'
      : null,
});
