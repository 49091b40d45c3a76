// A verification as the service had it before it was printed (service/json/ledger-json.ts): one that holds, or what was
// found and why it is not to be believed.

import type { AnchorLoss } from "../../ledger/anchor/anchor-loss.ts";
import { GENESIS } from "../../ledger/record/record.ts";
import type { AuditFinding } from "../../ledger/verify/verify-ledger.ts";
import { isRefusalCode, refusalRow } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import type { ErrorJson } from "../json/error-json.ts";
import type { brokenJson, verifiedJson } from "../json/ledger-json.ts";
import type { Verified } from "../ledger/held-against.ts";
import { refusalFrom } from "./refusal-values.ts";

type Holds = ReturnType<typeof verifiedJson>;
type BrokenJson = ErrorJson & ReturnType<typeof brokenJson>;
export type VerifiedJson = BrokenJson | Holds;

type FoundJson = BrokenJson["findings"][number];

const isBroken = (body: VerifiedJson): body is BrokenJson => "error" in body;
/** What is missing of the anchor is told as a finding too, by the code of its refusal. */
const isLoss = ({ what }: FoundJson): boolean => isRefusalCode(what);

const findingFrom = ({ detail: _, ...finding }: FoundJson): AuditFinding => finding as AuditFinding;

export const verifiedFrom = (body: VerifiedJson, server: string): Verified =>
  isBroken(body) ? brokenFrom(body, server) : holdsFrom(body);

const holdsFrom = ({ blobs, checkpoints, head, reAnchors, root, size, verified }: Holds): Verified => ({
  audit: { blobs, checkpointsMet: checkpoints, findings: [], findingsCount: 0, head, records: size, root },
  checkpoints,
  name: verified,
  reAnchored: reAnchors,
});

const brokenFrom = (body: BrokenJson, server: string): Verified => {
  const { error, findings, findingsCount, verified: name } = body;
  const checkpoints = "checkpoints" in body ? (body.checkpoints ?? 0) : 0;
  const lost = findings.find(isLoss);
  const [first] = error.refusals;
  return {
    audit: {
      blobs: 0,
      checkpointsMet: 0,
      findings: findings.filter((one) => !isLoss(one)).map(findingFrom),
      findingsCount: findingsCount - (lost === undefined ? 0 : 1),
      // What does not hold has no head that anybody could stand on.
      head: { hash: GENESIS, size: 0 },
      records: 0,
      root: GENESIS,
    },
    checkpoints,
    ...present({ loss: lost === undefined ? undefined : lossFrom(lost) }),
    name,
    reAnchored: [],
    ...(first === undefined ? {} : { refusal: refusalFrom(first, server) }),
  };
};

const lossFrom = ({ cause, facts, what }: FoundJson): AnchorLoss => {
  const code = what as AnchorLoss["code"];
  return { ...present({ cause }), code, facts, kind: "refusal", ...refusalRow(code) };
};
