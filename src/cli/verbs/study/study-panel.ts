import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { isShared } from "../../../files/open-store.js";
import { type PanelSettings, panelIn } from "../../../studies/config/study-config.js";
import { readState } from "../../../studies/home/read-state.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import { panelOf, panelPay } from "../../../studies/panel/panels.js";
import {
  externalQuestion,
  ProlificClient,
  prolificStudy,
} from "../../../studies/panel/prolific-client.js";
import { payments, Settled, type Settlement, settlement } from "../../../studies/panel/settled.js";
import { cellTable, csvText } from "../../../tables/cell-table.js";
import { fixedText, pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import type { Environment } from "../../environment.js";
import { studyArguments, studyAt } from "./study-argument.js";

/** The variable with the key of Prolific's API. */
const tokenName = "PROLIFIC_TOKEN";

export default command({
  description:
    "Makes a study at the panel that its file names. panel: prolific makes a draft over its API (key in " +
    `${tokenName}), which a person publishes; mturk prints the ExternalQuestion of a HIT; generic prints the address ` +
    "that participants open. --dry-run prints what would be sent. --lists DIR writes approve.csv, reject.csv (who " +
    "broke a rule of exclusion) and bonus.csv (what lifts pay to the panel's minimum), by outside id, without " +
    "answers. --settle --yes sends them to Prolific; settled.jsonl in the study's folder (with --store in DIR) notes " +
    "each call, so that nothing is paid twice. A person pays the bonuses there.",
  examples: [
    "touchstone study panel studies/first --dry-run",
    "touchstone study panel studies/first --public-url https://study.example.org",
    "touchstone study panel studies/first --lists payments",
    "touchstone study panel studies/first --settle --yes",
  ],
  arguments: {
    ...studyArguments,
    "dry-run": { kind: "switch", description: "print what would be sent, and send nothing" },
    "public-url": {
      kind: "text",
      value: "URL",
      description:
        "where participants open the study (default: url of the panel in the study's file)",
    },
    lists: {
      kind: "text",
      value: "DIR",
      description:
        "write approve.csv, reject.csv and bonus.csv there; keep them apart from answers",
    },
    settle: {
      kind: "switch",
      description: "approve, reject and set up bonuses over the panel's API",
    },
    yes: { kind: "switch", description: "with --settle: do it" },
    "base-url": {
      kind: "text",
      value: "URL",
      default: "https://api.prolific.com",
      description: "the address of Prolific's API",
    },
  },
  async run({ given, environment, output, words }) {
    const home = await studyAt(given.study, environment);
    const { settings } = home.study;
    const panel = panelIn(settings);
    if (panel === undefined) {
      throw new InputError(`Expected a study with a panel but ${given.study} names none`, {
        hint: "Add panel: prolific to its file and create it anew",
      });
    }
    const client = () =>
      new ProlificClient({ baseUrl: given["base-url"], token: tokenIn(environment) });
    if (given.lists !== undefined || given.settle) {
      const isSettled = given.settle && !given["dry-run"];
      if (given.settle) refuseOther(panel, "--settle");
      const folder = resolve(environment.workingDirectory, given.lists ?? ".");
      if (given.settle && isShared(home.place) && given.lists === undefined) {
        throw new InputError(
          "Expected --lists DIR with --settle and --store, where it notes what was done",
        );
      }
      const settled = new Settled(isShared(home.place) ? folder : home.place);
      const all = await listsOf(home, panel);
      const lists = given.settle ? await settled.left(all) : all;
      const counts = {
        approve: lists.approve.length,
        reject: lists.reject.length,
        bonus: lists.bonus.length,
      };
      const due = lists.bonus.reduce((sum, { amount }) => sum + Number(amount), 0);
      const { currency } = panelPay(panel, settings.payPerHour);
      const text =
        `approve ${pluralText(counts.approve, "submission")}, reject ${counts.reject}, ` +
        `${pluralText(counts.bonus, "bonus", "bonuses")} of ${fixedText(due, 2)} ${currency} in all`;
      if (given.lists !== undefined) await writeLists(all, folder);
      if (isSettled) {
        if (!given.yes) {
          throw new InputError(`Expected --yes to ${text}`, {
            hint: "Look first: --dry-run, or --lists DIR",
          });
        }
        await client().settle(lists, settled);
      }
      output.resultJson({ ...counts, due, currency, settled: isSettled });
      output.result(`${isSettled ? "Done" : "To do"}: ${text}.`);
      if (given.lists !== undefined)
        output.note(`Wrote approve.csv, reject.csv and bonus.csv to ${given.lists}.`);
      output.nextCommand(["study", "status", given.study]);
      return;
    }
    const url = given["public-url"] ?? panel.url;
    if (url === undefined) {
      throw new InputError("Expected --public-url, or url in the study's panel", {
        hint: "Where participants open the study, such as https://study.example.org",
      });
    }
    if (panel.platform !== "prolific") {
      const made = panel.platform === "mturk" ? externalQuestion(url) : addressOf(panel, url);
      output.resultJson({ platform: panel.platform, question: made });
      output.result(made.trimEnd());
      output.nextCommand(["study", "status", given.study]);
      return;
    }
    const body = prolificStudy(settings, { ...panel, url });
    if (given["dry-run"]) {
      output.resultJson(body);
      output.result(JSON.stringify(body, null, 2));
      output.nextCommand(words({ "dry-run": false }));
      return;
    }
    const id = await client().createStudy(body);
    output.resultJson({ id, status: "draft" });
    output.result(
      `Made the draft ${id}. Look at it and publish it: https://app.prolific.com/researcher/studies/${id}`,
    );
    output.nextCommand(["study", "status", given.study]);
  },
});

function tokenIn({ variables }: Environment): string {
  const token = variables[tokenName];
  if (token) return token;
  throw new InputError(`Expected the key of Prolific's API in ${tokenName} but it is not set`, {
    hint: "Prolific: Settings, API tokens. --dry-run needs none",
  });
}

function refuseOther({ platform }: PanelSettings, flag: string): void {
  if (platform === "prolific") return;
  throw new InputError(`Expected a study of prolific for ${flag} but its panel is ${platform}`, {
    hint: "--lists DIR writes the same as files",
  });
}

async function listsOf(home: StudyHome, panel: PanelSettings): Promise<Settlement> {
  const rows = payments(home.study, await readState(home));
  const { source } = panelOf(panel);
  return settlement(rows, { ...panelPay(panel, home.study.settings.payPerHour), source });
}

const columns = {
  approve: ["id", "study", "session"],
  reject: ["id", "study", "session", "reason"],
  bonus: ["id", "study", "session", "amount"],
} as const;

async function writeLists(lists: Settlement, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of ["approve", "reject", "bonus"] as const) {
    const text = csvText(cellTable(columns[name], lists[name]));
    await writeFileAtomically(join(folder, `${name}.csv`), text, { mode: 0o600 });
  }
}

/** The address that a panel opens, with what it puts into it in braces. */
function addressOf(panel: PanelSettings, url: string): string {
  const { id, study, session } = panelOf(panel);
  const names = [id, study, session].filter((name) => name !== undefined);
  return `${url.replace(/\/+$/, "")}/?${names.map((name) => `${name}={${name}}`).join("&")}`;
}
