// Builds the web site, docs/site/dist, from the documents, the verbs' declarations, schemas, the library's and the
// Python package's docstrings, and the studio's page that analyses tables.
//
//   npm run build && npm run site            # at the root of an address
//   npm run site -- --base /touchstone/      # below one
import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pythonKeywords, pythonVerbs } from "../python/declare-verbs.mjs";
import { findBrowser } from "../start-browser.mjs";
import { heaviestPage, siteFaults } from "./check-site.mjs";
import { withAnchors } from "./python-anchors.mjs";
import { schemaPages } from "./schema-pages.mjs";
import { asPage, pageOf, rootPages } from "./site-links.mjs";
import { verbPages } from "./verb-pages.mjs";
import { weighTables } from "./weigh-tables.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = join(root, "docs/site");
const content = join(site, ".content");
const files = join(content, "public/files");
const { base } = parseArgs({ options: { base: { type: "string", default: "/" } } }).values;

const run = (program, words, options = {}) =>
  execFileSync(program, words, { cwd: root, stdio: "inherit", ...options });
const local = (program) => join(site, "node_modules/.bin", program);
const write = async (path, text) => {
  await mkdir(dirname(join(content, path)), { recursive: true });
  await writeFile(join(content, path), text);
};

await rm(content, { recursive: true, force: true });
run("npm", ["ci", "--ignore-scripts", "--no-workspaces"], { cwd: site });

// Documents.
const documents = [...Object.keys(rootPages)];
for (const folder of ["docs", "docs/research"])
  for (const name of await readdir(join(root, folder)))
    if (name.endsWith(".md")) documents.push(`${folder}/${name}`);
const linked = new Map();
for (const document of documents) {
  const { text, files: found } = asPage(
    root,
    document,
    await readFile(join(root, document), "utf8"),
    base,
  );
  for (const [path, copy] of found) linked.set(path, copy);
  await write(pageOf(document), text);
}
for (const [path, copy] of linked) await cp(join(root, path), join(files, copy));

// The home is README's first page.
const [firstPage] = (await readFile(join(content, rootPages["README.md"]), "utf8")).split(/^## /m);
const home = await readFile(join(site, "index.md"), "utf8");
await write("index.md", home + firstPage.replace(/^# .*$/m, ""));

// Verbs.
const { first, pages: verbs } = await verbPages();
await write("verbs/index.md", first);
for (const { path, text } of verbs) await write(`verbs/${path}.md`, text);

// Files that people write, models and metrics.
for (const { path, text } of await schemaPages()) await write(path, text);

// The library.
run(local("typedoc"), [
  ...["--plugin", join(site, "node_modules/typedoc-plugin-markdown/dist/index.js")],
  ...["--router", "module", "--readme", "none", "--entryFileName", "entries", "--disableSources"],
  ...["--hideBreadcrumbs", "--hidePageHeader", "--parametersFormat", "table"],
  ...["--interfacePropertiesFormat", "table", "--typeDeclarationFormat", "table"],
  ...["--tableColumnSettings.hideModifiers", "--tableColumnSettings.hideInherited"],
  ...[
    "--groupOrder",
    "Functions",
    "--groupOrder",
    "*",
    "--useHTMLAnchors",
    "--anchorPrefix",
    "api-",
  ],
  ...["--logLevel", "Error", "--out", join(content, "reference/library")],
]);

// Python, by Griffe in an environment of its own.
const environment = join(site, ".python");
const python = join(content, ".python");
run("python3", ["-m", "venv", environment]);
run(join(environment, "bin/pip"), ["install", "--quiet", "griffe2md==1.5.1"]);
await cp(join(root, "python/touchstone_t2i"), join(python, "touchstone_t2i"), { recursive: true });
await cp(join(site, "griffe2md.toml"), join(python, "config/griffe2md.toml"));
await writeFile(join(python, "touchstone_t2i/verbs.py"), await pythonVerbs());
await writeFile(join(python, "touchstone_t2i/keywords.py"), await pythonKeywords());
const reference = run(join(environment, "bin/griffe2md"), ["touchstone_t2i"], {
  cwd: python,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
await write("reference/python.md", withAnchors(reference));

// The page that analyses tables.
run("npx", [
  ...["vite", "build", "--config", "web/vite.playground.config.ts", "--logLevel", "warn"],
  ...["--outDir", join(content, "public/analyse")],
]);

run(local("vitepress"), ["build", site, "--base", base]);
const faults = siteFaults(join(site, "dist"), base);
const weights = findBrowser() ? await weighTables(join(site, "dist/analyse")) : {};
for (const [name, weight] of Object.entries(weights)) {
  if (weight <= heaviestPage) continue;
  faults.push(`analyse/index.html: with the table ${name} takes ${weight} bytes before its plot`);
}
if (faults.length > 0) {
  console.error(`The site has ${faults.length} faults:\n${faults.join("\n")}`);
  process.exitCode = 1;
}
