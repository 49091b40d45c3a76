// What a desired state loosens against the one before: each kind, and the nearest change that is none.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { DesiredVm, LooseningKind } from "../../src/spine/model.ts";
import { LOOSENINGS, looseningsIn } from "../../src/spine/plan/loosening.ts";
import { wantRunning, wantStopped } from "./world.ts";

type Pair = { readonly after: readonly DesiredVm[]; readonly before: readonly DesiredVm[] };

const PLAIN = wantRunning();
const PROTECTED: DesiredVm = { ...PLAIN, protected: true };
const PRODUCTION: DesiredVm = { ...PLAIN, name: "prod-db" };
const IDENTIFIED: DesiredVm = { ...PLAIN, identity: "uuid a" };

const TABLE: Readonly<
  Record<LooseningKind, { readonly loosens: readonly Pair[]; readonly neighbours: readonly Pair[] }>
> = {
  "entry-removed": {
    loosens: [
      { after: [], before: [PLAIN] },
      // Whatever else it said is gone with it, and is not listed besides.
      { after: [], before: [{ ...PRODUCTION, identity: "uuid a", protected: true }] },
    ],
    neighbours: [
      { after: [PLAIN], before: [] },
      { after: [wantStopped("power-off")], before: [PLAIN] },
    ],
  },
  "identity-removed": {
    loosens: [{ after: [PLAIN], before: [IDENTIFIED] }],
    neighbours: [
      { after: [IDENTIFIED], before: [PLAIN] },
      { after: [{ ...IDENTIFIED, cpus: 4 }], before: [IDENTIFIED] },
    ],
  },
  "identity-replaced": {
    loosens: [{ after: [{ ...IDENTIFIED, identity: "uuid b" }], before: [IDENTIFIED] }],
    neighbours: [{ after: [{ ...IDENTIFIED, identity: "uuid b" }], before: [PLAIN] }],
  },
  "production-name-removed": {
    loosens: [
      { after: [PLAIN], before: [PRODUCTION] },
      // Protected in another way, and still not what it was called.
      { after: [PROTECTED], before: [PRODUCTION] },
      { after: [PLAIN], before: [{ ...PRODUCTION, name: "PROD-db" }] },
    ],
    neighbours: [
      { after: [PRODUCTION], before: [PLAIN] },
      { after: [{ ...PRODUCTION, name: "prod-db-2" }], before: [PRODUCTION] },
      { after: [{ ...PLAIN, name: "web-09" }], before: [PLAIN] },
    ],
  },
  "protection-removed": {
    loosens: [
      { after: [PLAIN], before: [PROTECTED] },
      { after: [PRODUCTION], before: [PROTECTED] },
    ],
    neighbours: [
      { after: [PROTECTED], before: [PLAIN] },
      { after: [{ ...PROTECTED, cpus: 4 }], before: [PROTECTED] },
    ],
  },
};

for (const kind of LOOSENINGS) {
  test(`N2 ${kind} is a loosening, and its neighbours are none`, () => {
    const { loosens, neighbours } = TABLE[kind];
    const kinds = ({ after, before }: Pair) =>
      looseningsIn({ entries: before }, { entries: after }).map((one) => one.kind);
    for (const pair of loosens) assert.deepEqual(kinds(pair), [kind]);
    for (const pair of neighbours) assert.deepEqual(kinds(pair), []);
  });
}

test("everything that is loosened is listed, by vmid and kind, under the former name", () => {
  const before: DesiredVm = { ...PRODUCTION, identity: "uuid a", protected: true };
  const found = looseningsIn({ entries: [before] }, { entries: [PLAIN] });
  assert.deepEqual(
    found.map(({ kind, name }) => [kind, name]),
    [
      ["identity-removed", "prod-db"],
      ["production-name-removed", "prod-db"],
      ["protection-removed", "prod-db"],
    ],
  );
});
