// What every page of the console is held to, in the theme and at the width that a test chose.

import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * WCAG 2.2 AA as far as a program can tell, and nothing beyond the edge of the screen. `part` is looked at where the
 * rest of a long page is more of the same.
 */
export const assertReadable = async (page: Page, part?: string): Promise<void> => {
  // No page of ours has a frame in it, and to ask for frames takes longer than the rest.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (part === undefined ? axe : axe.include(part))
    .options({ resultTypes: ["violations"] })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    [],
  );
  assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
};
