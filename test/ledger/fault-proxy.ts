// A TCP proxy before a PostgreSQL server that loses one message at the moment a test chooses.
//
// The message is the next one that runs the engine's append statement; everything else passes. The faults:
// request: it never reaches the server. reply: the server has answered, and the answer gets lost.
// client:  the server has it and hears nothing of the client's loss, so that it goes on working.

import { once } from "node:events";
import { createServer, connect as dial, type Socket } from "node:net";

export type Fault = "request" | "reply" | "client";

export type FaultProxy = {
  /** The server's url with the proxy's port. */
  readonly url: (url: string) => string;
  readonly loseNext: (fault: Fault) => void;
  /** How many messages were lost so far. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
};

/** The statement's name as it stands in the message, with the zero that ends it. */
const APPEND = Buffer.from("append\0");
/** ReadyForQuery: the transaction is over and the server waits. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export const faultProxy = async (port: number): Promise<FaultProxy> => {
  let armed: Fault | undefined;
  let lost = 0;
  const sockets = new Set<Socket>();

  const relay = (client: Socket): void => {
    const server = dial(port, "127.0.0.1");
    let fault: Fault | undefined;
    const lose = (...cut: readonly Socket[]): void => {
      lost += 1;
      for (const socket of cut) socket.destroy();
    };
    const onRequest: Readonly<Record<Fault, (bytes: Buffer) => void>> = {
      client: (bytes) => {
        server.write(bytes);
        lose(client);
      },
      reply: (bytes) => server.write(bytes),
      request: () => lose(client, server),
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // An end that was cut is what is tested; the other end hears of it as a close.
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes) => {
      if (armed !== undefined && bytes.includes(APPEND)) {
        fault = armed;
        armed = undefined;
        onRequest[fault](bytes);
      } else server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (fault === undefined) client.write(bytes);
      else if (fault === "reply" && bytes.includes(READY)) lose(client, server);
    });
    client.on("close", () => fault !== "client" && server.destroy());
    server.on("close", () => client.destroy());
  };

  const listening = createServer(relay).listen(0, "127.0.0.1");
  await once(listening, "listening");
  return {
    close: async () => {
      const closed = once(listening, "close");
      listening.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    loseNext: (fault) => {
      armed = fault;
    },
    lost: () => lost,
    url: (url) => {
      const address = listening.address();
      const mine = typeof address === "object" && address !== null ? address.port : 0;
      return Object.assign(new URL(url), { port: String(mine) }).href;
    },
  };
};
