// A clock that was ahead once, at the command line: refused by name with what to do, named by doctor, accepted, and on.
//
// The clock of this process is moved; the simulated cluster keeps the true one.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { atCluster, type Cluster, codesIn, type PlanValue } from "./cluster.ts";

const MINUTE_MS = 60_000;

/** Date alone says another time while `work` goes on. */
const aheadBy = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() + ms });
  try {
    return await work();
  } finally {
    mock.timers.reset();
  }
};

type Found = {
  readonly check: string;
  readonly commands?: readonly string[];
  readonly refusals: readonly {
    readonly code: string;
    readonly nextSteps?: unknown;
    readonly text: { readonly detail: string };
  }[];
};
const ledgerFinding = async ({ value }: Cluster): Promise<Found | undefined> =>
  (await value<{ readonly checks: readonly Found[] }>("doctor")).checks.find(({ check }) => check === "ledger");

/** Slow enough that the simulated clock stays beside the true one. */
const CLOCK = { kind: "driven", requestMs: 1 } as const;

for (const [what, ms, shown] of [
  ["two minutes", 2 * MINUTE_MS, "(?:1[0-2][0-9] s|2 minutes)"],
  ["a year", 365 * 24 * 60 * MINUTE_MS, "365 days"],
] as const) {
  test(`a clock that was ${what} ahead stops planning by name, and goes on when it is accepted`, async () => {
    await atCluster(
      async (cluster) => {
        const { dedalus, value } = cluster;
        const before = await value<PlanValue>("plan", "--env", "home");
        assert.equal(before.verdict.kind, "clear");
        // While it is ahead, the provider's own clock finds it out.
        const during = await aheadBy(ms, () => dedalus("plan", "--env", "home"));
        assert.equal(during.code, 3, during.err);
        assert.match(during.err, /Clock is ahead of the provider's: .+ \(N1, clock-ahead\)/);
        // Set right: the records of that time are still there.
        const after = await dedalus("observe", "--env", "home");
        assert.equal(after.code, 3, after.err);
        assert.match(after.err, /clock-ahead/);
        assert.match(after.err, /dedalus accept-clock --reason "…"/);
        const finding = await ledgerFinding(cluster);
        assert.deepEqual(finding?.refusals[0]?.nextSteps, [{ ask: "acceptClock", with: {} }]);
        assert.deepEqual(
          finding?.refusals.map(({ code }) => code),
          ["ledger-ahead"],
        );
        assert.match(finding?.refusals[0]?.text.detail ?? "", new RegExp(`${shown} ahead of this machine's clock`));
        const accepted = await dedalus("accept-clock", "--reason", "the clock was ahead and is set right");
        assert.equal(accepted.code, 0, accepted.err);
        assert.match(accepted.out, new RegExp(`the last record was stamped ${shown} ahead`));
        assert.deepEqual((await ledgerFinding(cluster))?.refusals, []);
        // What was planned before is void, and what is planned now is not.
        assert.equal((await dedalus("apply", before.id, "--step", "1", "--confirm", "0".repeat(64))).code === 0, false);
        const on = await value<PlanValue>("plan", "--env", "home");
        assert.equal(on.steps[0]?.status, "awaiting-confirmation");
        const again = await dedalus("replay");
        assert.equal(again.code, 0, again.err + again.out);
        const verified = await dedalus("ledger", "verify");
        assert.equal(verified.code, 0, verified.err + verified.out);
      },
      { clock: CLOCK },
    );
  });
}

test("a ledger whose clock was never ahead has nothing to accept", async () => {
  await atCluster(
    async ({ value }) => {
      const refused = await value("accept-clock", "--reason", "to be sure");
      assert.deepEqual(codesIn(refused), ["clock-not-ahead"]);
    },
    { clock: CLOCK },
  );
});
