// A reporter for node:test that ends the run at its first failure: one test that fails is enough to kill a mutant.

import type { TestEvent } from "node:test/reporters";

// biome-ignore lint/style/noDefaultExport: Node takes a reporter by its default export alone.
export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { data, type } of events) {
    if (type === "test:fail") {
      yield `${data.name}\n`;
      process.exit(1);
    }
  }
}
