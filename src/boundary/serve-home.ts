// What is at the service's own address where there is no console, for whoever opens it in a browser; and the pages
// that there are besides.

import type { FastifyInstance } from "fastify";
import { homePage } from "./pages/home-page.ts";
import { pageHeaders, pageText } from "./pages/web-page.ts";

type Pages = (door: FastifyInstance) => void;

/** `pages` are those of people, where they sign in here; `nonce` never comes twice. */
export const withHome =
  (pages: Pages | undefined, nonce: () => string): Pages =>
  (door) => {
    const page = homePage(pages !== undefined);
    door.get("/", async (_, reply) => {
      const word = nonce();
      return reply.code(page.status).headers(pageHeaders(page, word)).send(pageText(page, word));
    });
    pages?.(door);
  };
