import { resolve } from "node:path";
import {
  buildDescriptions,
  type DescriptionSet,
} from "../../../benchmarks/attribute-confusion/index.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { DoneRecord, RecordOf } from "../../../core/records.js";
import type { Limits } from "../../../runs/budget.js";
import type { Environment } from "../../environment.js";
import { chooseGenerator } from "../../models/generator-choice.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/table.js";
import { refuseOtherBenchmark } from "./benchmark-of.js";
import { collect } from "./collect.js";

/** Builds the descriptions of the attribute confusion benchmark into a run, and says what they are. */
export async function buildAttributeConfusion({
  run,
  seed,
  sets,
  count,
  drawableBy,
  limits,
  environment,
  output,
}: {
  readonly run: string;
  readonly seed: number;
  readonly sets: readonly DescriptionSet[];
  readonly count: number | undefined;
  readonly drawableBy: string | undefined;
  readonly limits: Limits;
  readonly environment: Environment;
  readonly output: Output;
}): Promise<void> {
  const cannotDraw =
    drawableBy === undefined ? undefined : (await chooseGenerator(drawableBy)).cannotDraw;
  const { store } = await collect(
    ({ recipe }) => {
      refuseOtherBenchmark(recipe, "attribute-confusion");
      return [buildDescriptions({ seed, sets, count, cannotDraw })];
    },
    {
      run,
      command: [
        ...["build", "--benchmark", "attribute-confusion", "--run", run, "--seed", String(seed)],
        ...sets.flatMap((set) => ["--set", set]),
        ...(count === undefined ? [] : ["--prompts", String(count)]),
        ...(drawableBy === undefined ? [] : ["--drawable-by", drawableBy]),
      ],
      seed,
      limits,
      environment,
      output,
    },
  );
  const { done, unscored } = await readDescriptions(store);
  const [example] = done;
  output.result(
    [
      `${done.length} descriptions, ${unscored.length} not written; in ${resolve(environment.workingDirectory, run)}`,
      "",
      table(
        [{ title: "set" }, { title: "descriptions", align: "right" }],
        sets.map((set) => [set, String(done.filter((one) => one.set === set).length)]),
      ),
      ...(example === undefined
        ? []
        : ["", `For example: ${example.text}`, `  swapped:   ${example.swapped}`]),
      ...(unscored[0] === undefined ? [] : ["", `Not written, the first: ${unscored[0].detail}`]),
    ].join("\n"),
  );
  output.resultJson({ run, descriptions: done.length, unscored: unscored.length });
  const model = drawableBy ?? "lab:painter-c";
  output.nextCommand(["generate", "--run", run, "--model", model, "--samples", "1"]);
}

async function readDescriptions(store: RecordStore) {
  const done: DoneRecord<"description">[] = [];
  const unscored: Extract<RecordOf<"description">, { status: "unscored" }>[] = [];
  for await (const one of store.ofType("description")) {
    if (one.status === "done") done.push(one);
    else unscored.push(one);
  }
  return { done, unscored };
}
