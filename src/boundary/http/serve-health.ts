// Whether the process lives, whether it can serve, and under which posture: for whoever watches it. No credential
// is needed, and no name is told: numbers and codes.

import type { FastifyReply } from "fastify";
import type { DoorGiven } from "./door-given.ts";
import { ending } from "./door-refusal.ts";
import { sendJson, sendRefused } from "./reply-answer.ts";

export const serveAlive = (reply: FastifyReply): FastifyReply => sendJson(reply, 200, { alive: true });

/** Red while it ends, and while the ledger cannot be written. */
export const serveReady = async ({ isEnding, service }: DoorGiven, reply: FastifyReply): Promise<FastifyReply> => {
  if (isEnding()) return sendRefused(reply, ending());
  const posture = await service.posture();
  return "refusals" in posture ? sendRefused(reply, posture) : sendJson(reply, 200, { ready: true, ...posture });
};
