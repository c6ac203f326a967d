import type { Browser } from "playwright-core";

export declare function findBrowser(
  named?: string,
):
  | { readonly executable: string; readonly variables: Readonly<Record<string, string>> }
  | undefined;
export declare function startBrowser(): Promise<Browser>;
