import { resolve } from "node:path";
import { z } from "zod";
import type { Sanity } from "../../../analysis/sanity/sanity-text.js";
import { type Model, placedName } from "../../../core/models.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { readTextFile } from "../../../files/regular-file.js";
import { keeps } from "../../../models/contracts.js";
import { sightSchema } from "../../../models/sight/sight.js";
import { sightsOf, unversioned } from "../../../models/sight/sights.js";
import { Budget, lookFirst } from "../../../runs/budget.js";
import type { Hosting } from "../../models/hosting.js";

const keptSchema = z.record(
  z.string(),
  z.object({
    sight: sightSchema,
    acuity: z.object({ pixels: z.number().nullable(), of: z.number() }).exactOptional(),
  }),
);
type Kept = z.output<typeof keptSchema>;

/**
 * Checks the sight of models that a card is about to ask, and the smallest detail that chat models see.
 *
 * @param options.names the models, as `modelsBehind` has them
 * @param options.models the models themselves
 * @param options.ask asks the first question that was not answered before; undefined where all were
 * @param options.run the folder that keeps the card's answers, and what was found here
 * @returns sight by the name of each model
 * @throws InputError where one is blind
 */
export async function lookBefore(
  { meter, workingDirectory }: Hosting,
  {
    names,
    models,
    ask,
    run,
    signal,
  }: {
    readonly names: readonly string[];
    readonly models: readonly Model[];
    readonly ask: (() => Promise<unknown>) | undefined;
    readonly run: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Sanity["models"]> {
  const file = run && resolve(workingDirectory, run, "card-sanity.json");
  const kept = file === undefined ? {} : await keptIn(file);
  if (ask !== undefined) {
    const isWatched = names.some((name) => meter.watches(name));
    // Counted, it asks nothing and tells which images the models are shown.
    if (isWatched) await meter.count(ask);
    await lookFirst(meter, { names, budget: new Budget({}), signal, trace: () => {} });
    for (const model of isWatched ? models : []) {
      if (!keeps(model, "ChatModel")) continue;
      const name = placedName(model.identity);
      const before = acuityIn(kept, name);
      const sight = meter.sights?.found.get(name)?.state;
      if (before !== undefined && sight !== "blind") meter.sights?.acuities.set(name, before);
      await meter.sights?.measure(model, { signal });
    }
  }
  await meter.sights?.recall(names);
  const found = Object.fromEntries(
    Object.entries(sightsOf(names, meter.sights)).map(([name, one]) => {
      const before = ask === undefined && meter.sights?.isOn ? kept[name] : undefined;
      if (before === undefined) return [name, one];
      return [name, one.sight.state === "skipped" ? before : { ...before, ...one }];
    }),
  );
  if (file !== undefined && ask !== undefined && meter.sights?.isOn === true) {
    // Two servers may call their models alike, so each is kept with its address, too.
    const placed = names.flatMap((name) =>
      Object.values(sightsOf([name], meter.sights)).map((one) => [name, one] as const),
    );
    const all = { ...kept, ...found, ...Object.fromEntries(placed) };
    await writeFileAtomically(file, `${JSON.stringify(all, null, 2)}\n`);
  }
  return found;
}

/** The acuity that was measured before, of the model at the same address. */
const acuityIn = (kept: Kept, name: string) =>
  Object.entries(kept).find(([key]) => unversioned(key) === unversioned(name))?.[1].acuity;

/** What was found before; nothing where that can't be read. */
async function keptIn(file: string): Promise<Kept> {
  const text = await readTextFile(file).catch(() => undefined);
  if (text === undefined) return {};
  try {
    return keptSchema.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}
