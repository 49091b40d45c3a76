// What a remote service is given: one way to send a request to the one service that is configured, and what came of it.
//
// Whoever sends verifies the server, adds the credential, bounds time and size, and follows no redirect
// (boundary/client/); nothing of HTTP but methods, paths, headers and bytes is known here. Nothing is sent twice by it.

import type { Refusal } from "../../spine/model.ts";

export type Outgoing = {
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: "GET" | "POST";
  /** With its query, from /v1 on. */
  readonly path: string;
};

/** `isSent` is false only where it is certain that not a byte of the request has left. */
export type NoReply = { readonly isSent: boolean; readonly kind: "none"; readonly refusal: Refusal };

export type ReplyHead = {
  /** By its name in small letters. */
  readonly header: (name: string) => string | undefined;
  readonly status: number;
};

export type WholeReply = ReplyHead & { readonly bytes: Uint8Array; readonly kind: "whole" };

/** The bytes of a body as they come; what is cut off throws `ReplyCut`, and whoever leaves ends the connection. */
export type StreamedReply = ReplyHead & { readonly bytes: AsyncIterable<Uint8Array>; readonly kind: "stream" };

export type SendPort = {
  readonly send: (outgoing: Outgoing) => Promise<NoReply | WholeReply>;
  /** The origin of the service, as people are told of it. */
  readonly server: string;
  readonly stream: (outgoing: Outgoing, signal?: AbortSignal) => Promise<NoReply | StreamedReply>;
};

/** A body that ended before its end. */
export class ReplyCut extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}
