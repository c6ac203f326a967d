import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { exists } from "../../../files/paths.js";
import { command } from "../../command-line/command.js";
import { configurationFile } from "../../configuration/configuration.js";

const template = new URL("../../../../data/config.template.yaml", import.meta.url);
const schema = fileURLToPath(new URL("../../../../data/config.schema.json", import.meta.url));

export default command({
  description:
    `Writes ${configurationFile} into this folder. It explains every setting. What is set runs in the lab at once; the rest is commented out. ` +
    "Editors that know YAML schemas complete and check it.",
  examples: ["touchstone doctor init", "touchstone doctor init --force"],
  arguments: {
    force: { kind: "switch", description: "replace an existing file" },
  },
  async run({ given, environment, output }) {
    const path = join(environment.workingDirectory, configurationFile);
    if (!given.force && (await exists(path))) {
      throw new InputError(`Expected no ${configurationFile} in this folder but there is one`, {
        hint: "touchstone doctor init --force replaces it",
      });
    }
    const settings = await readFile(template, "utf8");
    const reference = schemaReference(environment.workingDirectory);
    await writeFileAtomically(path, `# yaml-language-server: $schema=${reference}\n${settings}`);
    output.result(`Wrote ${configurationFile}.`);
    output.resultJson({ written: configurationFile });
    output.nextCommand(["doctor"]);
  },
});

/** Below the folder a relative path, which survives a move; else where this package lies. */
function schemaReference(folder: string): string {
  const path = relative(folder, schema).replaceAll("\\", "/");
  return path.startsWith("..") ? pathToFileURL(schema).href : `./${path}`;
}
