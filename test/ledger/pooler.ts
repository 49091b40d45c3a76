// A connection pooler before a PostgreSQL server, as PgBouncer is one: it greets clients by itself and lends them its
// own connections to the server, each for one transaction or for as long as the client stays.
//
// It lends the connection that was given back last, as PgBouncer does by default. The password is the url's; clients
// need none.

import { once } from "node:events";
import { createServer, Socket } from "node:net";
import { Client } from "pg";

export type Pooler = { readonly close: () => Promise<void>; readonly url: string };

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const KEY_DATA = Buffer.from([0x4b, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 1]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const TERMINATE = 0x58;
const [READY_TYPE, IDLE] = [0x5a, 0x49];

/** Whole messages, each with its type and length. */
const messagesIn = (onMessage: (message: Buffer) => void): ((bytes: Buffer) => void) => {
  let kept = Buffer.alloc(0);
  return (bytes) => {
    kept = Buffer.concat([kept, bytes]);
    while (kept.length >= 5 && kept.length >= 1 + kept.readUInt32BE(1)) {
      const end = 1 + kept.readUInt32BE(1);
      const message = kept.subarray(0, end);
      kept = kept.subarray(end);
      onMessage(message);
    }
  };
};

type Lent = { readonly socket: Socket; receive: (message: Buffer) => void };

export const startPooler = async (url: string, mode: "session" | "transaction"): Promise<Pooler> => {
  const idle: Lent[] = [];
  const all: Socket[] = [];
  const clients = new Set<Socket>();

  const lend = async (): Promise<Lent> => {
    const last = idle.pop();
    if (last !== undefined) return last;
    const socket = new Socket();
    const client = new Client({ connectionString: url, stream: () => socket });
    // What ends with the test ends here.
    client.on("error", () => undefined);
    await client.connect();
    all.push(socket);
    socket.removeAllListeners("data");
    const lent: Lent = { receive: () => undefined, socket };
    socket.on(
      "data",
      messagesIn((message) => lent.receive(message)),
    );
    return lent;
  };

  const serve = (client: Socket): void => {
    clients.add(client);
    client.setNoDelay(true);
    let lending: Promise<Lent> | undefined;
    const giveBack = (lent: Lent): void => {
      lending = undefined;
      lent.receive = () => undefined;
      idle.push(lent);
    };
    const onMessage = (message: Buffer): void => {
      if (message[0] === TERMINATE) return;
      lending ??= lend().then((lent) => {
        lent.receive = (answer) => {
          client.write(answer);
          if (mode === "transaction" && answer[0] === READY_TYPE && answer[5] === IDLE) giveBack(lent);
        };
        return lent;
      });
      void lending.then(({ socket }) => socket.write(message));
    };
    const read = messagesIn(onMessage);
    // The first message has no type: it is who wants what.
    client.once("data", () => {
      client.write(Buffer.concat([AUTHENTICATED, KEY_DATA, READY]));
      client.on("data", read);
    });
    client.on("error", () => client.destroy());
    client.on("close", () => clients.delete(client));
  };

  const listening = createServer(serve).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    close: async () => {
      const closed = once(listening, "close");
      listening.close();
      for (const client of clients) client.destroy();
      for (const socket of all) socket.destroy();
      await closed;
    },
    url: Object.assign(new URL(url), { port: String(port) }).href,
  };
};
