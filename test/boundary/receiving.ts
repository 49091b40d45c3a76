// A receiver of messages: a real server on a port of its own that keeps what it gets and answers as a test says; and
// deliveries to it from a real service.

import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Deliveries, ledgerFeed, openDeliveries } from "../../src/boundary/webhooks/deliveries.ts";
import { openInstances } from "../../src/boundary/webhooks/own-instances.ts";
import { nowMs } from "../../src/clock.ts";
import type { WebhookConfig } from "../../src/formats/dedalus/dedalus-webhooks.ts";
import type { Service } from "../../src/service/service.ts";
import { serving } from "../service/serving.ts";
import { type Telling, telling } from "./telling.ts";

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export type Received = { readonly body: string; readonly headers: IncomingHttpHeaders };
type Answer = (at: number) => number | "nothing" | "nonsense";

export type Receiving = {
  readonly answer: { with: Answer };
  readonly received: Received[];
  readonly url: string;
};

export const receiving = async (t: TestContext): Promise<Receiving> => {
  const received: Received[] = [];
  const answer: { with: Answer } = { with: () => 200 };
  const server = createServer((request, reply) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      received.push({ body, headers: request.headers });
      const status = answer.with(received.length);
      if (status === "nonsense") request.socket.end("42\r\n\r\n");
      else if (status !== "nothing") reply.writeHead(status, { location: "/elsewhere" }).end("x".repeat(100_000));
    });
  });
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { answer, received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
};

const failed = (error: unknown): never => assert.fail(String(error));

export type Delivering = {
  /** Of a process of its own. */
  readonly begin: (webhooks: readonly WebhookConfig[]) => Deliveries;
  readonly open: () => Service;
  readonly records: Awaited<ReturnType<typeof serving>>["records"];
  readonly savedState: string;
  readonly told: Telling;
};

/** A service whose processes are known by their ids, and deliveries from its ledger. */
export const delivering = async (
  t: TestContext,
  pausesMs: readonly number[] = [1, 1],
  aheadMs = 0,
): Promise<Delivering> => {
  const told = telling();
  const savedStateIn = (folder: string): string => join(folder, "ledger/dedalus.db-saved-state");
  const { folder, open, records } = await serving(t, "", (ports, at) => ({
    ...ports,
    hears: { ...ports.hears, started: (instance) => openInstances(savedStateIn(at), failed).add(instance) },
  }));
  const savedState = savedStateIn(folder);
  const begun: Deliveries[] = [];
  t.after(async () => {
    for (const one of begun) await one.close();
  });
  return {
    begin: (webhooks) => {
      const deliveries = openDeliveries({
        approveCommand: (plan, step) => `dedalus approve ${plan} --step ${step}`,
        feed: ledgerFeed(open()),
        isOwn: (instance) => openInstances(savedState, failed).has(instance),
        nowMs: () => nowMs() + aheadMs,
        pausesMs,
        savedState,
        secret: (ref) => ("env" in ref ? SECRET : ref.file),
        telemetry: told.telemetry,
        timeoutMs: 300,
      });
      void deliveries.takeUp(webhooks, "https://dedalus.example");
      begun.push(deliveries);
      return deliveries;
    },
    open,
    records,
    savedState,
    told,
  };
};
