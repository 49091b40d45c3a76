// Requests over many connections that stay open, each asking again as soon as it has its answer; how long each took.
//
// On bare sockets: Node's own client costs as much as the server that is measured.

import { connect, type Socket } from "node:net";

export type Loaded = {
  readonly latenciesMs: Float64Array;
  readonly seconds: number;
  readonly statuses: ReadonlyMap<number, number>;
};

const HEAD_END = Buffer.from("\r\n\r\n");

/** The length of a whole answer at the beginning of the bytes; undefined while it is not there. */
const answerLength = (bytes: Buffer): number | undefined => {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return undefined;
  const [, length = "0"] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, head)) ?? [];
  const whole = head + HEAD_END.length + Number(length);
  return bytes.length < whole ? undefined : whole;
};

/** The bytes of the next request on a connection; undefined when there are to be no more. */
export type NextRequest = (connection: number) => string | undefined;

export const load = async (port: number, connections: number, next: NextRequest): Promise<Loaded> => {
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const run = (connection: number): Promise<void> =>
    new Promise((done, fail) => {
      const socket: Socket = connect({ host: "127.0.0.1", noDelay: true, port });
      let held: Buffer = Buffer.alloc(0);
      let fromMs = 0;
      const send = (): void => {
        const request = next(connection);
        if (request === undefined) {
          socket.end();
          done();
          return;
        }
        fromMs = performance.now();
        socket.write(request);
      };
      socket.on("connect", send);
      socket.on("error", fail);
      socket.on("data", (bytes: Buffer) => {
        held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
        const length = answerLength(held);
        if (length === undefined) return;
        latencies.push(performance.now() - fromMs);
        const status = Number(held.toString("latin1", 9, 12));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        held = held.subarray(length);
        send();
      });
    });
  const fromMs = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, at) => run(at)));
  return { latenciesMs: Float64Array.from(latencies).sort(), seconds: (performance.now() - fromMs) / 1_000, statuses };
};

/** So many requests, whichever connection asks first. */
export const times = (count: number, make: (connection: number) => string): NextRequest => {
  let left = count;
  return (connection) => {
    left -= 1;
    return left < 0 ? undefined : make(connection);
  };
};
