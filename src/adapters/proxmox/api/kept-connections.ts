// The connections that reads share, kept while they are fresh and used again.
//
// Node's own agent keeps books by host, by name and by session for every request, which is a third of what observing a
// fleet costs; here there is one provider, so a list of what is free will do. How many requests there are at a time is
// the caller's business (gate.ts), and so is how a connection is made and verified (trust.ts).
//
// HTTP does not say which request an answer is of: what comes on a free connection (a second answer, a proxy's 408
// before it closes) would be read as that of the next request. So a connection on which anything comes while nothing is
// asked is not used again. What comes while something is asked cannot be told apart from its answer; of two answers in
// one piece Node takes neither.

import type { ClientRequest } from "node:http";
import { Agent } from "node:https";
import type { TLSSocket } from "node:tls";
import type { Dialled } from "../../../dial/trust.ts";
import { NotConnected } from "./exchange.ts";

/** PVE closes what is idle for 5 s; a request on a connection that is being closed would be lost. */
const IDLE_MS = 2000;

/** What Node asks of an agent, and gives it: a request to find a connection for, or the reason that there is none. */
type Waiting = ClientRequest & { readonly onSocket: (socket: TLSSocket | null, error?: Error) => void };

export const keptConnections = (dial: () => Promise<Dialled>): Agent => {
  const free: TLSSocket[] = [];
  const drop = (socket: TLSSocket): void => {
    const at = free.indexOf(socket);
    if (at === -1) return;
    free.splice(at, 1);
    socket.destroy();
  };
  /** While nothing is asked on it; Node listens while something is. */
  const onStray = function (this: TLSSocket): void {
    drop(this);
    this.destroy();
  };
  const keep = (socket: TLSSocket): void => {
    // The other side may have ended it with its answer.
    if (!socket.writable) return void socket.destroy();
    socket.on("data", onStray);
    // An idle connection does not hold the process.
    socket.unref();
    free.push(socket);
  };
  const open = async (request: Waiting): Promise<void> => {
    const dialled = await dial();
    if (dialled.kind === "failed") return request.onSocket(null, new NotConnected(dialled.why));
    const { socket } = dialled;
    socket.on("free", () => keep(socket));
    socket.once("close", () => drop(socket));
    // Silence while an answer is awaited is the exchange's to judge.
    socket.setTimeout(IDLE_MS, () => drop(socket));
    request.onSocket(socket);
  };
  const addRequest = (request: Waiting): void => {
    const socket = free.pop();
    if (socket === undefined) return void open(request);
    socket.ref();
    socket.off("data", onStray);
    request.onSocket(socket);
  };
  return Object.assign(new Agent({ keepAlive: true }), { addRequest });
};
