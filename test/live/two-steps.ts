// A plan of two steps, a start and a shutdown, and what a walk of it asks and sends.

import { atCluster, type Cluster, type ClusterOptions, type PlanValue } from "./cluster.ts";

export const TWO_STEPS = `version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running }
  - { vmid: 102, name: batch-01, target: stopped, stop: shutdown }
`;
export const START = "POST /api2/json/nodes/pve1/qemu/101/status/start";
export const SHUTDOWN = "POST /api2/json/nodes/pve1/qemu/102/status/shutdown";
export const FIRST = /Start web-01 \(VM 101\)\? \[y\/N\/e\/s\/q\] /;
export const SECOND = /Shut down batch-01 \(VM 102\)\? \[y\/N\/e\/s\/q\] /;

export const walking = (work: (cluster: Cluster, plan: string) => Promise<void>, options: ClusterOptions = {}) =>
  atCluster(async (cluster) => work(cluster, (await cluster.value<PlanValue>("plan", "--env", "home")).id), {
    wanted: TWO_STEPS,
    ...options,
  });
