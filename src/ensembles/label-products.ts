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

/** By JavaScript alone. */
export function plainProducts(tables: LabelTables): LabelProducts {
  const { labels, groups, membership } = tables;
  let scaled: LabelTables | undefined;
  return {
    sumOverLabels(scale, into) {
      if (scale === undefined) return sumOverLabels(tables, into);
      scaled ??= { ...tables, membership: new Float64Array(membership.length) };
      for (let label = 0, at = 0; label < labels; label++) {
        const own = scale[label] ?? 0;
        for (let group = 0; group < groups; group++, at++) {
          scaled.membership[at] = own * (membership[at] ?? 0);
        }
      }
      sumOverLabels(scaled, into);
    },
    valueOfLabels: (field, into) => valueOfLabels(tables, field, into),
  };
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

/** Eight sums at a time stay out of memory; where fewer are left, the last is done again. */
function sumOverLabels(
  { labels, groups, prompts, membership, values }: LabelTables,
  into: Float64Array,
): void {
  const last = prompts - 1;
  for (let group = 0; group < groups; group += 2) {
    const next = Math.min(group + 1, groups - 1);
    for (let prompt = 0; prompt < prompts; prompt += 4) {
      const second = Math.min(prompt + 1, last);
      const third = Math.min(prompt + 2, last);
      const fourth = Math.min(prompt + 3, last);
      let a0 = 0;
      let a1 = 0;
      let a2 = 0;
      let a3 = 0;
      let b0 = 0;
      let b1 = 0;
      let b2 = 0;
      let b3 = 0;
      for (let label = 0, row = 0, from = 0; label < labels; label++) {
        const a = membership[row + group] ?? 0;
        const b = membership[row + next] ?? 0;
        const p0 = values[from + prompt] ?? 0;
        const p1 = values[from + second] ?? 0;
        const p2 = values[from + third] ?? 0;
        const p3 = values[from + fourth] ?? 0;
        a0 += a * p0;
        a1 += a * p1;
        a2 += a * p2;
        a3 += a * p3;
        b0 += b * p0;
        b1 += b * p1;
        b2 += b * p2;
        b3 += b * p3;
        row += groups;
        from += prompts;
      }
      const one = group * prompts;
      into[one + prompt] = a0;
      into[one + second] = a1;
      into[one + third] = a2;
      into[one + fourth] = a3;
      const other = next * prompts;
      into[other + prompt] = b0;
      into[other + second] = b1;
      into[other + third] = b2;
      into[other + fourth] = b3;
    }
  }
}

/** Two labels at a time. */
function valueOfLabels(
  { labels, groups, prompts, membership, values }: LabelTables,
  field: Float64Array,
  into: Float64Array,
): void {
  const last = prompts - 1;
  for (let label = 0; label < labels; label += 2) {
    const next = Math.min(label + 1, labels - 1);
    const one = label * groups;
    const other = next * groups;
    let sum = 0;
    let nextSum = 0;
    for (let prompt = 0; prompt < prompts; prompt += 4) {
      const second = Math.min(prompt + 1, last);
      const third = Math.min(prompt + 2, last);
      const fourth = Math.min(prompt + 3, last);
      let a0 = 0;
      let a1 = 0;
      let a2 = 0;
      let a3 = 0;
      let b0 = 0;
      let b1 = 0;
      let b2 = 0;
      let b3 = 0;
      for (let group = 0, from = 0; group < groups; group++) {
        const a = membership[one + group] ?? 0;
        const b = membership[other + group] ?? 0;
        const w0 = field[from + prompt] ?? 0;
        const w1 = field[from + second] ?? 0;
        const w2 = field[from + third] ?? 0;
        const w3 = field[from + fourth] ?? 0;
        a0 += a * w0;
        a1 += a * w1;
        a2 += a * w2;
        a3 += a * w3;
        b0 += b * w0;
        b1 += b * w1;
        b2 += b * w2;
        b3 += b * w3;
        from += prompts;
      }
      const p = label * prompts + prompt;
      const q = next * prompts + prompt;
      const isLast = prompt === last;
      sum += a0 * (values[p] ?? 0) + (isLast ? 0 : a1 * (values[p + 1] ?? 0));
      nextSum += b0 * (values[q] ?? 0) + (isLast ? 0 : b1 * (values[q + 1] ?? 0));
      if (prompt + 2 > last) continue;
      const isThird = prompt + 2 === last;
      sum += a2 * (values[p + 2] ?? 0) + (isThird ? 0 : a3 * (values[p + 3] ?? 0));
      nextSum += b2 * (values[q + 2] ?? 0) + (isThird ? 0 : b3 * (values[q + 3] ?? 0));
    }
    into[label] = sum;
    into[next] = nextSum;
  }
}
