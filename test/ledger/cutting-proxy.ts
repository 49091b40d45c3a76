// A TCP proxy between a process and its PostgreSQL server, whose connections a test cuts.
//
// cut: both ends are told. lose: the process is, and the server is not, as when a network goes between them.
// shut: nobody gets through until it is opened again. cutAfter: so many bytes of the server's still come through.

import { once } from "node:events";
import { createServer, connect as dial, type Socket } from "node:net";

export type CuttingProxy = {
  /** The server's url with the proxy's port. */
  readonly url: (url: string) => string;
  readonly cut: () => void;
  /** Cuts, and stays shut, when the server has sent so many bytes from here on. */
  readonly cutAfter: (bytes: number) => void;
  readonly lose: () => void;
  readonly shut: (isShut: boolean) => void;
  readonly close: () => Promise<void>;
};

export const cuttingProxy = async (port: number): Promise<CuttingProxy> => {
  let isShut = false;
  let left = Number.POSITIVE_INFINITY;
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket; isLost: boolean }>();
  const relay = (client: Socket): void => {
    if (isShut) {
      client.destroy();
      return;
    }
    const server = dial(port, "127.0.0.1");
    const pair = { client, isLost: false, server };
    pairs.add(pair);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // An end that was cut is what is tested; the other end hears of it as a close.
      socket.on("error", () => socket.destroy());
    }
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => {
      left -= bytes.length;
      if (left > 0) {
        client.write(bytes);
        return;
      }
      left = Number.POSITIVE_INFINITY;
      isShut = true;
      cut();
    });
    client.on("close", () => pair.isLost || server.destroy());
    server.on("close", () => {
      pairs.delete(pair);
      client.destroy();
    });
  };
  const cut = (): void => {
    for (const { client, server } of pairs) for (const socket of [client, server]) socket.destroy();
  };
  const listening = createServer(relay).listen(0, "127.0.0.1");
  await once(listening, "listening");
  return {
    close: async () => {
      const closed = once(listening, "close");
      listening.close();
      cut();
      await closed;
    },
    cut,
    cutAfter: (bytes) => {
      left = bytes;
    },
    lose: () => {
      for (const pair of pairs) {
        pair.isLost = true;
        pair.client.destroy();
      }
    },
    shut: (shut) => {
      isShut = shut;
    },
    url: (url) => {
      const address = listening.address();
      const mine = typeof address === "object" && address !== null ? address.port : 0;
      return Object.assign(new URL(url), { port: String(mine) }).href;
    },
  };
};
