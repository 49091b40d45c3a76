// The seeds: a few small texts of each format that are right, from which every input is grown.
//
// The observation has one of each: in sync, drifted, paused, unknown, unseen sizes, blocked, protected, misnamed, a
// container. The plan is made from it here, so that it is always a plan of the present rules.

import { parseCurrent } from "../../src/formats/current-json.ts";
import { parseDesired } from "../../src/formats/desired-yaml.ts";
import { planText } from "../../src/formats/plan-json.ts";
import type { Parsed } from "../../src/formats/problem.ts";
import { desiredStateOf } from "../../src/spine/plan/desired-state.ts";
import { plan } from "../../src/spine/plan/plan.ts";
import { NO_POLICY, policyDigest } from "../../src/spine/plan/policy.ts";
import { safety } from "../../src/spine/plan/safety.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { observe } from "../../src/spine/values/observation.ts";

export const ENVIRONMENT = "home";
/** Stands where a secret would; no problem may ever show it. */
export const SECRET = "hush-7f3a";

export const DESIRED = `# Two web servers, a batch machine, a database.
version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running, cpus: 2, memory: 2 GiB }
  - { vmid: 102, name: web-02, target: running, cpus: 2, memory: 4294967296 }
  - vmid: 103
    name: batch-01
    target: stopped
    stop: shutdown
  - { vmid: 104, name: ledger-db, target: running, protected: true, identity: "uuid-104:1" }
  - { vmid: 105, name: "cache \\u00e9", target: stopped, stop: power-off }
  - { vmid: 106, name: 'prod-web', target: stopped, stop: shutdown }
`;

export const CURRENT = `{
  "version": 1, "environment": "home", "observedAt": "2026-11-15T10:00:00Z", "complete": true,
  "vms": [
    { "vmid": 101, "name": "web-01", "status": "stopped", "cpus": 2, "maxmem": 2147483648, "source": "live" },
    { "vmid": 102, "name": "web-02", "status": "running", "cpus": 2, "maxmem": 2147483648, "node": "pve1", "resize": "hot", "source": "live", "tags": ["web", "eu"] },
    { "vmid": 103, "kind": "ct", "name": "batch-01", "status": "running", "paused": true, "source": "live", "boot": "b1" },
    { "vmid": 104, "name": "ledger-db", "status": "running", "identity": "uuid-104:1", "revision": "ab12", "source": "live" },
    { "vmid": 105, "name": "cache \\u00e9", "status": "running", "pending": { "cpus": 4 }, "blockers": [{ "actions": ["vm.stop"], "because": "locked: backup" }] },
    { "vmid": 107, "name": "somebody-elses", "status": "unknown", "because": "node did not answer" }
  ]
}
`;

export const BARE = `[{"vmid":101,"name":"web-01","status":"stopped","cpus":null,"maxmem":null,"source":"live"},
{"vmid":103,"name":"batch-01","status":"running","source":"live","tags":["prod"]}]`;

export const CONFIG = `version: 1
operator: ada
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  home: { adapter: replay, path: current.json, approval: single-operator, maxObservationAge: 5 min, desired: desired.yaml }
  cluster:
    adapter: proxmox
    url: https://pve1.example:8006
    tls: { verify: system }
    credentials:
      observe: { env: CLUSTER_TOKEN }
      apply: { file: secrets/cluster-apply }
    approval: four-eyes
    maxObservationAge: 60 s
    desired: cluster.yaml
`;
export const CONFIG_WITH_SECRET = CONFIG.replace("{ env: CLUSTER_TOKEN }", SECRET).replace("ledger.key", SECRET);

export const POLICY = `# What nobody does here, and what more than one person agrees to.
version: 1
tighten:
  - { action: vm.stop, to: refused }
  - action: vm.start
    to: high
  - { action: vm.snapshot.create, to: medium }
`;
export const POLICY_LOOSE = POLICY.replace("refused", "medium");

export const RESULT = `{"action":"vm.start","cause":"provider-done","changed":[{"field":"status","now":"running"}],
"diagnostics":[{"code":"call-refused","facts":{"httpStatus":500},"said":"no"}],"environment":"home","outcome":"succeeded",
"plan":"${"0a".repeat(32)}","reference":"UPID:1","said":"OK","step":"${"f9".repeat(32)}","version":1,"vmid":101}`;

/** For our own texts, which are right unless a test says otherwise. */
const right = <T>(parsed: Parsed<T>): T => {
  if (parsed.kind === "bad") throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
};

export const GROUND = { environment: sha256("null"), policy: policyDigest(NO_POLICY) } as const;
export const desiredValue = () => right(parseDesired(DESIRED, "desired.yaml"));
export const currentValue = () =>
  right(parseCurrent(CURRENT, "current.json", { complete: true, environment: ENVIRONMENT }));

export const planSeed = (): string => {
  const desired = desiredStateOf(ENVIRONMENT, desiredValue().vms);
  if ("kind" in desired) throw new Error(desired.code);
  const made = plan(desired, observe(currentValue()), "all", GROUND);
  return planText({ applicable: false, because: "replayed", plan: made, verdict: safety(made, NO_POLICY), version: 1 });
};
