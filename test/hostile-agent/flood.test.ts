// Agents that flood: calls, refusals that leave records, requests and streams that are held open. Each is limited by
// its own measure, and whoever else asks is served.

import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { suite, test } from "node:test";
import { CALLER_LIMITS } from "../../src/boundary/http/caller-limits.ts";
import type { Replied } from "../boundary/at-door.ts";
import { soon } from "../service/bound.ts";
import { recordedSince, refusedIn } from "./hostile.ts";
import { atStep, planBy, type Stage, stageOf, tool } from "./stage.ts";

const BURST = 40;
const KNOWN = { ...CALLER_LIMITS.known, burst: BURST, concurrent: 16, perSecond: 0.01, streams: 2 };

const codeOf = (replied: Replied): string => refusedIn(replied)[0]?.code ?? "granted";
const causeOf = ({ problem }: Replied): string => problem.refusals[0]?.cause ?? "";
const servedOthers = async ({ kilo }: Stage): Promise<void> => {
  const told = await soon("an answer to somebody else", kilo.call("list_environments"));
  assert.equal(told.isError, undefined);
};

suite("an agent that floods", () => {
  // Each case has a stage of its own: what one caller has used up comes back slowly.
  suite("with refusals", () => {
    const stage = stageOf({ limits: { known: KNOWN, unknown: CALLER_LIMITS.unknown } });
    test("P7-F1 cannot fill the ledger with refusals: beyond its measure none is recorded", async () => {
      const at = stage();
      const plan = await planBy(at.robo, at.freshVm());
      const size = (await at.served.records()).length;
      const codes: string[] = [];
      for (let time = 0; time < 3 * BURST; time += 1)
        codes.push(codeOf(await tool(at.robo, "apply_step", atStep(plan))));
      const refused = codes.filter((code) => code === "approval-missing").length;
      assert.deepEqual(new Set(codes), new Set(["approval-missing", "caller-limited"]));
      assert.ok(refused <= BURST, `${refused} were judged`);
      assert.deepEqual(
        await recordedSince(at, size),
        Array.from({ length: refused }, () => "agent apply refused"),
        "each that was judged is recorded once, and nothing else",
      );
      await servedOthers(at);
    });
  });

  suite("with calls", () => {
    const stage = stageOf({ limits: { known: KNOWN, unknown: CALLER_LIMITS.unknown } });
    test("P7-F1 cannot take more than its part of the service at once, nor anybody else's", async () => {
      const at = stage();
      const all = Array.from({ length: 5 * BURST }, () => tool(at.robo, "list_vms"));
      await servedOthers(at);
      const replies = await soon("all answers", Promise.all(all));
      const limited = replies.filter((replied) => codeOf(replied) !== "granted");
      assert.ok(replies.length - limited.length <= BURST);
      for (const replied of limited) {
        assert.equal(replied.status, 429);
        assert.ok(["concurrent", "rate"].includes(causeOf(replied)));
        assert.ok(Number(replied.headers.get("retry-after")) >= 1);
        assert.match(replied.problem.correlationId, /^[0-9A-Z]{26}$/);
      }
    });
    test("P7-F1 cannot have another's measure by a token that nobody made", async () => {
      const at = stage();
      const nobody = Array.from({ length: 3 * BURST }, (_, time) =>
        at.post("/mcp", {}, { headers: { authorization: `Bearer ddl_${String(time).padStart(43, "A")}` }, key: null }),
      );
      const replies = await soon("all answers", Promise.all(nobody));
      for (const { status } of replies) assert.ok(status === 401 || status === 429, String(status));
      await servedOthers(at);
    });
  });

  suite("by holding on", () => {
    const stage = stageOf({ limits: { known: { ...KNOWN, burst: 1_000 }, unknown: CALLER_LIMITS.unknown } });
    const held: Socket[] = [];
    test("P7-F1 cannot keep the service from others by requests that it never ends", async () => {
      const at = stage();
      const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${at.port}\r\nauthorization: Bearer ${at.robo.token}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`;
      await Promise.all(
        Array.from({ length: 200 }, async () => {
          const socket = connect(at.port, "127.0.0.1");
          held.push(socket);
          socket.on("error", () => undefined);
          await new Promise((resume) => socket.write(head, resume));
        }),
      );
      const size = (await at.served.records()).length;
      await servedOthers(at);
      assert.equal((await at.robo.call("list_environments")).isError, undefined, "its own part is not held either");
      for (const socket of held) socket.destroy();
      assert.deepEqual(await recordedSince(at, size), []);
    });
    test("P7-F1 cannot hold more streams of events than are its own, and holds none at its own door", async () => {
      const at = stage();
      const leave = new AbortController();
      const open = async () => {
        const headers = { accept: "text/event-stream", authorization: `Bearer ${at.robo.token}` };
        const reply = await fetch(`${at.url}/v1/events?environment=home`, { headers, signal: leave.signal });
        return reply.status;
      };
      const statuses = [await open(), await open(), await open(), await open()];
      assert.deepEqual(statuses, [200, 200, 429, 429]);
      const listening = await at.robo.ask("subscriptions/listen");
      assert.equal(listening.status, 404);
      await servedOthers(at);
      leave.abort();
    });
  });
});
