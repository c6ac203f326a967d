/** Rows grouped for intervals: what is drawn together in a bootstrap. */
export interface PromptClusters {
  /** The cluster of each row, 0 to count - 1. */
  readonly cluster: Int32Array;
  readonly count: number;
}

/**
 * One cluster for each prompt; a row without a prompt stands for itself. Clusters are numbered in
 * the order of their names (a prompt's text, a row's id), so that the order in which rows come
 * changes no draw.
 */
export function promptClusters(
  rows: readonly { readonly id: string; readonly prompt?: string | undefined }[],
): PromptClusters {
  const found = new Map<string, number>();
  const names: string[] = [];
  const cluster = new Int32Array(rows.length);
  // Rows of a prompt often stand together: the one before saves a look.
  let before: string | undefined;
  let last = 0;
  rows.forEach(({ id, prompt }, row) => {
    if (prompt !== undefined && prompt === before) {
      cluster[row] = last;
      return;
    }
    let index = prompt === undefined ? undefined : found.get(prompt);
    if (index === undefined) {
      index = names.length;
      names.push(prompt ?? id);
      if (prompt !== undefined) found.set(prompt, index);
    }
    cluster[row] = index;
    before = prompt;
    last = index;
  });
  const order = Int32Array.from(names, (_, index) => index).sort((a, b) => {
    const one = names[a] ?? "";
    const other = names[b] ?? "";
    return one < other ? -1 : one > other ? 1 : a - b;
  });
  const place = new Int32Array(names.length);
  order.forEach((index, at) => {
    place[index] = at;
  });
  return { cluster: cluster.map((index) => place[index] ?? 0), count: names.length };
}
