export declare function weighTables(
  folder: string,
  names?: readonly string[],
): Promise<Record<string, number>>;
