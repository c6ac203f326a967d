/** Labels with a row in either table: in how far each belongs to each group, and a number for each prompt. */
export interface LabelTables {
  readonly labels: number;
  readonly groups: number;
  readonly prompts: number;
  /** r_jz at [j * groups + z]. */
  readonly membership: Float64Array;
  /** p_ja at [j * prompts + a]. */
  readonly values: Float64Array;
}

/** Both products of tables that are needed again and again. */
export interface LabelProducts {
  /** Writes into_za = sum_j scale_j r_jz p_ja, labels in order; without a scale, it is 1. */
  readonly sumOverLabels: (scale: Float64Array | undefined, into: Float64Array) => void;
  /** Writes into_j = sum_a p_ja sum_z r_jz field_za, groups in order, then prompts, by two. */
  readonly valueOfLabels: (field: Float64Array, into: Float64Array) => void;
}

/** Rows of a table, `width` numbers each; all of them where none are chosen. */
export function chosenRows(
  table: Float64Array,
  width: number,
  chosen: Int32Array | undefined,
): Float64Array {
  if (chosen === undefined) return table;
  const some = new Float64Array(chosen.length * width);
  for (let at = 0; at < chosen.length; at++) {
    const from = (chosen[at] ?? 0) * width;
    for (let column = 0; column < width; column++) {
      some[at * width + column] = table[from + column] ?? 0;
    }
  }
  return some;
}

/** By JavaScript alone. */
export function plainProducts(tables: LabelTables): LabelProducts {
  const { labels, groups, prompts, membership, values } = tables;
  return {
    sumOverLabels(scale, into) {
      into.fill(0);
      for (let row = 0; row < labels * groups; row++) {
        const label = Math.floor(row / groups);
        const member = (scale?.[label] ?? 1) * (membership[row] ?? 0);
        const start = (row % groups) * prompts;
        for (let prompt = 0; prompt < prompts; prompt++) {
          const product = member * (values[label * prompts + prompt] ?? 0);
          into[start + prompt] = (into[start + prompt] ?? 0) + product;
        }
      }
    },
    valueOfLabels(field, into) {
      const line = new Float64Array(prompts + 1);
      for (let label = 0; label < labels; label++) {
        line.fill(0);
        for (let at = 0; at < groups * prompts; at++) {
          const member = membership[label * groups + Math.floor(at / prompts)] ?? 0;
          line[at % prompts] = (line[at % prompts] ?? 0) + member * (field[at] ?? 0);
        }
        const term = (at: number) => (line[at] ?? 0) * (values[label * prompts + at] ?? 0);
        let sum = 0;
        for (let prompt = 0; prompt < prompts; prompt += 2) sum += term(prompt) + term(prompt + 1);
        into[label] = sum;
      }
    },
  };
}
