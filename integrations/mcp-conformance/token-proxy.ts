// A door in front of the service that adds an agent's token to what comes, because the runner has no option for one.
// Everything else is handed on as it came, also a Host or an Origin that should be refused.

import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type TokenProxy = { readonly close: () => void; readonly url: string };

export const startTokenProxy = async (server: string, token: string): Promise<TokenProxy> => {
  const { host, hostname, port } = new URL(server);
  const proxy = createServer((incoming, reply) => {
    const { headers, method, url } = incoming;
    const named = (text: string | undefined): string | undefined => text?.replace(ownHost(), host);
    const names = {
      host: named(headers.host),
      ...(headers.origin === undefined ? {} : { origin: named(headers.origin) }),
    };
    const sent = { ...headers, ...names, authorization: `Bearer ${token}` };
    const asked = ask({ headers: sent, hostname, method, path: url, port }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    asked.once("error", (error) => reply.destroy(error));
    incoming.pipe(asked);
  });
  const ownHost = (): string => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
    url: `http://${ownHost()}`,
  };
};
