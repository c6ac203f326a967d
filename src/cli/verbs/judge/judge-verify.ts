import { asJson } from "../../../core/json.js";
import { estimateText, probabilityText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";
import { budgetOf, spendingArguments } from "../run/limits.js";
import { refuseDrifted, verificationText, verifyJudge } from "./verify-judge.js";

export default command({
  description:
    "Asks a saved judge's anchors again (forty of the items that it was calibrated with) and tests whether it " +
    "still answers as it did: models change under their name. The first time each is asked twice, so that it is " +
    "known how often the judge contradicts itself. Three things are tested: flipped answers, a shift of " +
    "probabilities, and whether accepted anchors are right as promised. Drift is decided by evidence over all " +
    "verifications, which are kept beside the judge: of judges that never drift, at most 5 % are ever accused, " +
    "however often they are verified. Exit code 4 where it drifted.",
  examples: ["touchstone judge verify judge.json", "touchstone judge verify judge.json --json"],
  arguments: {
    file: {
      kind: "positional",
      usage: "JUDGE.json",
      optional: true,
      description: "the saved judge (default: judge.json)",
    },
    model: {
      kind: "text",
      value: "NAME",
      description: "another name for the same model, such as one in touchstone.config.yaml",
    },
    ...spendingArguments,
  },
  async run({ given, environment, output, words }) {
    const { file = "judge.json", model } = given;
    const budget = budgetOf(given);
    const maxCost = given["max-cost"];
    const found = await verifyJudge({ file, model, maxCost, budget, environment, output });
    const verdict = verificationText(found);
    const { width } = output.style;
    const { anchors, asked, flipped, changed, p, shift, certificate } = found;
    output.resultJson(asJson({ ...found, verdict }));
    output.result(
      [
        output.style.bold(wrap(verdict, width)),
        table(
          [{ title: "tested" }, { title: "found" }, { title: "p", align: "right" as const }],
          [
            ["answered", `${asked} of ${anchors} anchors`, ""],
            ["other answers", String(flipped), probabilityText(p)],
            ["changed (other answer, or moved by 0.1)", String(changed), ""],
            [
              "mean shift of probability",
              shift.value === null ? "undefined" : estimateText(shift),
              "",
            ],
            ...(certificate === null
              ? []
              : [
                  [
                    "accepted and wrong",
                    `${certificate.wrong} of ${certificate.accepted}`,
                    probabilityText(certificate.p),
                  ],
                ]),
          ],
          width,
        ),
      ].join("\n\n"),
    );
    output.nextCommand(words({ json: true }));
    refuseDrifted(found, file);
  },
});
