// A door in front of a service that changes what it answers: a program that is worth anything notices.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What is said to this door alone. */
const OF_THE_WAY: ReadonlySet<string> = new Set(["connection", "content-length", "host", "transfer-encoding"]);

/** `lie` is given each answered body. */
export const throughLyingDoor = async (
  server: string,
  lie: (body: string) => string,
  work: (url: string) => Promise<void>,
): Promise<void> => {
  const door = createServer(async (incoming, reply) => {
    const body = Buffer.concat(await incoming.toArray());
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (!OF_THE_WAY.has(name)) headers.set(name, String(value));
    const answer = await fetch(new URL(incoming.url ?? "/", server), {
      ...(body.length === 0 ? {} : { body }),
      headers,
      method: incoming.method ?? "GET",
    });
    const type = answer.headers.get("content-type");
    reply.writeHead(answer.status, type === null ? {} : { "content-type": type });
    reply.end(lie(await answer.text()));
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  try {
    await work(`http://127.0.0.1:${port}`);
  } finally {
    door.closeAllConnections();
    door.close();
  }
};
