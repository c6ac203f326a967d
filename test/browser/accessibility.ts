import { source } from "axe-core";
import type { Page } from "playwright-core";
import { z } from "zod";

const found = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullable(),
      help: z.string(),
      nodes: z.array(z.object({ html: z.string() })),
    }),
  ),
});

/**
 * Lists what axe-core calls more than a minor barrier on a page, a line each with the rule and
 * the first element that breaks it. `expect(await barriers(page)).toEqual([])`.
 *
 * @param options.preload whether axe-core may fetch style sheets, which a page's policy can forbid
 */
export async function barriers(
  page: Page,
  { preload = true }: { readonly preload?: boolean } = {},
): Promise<string[]> {
  // Evaluated, not added as a script: a page may forbid scripts from elsewhere.
  await page.evaluate(source);
  const { violations } = found.parse(
    await page.evaluate(`axe.run(document, { resultTypes: ['violations'], preload: ${preload} })`),
  );
  return violations
    .filter(({ impact }) => impact !== "minor")
    .map(({ id, impact, help, nodes }) => `${impact}: ${id}: ${help}: ${nodes[0]?.html ?? ""}`);
}
