import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { exportedReports } from "./export-pages.js";

test("a report goes with those below it that it links to, and with none elsewhere", async () => {
  const place = join(await temporaryDirectory(), "demo");
  for (const folder of ["judge", "other", "gone"]) {
    await mkdir(join(place, folder), { recursive: true });
  }
  expect(await exportedReports(place)).toEqual([]);
  const links = ["judge", "gone", "../outside", "missing"].map(
    (folder) => `<a href="${folder}/report.html">${folder}</a>`,
  );
  const content = `<p>${links.join(" ")}</p>`;
  await writeFile(join(place, "report.html"), content);
  await writeFile(join(place, "judge", "report.html"), "of a judge");
  await writeFile(join(place, "other", "report.html"), "linked by nobody");
  await writeFile(join(place, "..", "report.html"), "outside");
  await symlink(join(place, "..", "report.html"), join(place, "gone", "report.html"));
  expect(await exportedReports(place)).toEqual([
    { path: "report.html", content },
    { path: "judge/report.html", content: "of a judge" },
  ]);
});
