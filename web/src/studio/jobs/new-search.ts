/** The address of the page of a new job. */
export interface NewSearch {
  readonly verb?: string;
  /** The job whose entries it begins with. */
  readonly from?: string;
}

export const newSearch = ({ verb, from }: Readonly<Record<string, unknown>>): NewSearch => ({
  ...(typeof verb === "string" ? { verb } : {}),
  ...(typeof from === "string" ? { from } : {}),
});
