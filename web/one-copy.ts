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

/** Has every import of such a package lead to the one copy. */
export const oneCopy = (): Plugin => ({
  name: "one-copy",
  enforce: "pre",
  async resolveId(source, importer) {
    const owner = owners[source];
    if (owner === undefined) return null;
    const beside = await this.resolve(owner, importer, { skipSelf: true });
    return beside === null ? null : this.resolve(source, beside.id, { skipSelf: true });
  },
});
