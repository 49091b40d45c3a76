// Sends requests to the one service that is configured, and to nobody else: each on a connection whose server was
// verified first, so that a credential reaches no stranger. keeps B4, B5
//
// Nothing is sent twice and no redirect is followed. Time and size of an answer are bounded. Proxies of the environment
// are not asked: whoever stands between would have to be trusted with the credential. A connection serves one request,
// so that it is known whether a byte of it has left. Not here: what is asked (service/remote/).

import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { dial, type ServerTrust, whyNotConnected } from "../../dial/trust.ts";
import type { ServerAddress } from "../../formats/client/server-address.ts";
import {
  type NoReply,
  type Outgoing,
  ReplyCut,
  type ReplyHead,
  type SendPort,
  type StreamedReply,
  type WholeReply,
} from "../../service/remote/send.ts";
import { type Diagnostic, diagnostic, factsOfDiagnostic } from "../../spine/diagnostic-codes.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { shownText } from "../../spine/values/shown-text.ts";

export type ClientGiven = {
  readonly address: ServerAddress;
  readonly limits?: Partial<ClientLimits>;
  /** Absent where nobody is named: then only what is open to all can be asked. */
  readonly token?: string;
  /** Of a server on this machine that speaks plain HTTP nothing is verified. */
  readonly trust: ServerTrust;
  readonly version: string;
};

/** An observation may take ten minutes; a stream has a heartbeat every fifteen seconds. */
export type ClientLimits = {
  readonly answerMs: number;
  readonly bytesMax: number;
  readonly connectMs: number;
  readonly idleMs: number;
};
const LIMITS: ClientLimits = {
  answerMs: 11 * 60_000,
  bytesMax: 64 * 1024 * 1024,
  connectMs: 10_000,
  idleMs: 60_000,
};

type Dialled =
  | { readonly kind: "connected"; readonly socket: Socket }
  | { readonly isReached: boolean; readonly kind: "failed"; readonly why: Diagnostic };

