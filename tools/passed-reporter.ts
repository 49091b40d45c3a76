// A reporter for node:test: which tests ran and passed, which failed, which were left out, by title, and how long each
// file took, as one JSON text.
//
// tools/rules.ts reads the result. The folder it is written to must exist before the tests start.

import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";

export type Ran = {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly leftOut: readonly string[];
  /** Milliseconds by file. */
  readonly took: Readonly<Record<string, number>>;
};

// biome-ignore lint/style/noDefaultExport: Node takes a reporter by its default export alone.
export default async function* passedReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const passed: string[] = [];
  const failed: string[] = [];
  const leftOut: string[] = [];
  const took: Record<string, number> = {};
  for await (const { data, type } of events) {
    if ((type === "test:pass" || type === "test:fail") && data.nesting === 0) {
      const file = relative(process.cwd(), data.file ?? "");
      took[file] = (took[file] ?? 0) + data.details.duration_ms;
    }
    if (type === "test:pass" && isLeftOut(data)) leftOut.push(data.name);
    else if (type === "test:pass") passed.push(data.name);
    else if (type === "test:fail") failed.push(data.name);
  }
  yield `${JSON.stringify({ failed, leftOut, passed, took } satisfies Ran, undefined, 1)}\n`;
}

/** Both are false, absent, true or a reason in words. */
const isLeftOut = (data: { readonly skip?: string | boolean; readonly todo?: string | boolean }): boolean =>
  (data.skip ?? false) !== false || (data.todo ?? false) !== false;
