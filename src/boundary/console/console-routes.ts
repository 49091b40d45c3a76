// Where the console is: its files, and what its pages must know of a session that only the door can tell.
//
// A page acts by the routes of the contract like everybody else, with the cookie of its browser and the word that only
// our own pages know. Nothing here acts. Keeps P7-A1, P7-S3.

import type { FastifyInstance } from "fastify";
import { isRefused } from "../../service/answer.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { msOf } from "../../spine/values/instant.ts";
import { type ApprovalPorts, visitorOf } from "../approval/approval-desk.ts";
import type { ConsoleSession } from "../contract/console-session.ts";
import { problemJson } from "../contract/problem-json.ts";
import { statusOfAnswer } from "../contract/statuses.ts";
import type { DoorGiven } from "../http/door-given.ts";
import { unfitRequest } from "../http/door-refusal.ts";
import { sendRefused } from "../http/reply-answer.ts";
import type { WebRoutes } from "../identity/identity-desk.ts";
import { CONSOLE_PATH, type ConsoleFiles, fileFor } from "./console-files.ts";

export type ConsoleGiven = ApprovalPorts & {
  /** The OpenAPI file: what a page must have been built for. */
  readonly openapi: string;
};

const SESSION = `${CONSOLE_PATH}/session`;
const FILES = `${CONSOLE_PATH}/*`;
/** From where one is sent to the console. */
const ABOVE = ["/", CONSOLE_PATH];

export const CONSOLE_ROUTES: readonly string[] = [...ABOVE, FILES, SESSION].map((path) => `GET ${path}`);

/** Who is signed in, or that nobody is; never what proves it. */
export const consoleRoutes = ({ openapi, ...ports }: ConsoleGiven): WebRoutes => {
  const contract = sha256(openapi);
  return {
    [`GET ${SESSION}`]: async ({ cookies, now, sealer }, request) => {
      const visitor = await visitorOf({ ...ports, cookies, now, sealer }, request);
      if (visitor === "nobody") return { kind: "json", status: 200, value: { contract } satisfies ConsoleSession };
      if (isRefused(visitor))
        return { kind: "json", status: statusOfAnswer(visitor), value: problemJson(visitor, ports.newId()) };
      const value: ConsoleSession = {
        contract,
        signedIn: { atMs: msOf(now()), csrf: visitor.csrf, name: visitor.name },
      };
      return { kind: "json", status: 200, value };
    },
  };
};

type Pages = Pick<DoorGiven, "pages" | "shownOtherwise">;

/** Pages are for people, and people come where they can sign in. */
export const withConsole = (identity: Pages, files: ConsoleFiles | undefined): Pages => {
  if (files === undefined) return identity;
  const serve = serveConsole(files);
  return {
    ...identity,
    pages: (door) => {
      identity.pages?.(door);
      serve(door);
    },
  };
};

const serveConsole =
  (files: ConsoleFiles) =>
  (door: FastifyInstance): void => {
    for (const path of ABOVE)
      door.get(path, async (_, reply) =>
        reply
          .code(303)
          .headers({ "cache-control": "no-cache", location: `${CONSOLE_PATH}/` })
          .send(),
      );
    door.get(FILES, async (request, reply) => {
      const path = (request.params as { readonly "*": string })["*"];
      const sent = fileFor(files, path, request.headers["accept-encoding"]?.toString());
      return sent === undefined
        ? sendRefused(
            reply,
            unfitRequest({ cause: "route-unknown", facts: { path: `${CONSOLE_PATH}/${path}`.slice(0, 200) } }),
          )
        : reply.code(200).headers(sent.headers).send(sent.body);
    });
  };
