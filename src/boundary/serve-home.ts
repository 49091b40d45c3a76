// What is at the service's own address where there is no console, for whoever opens it in a browser; the pages that
// there are besides; and what a browser is shown where there is nothing.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { DoorGiven } from "./http/door-given.ts";
import { homePage } from "./pages/home-page.ts";
import { type PagesServed, strayedPage } from "./pages/not-found-page.ts";
import { pageHeaders, pageText, type WebPage } from "./pages/web-page.ts";

type Pages = (door: FastifyInstance) => void;

/** `pages` are those of people, where they sign in here; `nonce` never comes twice. */
export const withHome =
  (pages: Pages | undefined, nonce: () => string): Pages =>
  (door) => {
    const page = homePage(pages !== undefined);
    door.get("/", async (_, reply) => sendPage(reply, page, nonce()));
    pages?.(door);
  };

const sendPage = (reply: FastifyReply, page: WebPage, word: string): FastifyReply =>
  reply.code(page.status).headers(pageHeaders(page, word)).send(pageText(page, word));

/** Where programs ask: whatever they accept, they are answered as programs. */
const FOR_PROGRAMS = /^\/(?:v1|mcp)(?:\/|$)/;
const PATH_SHOWN = 200;

/** A person who follows a link reads a page; everybody else gets the document. */
export const strayedInBrowser =
  (served: PagesServed, nonce: () => string): NonNullable<DoorGiven["strays"]> =>
  (request, reply) => {
    const path = pathOf(request);
    if (request.method !== "GET" || FOR_PROGRAMS.test(path) || !acceptsPage(request)) return undefined;
    return sendPage(reply, strayedPage(path, served), nonce());
  };

const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? "").split("?")[0]?.slice(0, PATH_SHOWN) ?? "";

/** A browser says so by name; a program that takes anything does not. */
const acceptsPage = ({ headers: { accept } }: FastifyRequest): boolean => accept?.includes("text/html") === true;
