import "../shell/tokens.js";
import { createHashHistory } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import type { ExportedGlobals } from "../../../src/studio/export/exported-page.js";
import { AnalysePage } from "../analyse/analyse-page.js";
import { exported } from "../shell/api.js";
import { Keys } from "../shell/keys.js";
import { Studio } from "../studio/studio.js";
import { exportedAnswers } from "./answers.js";

const {
  touchstoneRun: run,
  touchstoneRecords: records = [],
  touchstoneTrace: trace = [],
}: ExportedGlobals = globalThis as ExportedGlobals;
const place = document.getElementById("page");
if (place !== null && run === undefined) {
  createRoot(place).render(
    <Keys>
      <AnalysePage />
    </Keys>,
  );
} else if (place !== null && run !== undefined) {
  exported.source = exportedAnswers(run, records, trace);
  createRoot(place).render(<Studio history={createHashHistory()} />);
}
