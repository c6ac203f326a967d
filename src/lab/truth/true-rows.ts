import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import { append } from "../../core/append.js";
import type { Json } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import { placed } from "../../core/models.js";
import type { Records } from "../../core/step.js";
import { trueStereotypes } from "./stereotype-truth.js";

/** A run: its records, and what was kept of the painter's truth, by the keys of the images' records. */
interface RunWithTruth extends Records {
  readonly truth: { read(image: Key): Promise<Json | undefined> };
}

/**
 * The true answers of a stereotype audit in the lab, row for row as `auditedRows` has the judge's: of
 * every set that was given to the judge, by the images it was given. `present` is null where no
 * picture of the lab can show the item, where its table knows nothing of the query, and of images
 * whose truth the run has not (the lab did not paint them).
 *
 * @example await trueRows({ run: await openStore("runs/audit") })
 */
export async function trueRows({ run }: { readonly run: RunWithTruth }): Promise<StereotypeRow[]> {
  const rows: StereotypeRow[] = [];
  for await (const audit of run.ofType("audit")) {
    if (audit.trial !== 0) continue;
    const { text: query, category, generator: model, generatorBaseUrl: baseUrl, items } = audit;
    const truths: Json[] = [];
    for (const image of audit.of) {
      const truth = await run.truth.read(image);
      if (truth !== undefined) truths.push(truth);
    }
    const known = truths.length === audit.of.length ? truths : [];
    const { items: found } = trueStereotypes({ query, category, items, truths: known });
    append(
      rows,
      found.map(({ item, present }) => ({
        query,
        category,
        model: placed({ model, baseUrl }),
        phase: audit.phase,
        imageSet: String(audit.set),
        item,
        present,
      })),
    );
  }
  return rows;
}
