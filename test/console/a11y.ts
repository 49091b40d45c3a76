// What every page of the console is held to, in the theme and at the width that a test chose.

import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** WCAG 2.2 AA as far as a program can tell, and nothing beyond the edge of the screen. */
export const assertReadable = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
    .analyze();
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    [],
  );
  assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
};
