/** Columns of numbers, which end at the right. */
export const numberColumns = (
  ...titles: readonly string[]
): readonly { readonly title: string; readonly align: "right" }[] =>
  titles.map((title) => ({ title, align: "right" }));

/** A column of numbers that a table is made for. */
export const essentialNumber = (title: string) =>
  ({ title, align: "right", isEssential: true }) as const;
