// What the cluster says of itself: whether it has quorum, and which nodes its membership calls down.
//
// A node on its own has no cluster entry and needs no quorum (pve-manager 9.2.11 PVE/API2/Cluster.pm, get_status). What
// may not be read is unknown, never assumed. Keeps N1.

import { isObject } from "../../../formats/json/json-shape.ts";
import { type Diagnostic, diagnostic } from "../../../spine/diagnostic-codes.ts";
import { type PveReply, whyNot } from "../api/pve-reply.ts";
import { isSet, textOf } from "../api/values.ts";

export type Quorum = "present" | "lost" | { readonly diagnostic: Diagnostic };
export type Cluster = { readonly offline: ReadonlySet<string>; readonly quorum: Quorum };

const NOBODY: ReadonlySet<string> = new Set();

export const clusterOf = (reply: PveReply): Cluster => {
  if (reply.kind !== "data") return notSeen(whyNot(reply));
  const { data } = reply;
  if (!Array.isArray(data) || !data.every(isObject)) return notSeen(diagnostic("answer-not-a-list"));
  const nodes = data.filter((entry) => entry["type"] === "node");
  if (nodes.length === 0) return notSeen(diagnostic("cluster-without-nodes"));
  const clusters = data.filter((entry) => entry["type"] === "cluster");
  if (clusters.length > 1) return notSeen(diagnostic("cluster-listed-twice"));
  const offline = nodes.filter((entry) => !isSet(entry["online"])).map((entry) => textOf(entry["name"]) ?? "");
  const isQuorate = clusters.length === 0 ? nodes.length === 1 : isSet(clusters[0]?.["quorate"]);
  return { offline: new Set(offline), quorum: isQuorate ? "present" : "lost" };
};

const notSeen = (why: Diagnostic): Cluster => ({ offline: NOBODY, quorum: { diagnostic: why } });
