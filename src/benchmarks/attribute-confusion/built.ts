import type { DoneRecord } from "../../core/records.js";
import { countColumn, textColumn } from "../../views/view.js";
import type { BuiltOptions, BuiltText } from "../report.js";
import type { ReportedRun } from "../run-records.js";

/** The descriptions that `build` wrote, by set. */
export async function builtDescriptions(
  run: ReportedRun,
  { name, folder, drawableBy, flags }: BuiltOptions,
): Promise<BuiltText> {
  const done: DoneRecord<"description">[] = [];
  const notWritten: string[] = [];
  for await (const one of run.ofType("description")) {
    if (one.status === "done") done.push(one);
    else notWritten.push(one.detail);
  }
  const sets = [...new Set(done.map(({ set }) => set))];
  const [example] = done;
  return {
    parts: [
      `${done.length} descriptions, ${notWritten.length} not written; in ${folder}`,
      "",
      {
        title: "Descriptions",
        columns: [textColumn("set"), countColumn("descriptions")],
        rows: sets.map((set) => [set, done.filter((one) => one.set === set).length]),
      },
      ...(example === undefined
        ? []
        : ["", `For example: ${example.text}`, `  swapped:   ${example.swapped}`]),
      ...(notWritten[0] === undefined ? [] : ["", `Not written, the first: ${notWritten[0]}`]),
    ],
    json: { run: name, descriptions: done.length, unscored: notWritten.length },
    next:
      drawableBy === undefined && flags.descriptions?.[0] !== undefined
        ? ["generate", "--run", name, "--samples", "1", "--wanted", "wanted.csv"]
        : ["generate", "--run", name, "--model", drawableBy ?? "lab:painter-c", "--samples", "1"],
  };
}
