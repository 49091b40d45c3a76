// The address of a page, both ways, and the key of an act: what a browser makes without asking anybody.

import assert from "node:assert/strict";
import { test } from "node:test";
import { keyFrom } from "../../src/console/ask/new-key.ts";
import { addressAt, pathTo } from "../../src/console/page-address.ts";
import { keyIn } from "../../src/ledger/record/spelled-key.ts";

test("an address leads to its page, and the page to the same address", () => {
  for (const path of ["/console/", "/console/?environment=home&find=web", "/console/plans/01ABC/steps/2"]) {
    const [pathname = "", search = ""] = path.split("?");
    const address = addressAt(pathname, search);
    assert.ok("page" in address, path);
    assert.equal(pathTo(address), path);
  }
});

test("what stands in an address is taken as it was written", () => {
  const address = { page: "step", parts: { plan: "a/b ü?", step: "1" }, query: {} } as const;
  const path = pathTo(address);
  assert.deepEqual(addressAt(path, ""), address);
  const found = { page: "fleet", parts: {}, query: { find: "a&b=c" } } as const;
  const [pathname = "", search = ""] = pathTo(found).split("?");
  assert.deepEqual(addressAt(pathname, search), found);
});

test("what is no page, a filter that no page has, one that is given twice and a broken code are named", () => {
  assert.deepEqual(addressAt("/console/nowhere", ""), { kind: "no-page", path: "/console/nowhere" });
  assert.deepEqual(addressAt("/console/plans/%E0%A4/steps/1", ""), {
    kind: "no-page",
    path: "/console/plans/%E0%A4/steps/1",
  });
  for (const [search, name] of [
    ["?colour=red", "colour"],
    ["?find=a&find=b", "find"],
    ["?__proto__=a", "__proto__"],
  ] as const)
    assert.deepEqual(addressAt("/console/", search), { kind: "no-filter", name, path: "/console/" });
});

test("a key is one that the door takes, in the order of the service's time", () => {
  const keys = [1_000_000_000_000, 1_800_000_000_000].flatMap((atMs) =>
    [0, 255].map((byte) => keyFrom(atMs, new Uint8Array(16).fill(byte))),
  );
  const taken = keys.map((key) => keyIn(key));
  assert.ok(
    taken.every((key) => key !== undefined),
    keys.join(),
  );
  assert.deepEqual(taken.toSorted(), taken);
});
