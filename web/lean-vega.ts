import type { Plugin } from "vite";

/**
 * Packages of which npm lays down several versions, since packages of Vega ask for different ones, and the
 * package that has the newest: five copies of the scene graph were in the script that draws.
 */
const owners: Readonly<Record<string, string>> = {
  "vega-scenegraph": "vega-view",
  "vega-functions": "vega-parser",
  "vega-expression": "vega-functions",
  "vega-time": "vega-functions",
};

/** Packages of transforms that Vega registers and no figure here asks for: maps, forces, clouds of words, … */
const unused: readonly string[] = [
  "vega-crossfilter",
  "vega-force",
  "vega-geo",
  "vega-hierarchy",
  "vega-label",
  "vega-regression",
  "vega-voronoi",
  "vega-wordcloud",
];
const nothing = "\0no-transforms";

/** Has every import of such a package lead to the one copy, or to nothing. */
export const leanVega = (): Plugin => ({
  name: "lean-vega",
  enforce: "pre",
  load: (id) => (id === nothing ? "export {};" : null),
  async resolveId(source, importer) {
    if (unused.includes(source)) return nothing;
    const owner = owners[source];
    if (owner === undefined) return null;
    const beside = await this.resolve(owner, importer, { skipSelf: true });
    return beside === null ? null : this.resolve(source, beside.id, { skipSelf: true });
  },
});
