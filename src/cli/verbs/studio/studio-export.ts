import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { isByPeople } from "../../../core/models.js";
import { fileError } from "../../../files/file-error.js";
import { makeFolder } from "../../../files/make-folder.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { noteExport } from "../../../runs/noted-exports.js";
import { pluralText, sizeText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";

export default command({
  description:
    "Writes the studio's pages of a run as files that work from any file server, or opened from a " +
    "disk: gallery, pairs, every score, and the page that analyses tables. Images are copied, whole " +
    "and small; --images thumbnails copies small ones only. Paths of this machine are left out. Of a " +
    "run that took over what people answered in a study, answers stand without pseudonyms; the run " +
    "notes the export, and study erase names it. With --analyse-only it writes the page " +
    "that analyses tables alone, for a web site: whoever opens it analyses a table on their own " +
    "machine.",
  examples: [
    "touchstone studio export runs/demo --out demo-pages",
    "touchstone studio export runs/demo --images thumbnails --out demo-pages",
    "touchstone studio export --analyse-only --out analyse",
  ],
  arguments: {
    run: { kind: "positional", optional: true, description: "the run's folder" },
    out: { kind: "text", value: "DIR", required: true, description: "a new folder for the pages" },
    images: {
      kind: "choice",
      choices: ["whole", "thumbnails"],
      default: "whole",
      description: "which images are copied",
    },
    "with-people": {
      kind: "switch",
      description:
        "write each participant's answers under their pseudonym: personal data, which is yours to " +
        "guard, and to delete when somebody is erased",
    },
    "analyse-only": { kind: "switch", description: "write only the page that analyses tables" },
  },
  async run({ given, environment, output }) {
    const { run, out, images, "analyse-only": analyseOnly, "with-people": withPeople } = given;
    if ((run === undefined) !== analyseOnly) {
      throw new InputError(
        analyseOnly
          ? `Expected no run with --analyse-only but received "${run}"`
          : "Expected RUN for studio export but received nothing",
        { hint: "touchstone studio export runs/demo --out demo-pages" },
      );
    }
    const folder = resolve(environment.workingDirectory, out);
    await refuseFull(folder, out);
    const { exportedAnalysis, exportedRun } = await import(
      "../../../studio/export/export-pages.js"
    );
    const place = run === undefined ? undefined : runPlace(run, environment);
    const files =
      place === undefined
        ? exportedAnalysis()
        : exportedRun(place, {
            name: basename(place),
            images,
            withPeople,
            imageFolders: [environment.workingDirectory],
            privateFolders: [environment.variables.HOME ?? ""].filter(Boolean),
            onImage: (done, of) => {
              if (done % 500 === 0) output.note(`Copied ${done} of ${pluralText(of, "image")}`);
            },
          });
    const holdsPeople = place !== undefined && (await hasPeople(place));
    // Noted first: an export that is killed may leave files, too.
    if (place !== undefined && holdsPeople) {
      await noteExport(place, { out: folder, at: environment.now().toISOString(), withPeople });
    }
    const partial = `${folder}.partial`;
    let count = 0;
    let bytes = 0;
    try {
      for await (const { path, content } of files) {
        environment.signal.throwIfAborted();
        await makeFolder(dirname(join(partial, path)));
        await writeFile(join(partial, path), content);
        count += 1;
        bytes += content.length;
      }
      await rm(folder, { recursive: true, force: true });
      await rename(partial, folder);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw fileError(error, "write", out);
    }
    output.resultJson({ out, files: count, bytes, withPeople: holdsPeople && withPeople });
    output.result(
      `Wrote ${pluralText(count, "file")}, ${sizeText(bytes)}. Open ${join(out, "index.html")} in a browser.`,
    );
    if (holdsPeople) {
      output.note(
        withPeople
          ? "It says what each participant answered, under their pseudonym: personal data. Whoever erases somebody must delete it; study erase names it."
          : "What people answered stands in it without pseudonyms. When somebody is erased, study erase names this export, to be written anew.",
      );
    }
    output.nextCommand(run === undefined ? ["studio"] : ["studio", run]);
  },
});

/** Tells whether people's answers were taken over into the run at a place. */
const hasPeople = async (place: string): Promise<boolean> =>
  (await openStore(place, { anyhow: true })).recipe.models.some((model) => isByPeople({ model }));

/** @throws InputError for a folder that holds something, or a file. */
async function refuseFull(folder: string, named: string): Promise<void> {
  const held = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw fileError(error, "write", named);
  });
  if (held.length === 0) return;
  throw new InputError(`Expected a new or empty folder for --out but ${named} holds something`);
}
