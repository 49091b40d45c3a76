// The page of a step with hostile text in every place where somebody else's words can stand: it is shown as text,
// whole, and nothing of it is markup or invisible.

import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalRefusedPage, signedOutMeanwhilePage } from "../../../src/boundary/pages/approval-exits.ts";
import { decidedPage } from "../../../src/boundary/pages/decided-page.ts";
import { stepPage } from "../../../src/boundary/pages/step-page.ts";
import { pageText } from "../../../src/boundary/pages/web-page.ts";
import { ulids } from "../../../src/ids.ts";
import type { StepReviewed } from "../../../src/service/act/review-step.ts";
import { refuse } from "../../../src/spine/rules/refusals.ts";
import { OPERATOR, ok, serving } from "../../service/serving.ts";

const MARKUP = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`;
const BIDI = "start\u202Egnippots\u2066\u200B\u00AD\u2800";
const LONG = "x".repeat(10_000);
const HOSTILE = `${MARKUP} ${BIDI} ${LONG}`;
const nextId = ulids();

const FORM = { author: "sealed", csrf: "word", keys: { approve: nextId(), deny: nextId() }, name: "finn", reason: "" };

const textOf = (page: Parameters<typeof pageText>[0]): string => pageText(page, "nonce");

/** A real review, with hostile words in the place of everybody else's. */
const hostile = async (t: Parameters<typeof serving>[0]): Promise<StepReviewed> => {
  const service = (await serving(t)).open();
  const { id } = ok(await service.makePlan(OPERATOR, { environment: "home", scope: "all" })).value;
  const { value } = ok(await service.review(OPERATOR, { plan: id, step: { number: 1 } }));
  const { explanation, requester, shown } = value;
  const step = explanation.step ?? assert.fail("it has a step");
  return {
    ...value,
    against: {
      approve: [refuse("approval-own", { cause: "asked", facts: { actor: HOSTILE } })],
      challenge: [],
      deny: [],
    },
    approvals: [{ by: HOSTILE, counted: false, expiresAt: shown.endsAt ?? assert.fail("it ends"), id: nextId() }],
    denials: [{ by: HOSTILE, id: nextId(), reason: HOSTILE }],
    explanation: { ...explanation, environment: HOSTILE, step: { ...step, name: HOSTILE } },
    requester: { ...requester, id: HOSTILE, invitedBy: HOSTILE, kind: HOSTILE, maker: HOSTILE },
    shown: {
      ...shown,
      approvedBy: [HOSTILE],
      asked: [
        { by: HOSTILE, id: nextId(), reason: HOSTILE },
        { by: "silent", id: nextId() },
      ],
      needed: 2,
    },
    uncounted: [HOSTILE, HOSTILE],
  };
};

const assertQuoted = (text: string): void => {
  assert.deepEqual(text.match(/<script|<img|\u202E|\u2066|\u200B|\u00AD|\u2800/g), null);
  assert.ok(text.includes("&lt;script&gt;"));
  assert.ok(text.includes("\\u{202e}gnippots\\u{2066}\\u{200b}\\u{ad}\\u{2800}"));
  assert.ok(text.includes(LONG), "nothing is shortened");
};

test("what others wrote is text on the page of a step, whole and visible", async (t) => {
  const reviewed = await hostile(t);
  assertQuoted(textOf(stepPage(reviewed, FORM)));
  assertQuoted(textOf(decidedPage(reviewed, { by: HOSTILE, did: "deny", id: nextId(), seq: 3 })));
  assertQuoted(textOf(approvalRefusedPage(reviewed.against.approve, 403)));
});

test("the reason of whoever asked stands in quotes, under their name, after what Dedalus says of the step", async (t) => {
  const reviewed = await hostile(t);
  const asked = [{ by: "robo", id: nextId(), reason: "the disk is full" }];
  const text = textOf(stepPage({ ...reviewed, shown: { ...reviewed.shown, asked } }, FORM));
  const at = text.indexOf("<li><bdi>robo</bdi>: “<bdi>the disk is full</bdi>”</li>");
  assert.ok(at > text.indexOf(reviewed.explanation.hash) && at < text.indexOf("Your decision"), String(at));
  const silent = { ...reviewed, shown: { ...reviewed.shown, asked: [{ by: "robo", id: nextId() }] } };
  assert.doesNotMatch(textOf(stepPage(silent, FORM)), /Why approval was requested/);
});

test("a reason that was typed comes back as it was typed, and is no markup", async (t) => {
  const reviewed = await hostile(t);
  for (const text of [
    textOf(stepPage(reviewed, { ...FORM, reason: `</textarea>${MARKUP}` })),
    textOf(signedOutMeanwhilePage("/approve/x/1", `</textarea>${MARKUP}`)),
  ]) {
    assert.ok(text.includes("&lt;/textarea&gt;&quot;&gt;&lt;script&gt;"));
    assert.deepEqual(text.match(/<script|<img/g), null);
    assert.equal(text.split("</textarea>").length, 2);
  }
});

test("a step that needs no approval says so, and one that is refused whoever agrees does not", async (t) => {
  const reviewed = await hostile(t);
  const texts = (status: StepReviewed["shown"]["status"]): readonly string[] => {
    const one = { ...reviewed, shown: { ...reviewed.shown, needed: 0, status } };
    return [stepPage(one, FORM), decidedPage(one, { by: HOSTILE, did: "approve", id: nextId(), seq: 3 })].map(textOf);
  };
  for (const text of texts("planned")) assert.match(text, /<dt>Approvals<\/dt><dd>none needed<\/dd>/);
  for (const text of texts("refused")) assert.match(text, /<dt>Approvals<\/dt><dd>none is enough<\/dd>/);
});

test("what nobody knows is not told as nothing", async (t) => {
  const reviewed = await hostile(t);
  const { approve: refusals } = reviewed.against;
  const told = (outcome: "not_executed" | "unknown"): string =>
    textOf(stepPage(reviewed, { ...FORM, refused: { outcome, refusals, status: 503 } }));
  assert.match(told("not_executed"), /Nothing was approved or denied by it/);
  assert.match(told("unknown"), /Whether it was recorded is not known/);
  assert.doesNotMatch(told("unknown"), /Nothing was approved/);
});
