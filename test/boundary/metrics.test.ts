// Metrics: what is scraped has the names, labels and words of the table, and how things stand is that of the moment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { doorTelemetry } from "../../src/boundary/door-log.ts";
import { METRIC_NAMES, METRICS } from "../../src/boundary/telemetry/metric-table.ts";
import type { Posture } from "../../src/boundary/telemetry/posture.ts";
import { readPosture } from "../../src/boundary/telemetry/read-posture.ts";
import { now } from "../../src/clock.ts";
import type { TokenRequested } from "../../src/service/act/token.ts";
import { METRIC_WORDS } from "../../src/spine/words/remarks/metric-words.ts";
import { bearer, codes, OPERATOR, ok, serving } from "../service/serving.ts";
import { telling } from "./telling.ts";

const POSTURE: Posture = {
  environments: [{ blocked: 1, freezes: 0, name: "home", open: 2 }],
  headAgeSeconds: 4,
  isReadOnly: false,
  lagRecords: 3,
  overdue: 1,
  records: 7,
};
const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line.startsWith("dedalus_"));

test("every metric of the table is scraped with its words and kind, and no other that begins with dedalus", async () => {
  const { text } = await telling().telemetry.metrics.scrape(POSTURE);
  for (const name of METRIC_NAMES) {
    assert.ok(text.includes(`# HELP ${name} ${METRIC_WORDS[name]}\n`), name);
    assert.ok(text.includes(`# TYPE ${name} ${METRICS[name].kind}\n`), name);
  }
  assert.equal(text.match(/^# TYPE dedalus_/gm)?.length, METRIC_NAMES.length);
  assert.match(text, /^process_cpu_seconds_total /m);
});

test("how things stand is that of the scrape, and a ledger that cannot be read is read-only without numbers", async () => {
  const { metrics } = telling().telemetry;
  const { text } = await metrics.scrape(POSTURE);
  assert.deepEqual(
    lines(text).filter((line) => !line.startsWith("dedalus_build_info")),
    [
      'dedalus_blocked_vms{environment="home"} 1',
      "dedalus_follower_lag_records 3",
      'dedalus_freezes{environment="home"} 0',
      "dedalus_ledger_head_age_seconds 4",
      "dedalus_ledger_read_only 0",
      "dedalus_ledger_records 7",
      "dedalus_log_lines_dropped_total 0",
      'dedalus_open_intents{environment="home"} 2',
      "dedalus_overdue_intents 1",
    ],
  );
  const { text: unread } = await metrics.scrape(undefined);
  assert.match(unread, /^dedalus_ledger_read_only 1$/m);
  assert.doesNotMatch(unread, /^dedalus_blocked_vms\{/m, "a number of before is not shown as one of now");
});

test("an environment without an intent has its series, and a freeze of everything has one of its own", async (t) => {
  const { open, records } = await serving(t);
  const service = open();
  ok(await service.freeze(OPERATOR, { reason: "maintenance" }));
  const given = { environments: () => ["home"], isWritable: async () => true, now, service };
  const { headAgeSeconds = -1, ...posture } = (await readPosture(given)) ?? assert.fail("the ledger can be read");
  const size = (await records()).length;
  assert.ok(headAgeSeconds >= 0);
  assert.deepEqual(posture, {
    environments: [
      { blocked: 0, freezes: 1, name: "everything", open: 0 },
      { blocked: 0, freezes: 0, name: "home", open: 0 },
    ],
    isReadOnly: false,
    lagRecords: 0,
    overdue: 0,
    records: size,
  });
  await service.close();
  assert.equal(await readPosture(given), undefined, "a ledger that cannot be read has no numbers");
});

const OIDC = `service:
  url: https://dedalus.example
  oidc: { issuer: "https://id.example", clientId: dedalus, groups: { sre: { roles: [operator], environments: all } } }
`;

test("where people sign in at a provider, a program that observes everything scrapes, and no other does", async (t) => {
  const served = await serving(t, OIDC, (ports) => ({ ...ports, serves: true }));
  const service = served.openReloading();
  assert.equal(await service.begin(), undefined);
  const { telemetry } = telling();
  const { metrics } = doorTelemetry({
    configuration: served.configuration,
    now,
    positions: () => new Map(),
    service,
    telemetry,
  });
  const scrapedBy = async (name: string, more: Pick<TokenRequested, "environments" | "roles">): Promise<unknown> => {
    const asked = { days: 1, kind: "agent", name, ...more } as const;
    const { token = "" } = ok(await service.createToken(OPERATOR, asked)).value;
    const scraped = await metrics?.({ ...bearer(token), door: "service" });
    return scraped !== undefined && "refusals" in scraped ? codes(scraped) : scraped?.text.includes("dedalus_freezes");
  };
  assert.equal(await scrapedBy("prometheus", { roles: ["observer"] }), true);
  assert.deepEqual(await scrapedBy("nearby", { environments: ["home"], roles: ["observer"] }), ["role-elsewhere"]);
  assert.deepEqual(await scrapedBy("robo", { roles: ["agent"] }), ["role-missing"]);
  const person = { days: 1, kind: "person", name: "audra", roles: ["auditor"] } as const;
  assert.deepEqual(codes(await service.createToken(OPERATOR, person)), ["people-by-oidc"]);
});