export const httpClient = (given: ClientGiven): SendPort => {
  const { address, token, trust, version } = given;
  const limits = { ...LIMITS, ...given.limits };
  const server = address.origin;
  /** Who speaks plainly to a server with TLS is cut off without a word. */
  const spoken = address.isTls ? "tls" : "plain";

  const unreached = ({ isReached, why }: Extract<Dialled, { readonly kind: "failed" }>): NoReply => {
    const facts = { ...factsOfDiagnostic(why), server };
    return {
      isSent: false,
      kind: "none",
      refusal: isReached
        ? refuse("server-untrusted", { facts })
        : refuse("server-unreachable", { cause: spoken, facts }),
    };
  };
  const lost = (why: Diagnostic): NoReply => ({
    isSent: true,
    kind: "none",
    refusal: refuse("server-unreachable", { cause: spoken, facts: { ...factsOfDiagnostic(why), server } }),
  });
  const foreign = (refusal: Refusal): NoReply => ({ isSent: true, kind: "none", refusal });
  const tooLarge = (): Refusal =>
    refuse("server-answer", { cause: "too-large", facts: { bytesMax: limits.bytesMax, server } });
  const cutOff = (status: number): Refusal =>
    refuse("server-answer", { cause: "cut-off", facts: { httpStatus: status, server } });

  const dialServer = (signal?: AbortSignal): Promise<Dialled> =>
    address.isTls
      ? dial({ host: address.host, port: address.port, prefix: "" }, trust, limits.connectMs, signal)
      : dialPlain(address, limits.connectMs);

  const begin = (socket: Socket, { body, headers, method, path }: Outgoing): ClientRequest => {
    const outgoing = request({
      createConnection: () => socket,
      headers: {
        accept: "application/json, application/problem+json, application/x-ndjson, text/event-stream",
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        connection: "close",
        ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
        host: address.authority,
        "user-agent": `dedalus/${version}`,
      },
      method,
      path,
    });
    outgoing.end(body);
    return outgoing;
  };

  /** The head of the answer; whatever goes wrong from here on, the request may have been heard. */
  const answerTo = (outgoing: ClientRequest, signal?: AbortSignal): Promise<IncomingMessage | NoReply> =>
    new Promise((resolve) => {
      const settle = (reply: IncomingMessage | NoReply): void => {
        clearTimeout(timer);
        if ("kind" in reply) outgoing.destroy();
        resolve(reply);
      };
      const late = (): void => settle(lost(diagnostic("answer-timed-out", { facts: { ms: limits.answerMs } })));
      const timer = setTimeout(late, limits.answerMs);
      signal?.addEventListener("abort", () => settle(lost(diagnostic("request-aborted"))), { once: true });
      outgoing.on("error", (error: NodeJS.ErrnoException) =>
        settle(lost(diagnostic("connection-lost", { said: shownText(error.code ?? error.message) }))),
      );
      outgoing.once("response", settle);
    });

  const send = async (outgoing: Outgoing): Promise<NoReply | WholeReply> => {
    const dialled = await dialServer();
    if (dialled.kind === "failed") return unreached(dialled);
    try {
      const answer = await answerTo(begin(dialled.socket, outgoing));
      return "kind" in answer ? answer : await collect(answer);
    } finally {
      dialled.socket.destroy();
    }
  };

  const collect = async (answer: IncomingMessage): Promise<NoReply | WholeReply> => {
    const head = headOf(answer);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    answer.setTimeout(limits.idleMs, () => answer.destroy());
    try {
      for await (const chunk of answer as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes > limits.bytesMax) return foreign(tooLarge());
        chunks.push(chunk);
      }
    } catch {
      return foreign(cutOff(head.status));
    }
    return answer.complete ? { ...head, bytes: Buffer.concat(chunks), kind: "whole" } : foreign(cutOff(head.status));
  };

  const stream = async (outgoing: Outgoing, signal?: AbortSignal): Promise<NoReply | StreamedReply> => {
    const dialled = await dialServer(signal);
    if (dialled.kind === "failed") return unreached(dialled);
    const answer = await answerTo(begin(dialled.socket, outgoing), signal);
    if ("kind" in answer) return answer;
    answer.setTimeout(limits.idleMs, () => answer.destroy());
    return { ...headOf(answer), bytes: streamed(answer, signal), kind: "stream" };
  };

  async function* streamed(answer: IncomingMessage, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const end = (): void => void answer.destroy();
    signal?.addEventListener("abort", end, { once: true });
    try {
      for await (const chunk of answer as AsyncIterable<Uint8Array>) yield chunk;
      if (!answer.complete && signal?.aborted !== true) throw new ReplyCut(cutOff(answer.statusCode ?? 0));
    } catch (error) {
      if (signal?.aborted === true) return;
      throw error instanceof ReplyCut ? error : new ReplyCut(cutOff(answer.statusCode ?? 0));
    } finally {
      answer.destroy();
    }
  }

  return { send, server, stream };
};

const headOf = ({ headers, statusCode = 0 }: IncomingMessage): ReplyHead => ({
  header: (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  },
  status: statusCode,
});

/** A server on this machine; never rejects. */
const dialPlain = ({ host, port }: ServerAddress, connectMs: number): Promise<Dialled> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (dialled: Dialled): void => {
      clearTimeout(timer);
      if (dialled.kind === "failed") socket.destroy();
      resolve(dialled);
    };
    const late = (): void =>
      settle({ isReached: false, kind: "failed", why: diagnostic("connect-timed-out", { facts: { ms: connectMs } }) });
    const timer = setTimeout(late, connectMs);
    // It stays: what a dying socket still has to say is of no use to anybody.
    socket.on("error", (error) => settle({ isReached: false, kind: "failed", why: whyNotConnected(error) }));
    socket.once("connect", () => settle({ kind: "connected", socket }));
  });
