// What an agent's program needs of a client, whichever revision of the protocol it speaks, and what a tool's reply is:
// an answer, or refusals as data. Nothing here reads a sentence.

/** Where the tools are: at the service itself, or behind a program that is spoken to by its pipes. */
export type Door =
  | { readonly kind: "http"; readonly token: string; readonly url: string }
  | { readonly argv: readonly string[]; readonly kind: "stdio"; readonly env: Readonly<Record<string, string>> };

export type Deciding = { readonly approvals: number; readonly status: string; readonly url?: string };
export type ToolRefusal = { readonly cause?: string; readonly code: string; readonly rule: string };
export type ToolReply =
  | {
      readonly kind: "answer";
      readonly answer: Readonly<Record<string, unknown>>;
      /** Who must decide, and where: of a request for an approval. */
      readonly decide?: Deciding;
      readonly record?: number;
      readonly replayed: boolean;
    }
  | { readonly kind: "refused"; readonly leaves: readonly string[]; readonly refusals: readonly ToolRefusal[] };

export type ToolCaller = {
  readonly call: (name: string, given: object) => Promise<ToolReply>;
  readonly close: () => Promise<void>;
  /** The revision that both sides agreed on. */
  readonly revision: () => string | undefined;
  readonly tools: () => Promise<readonly string[]>;
};

/** Shows a person an address. What they do there is not for the agent to know, and no answer of theirs is passed on. */
export type ShowPage = (url: string) => void;

export type CallerGiven = {
  readonly door: Door;
  /** Left out by a client that cannot open an address. */
  readonly showPage?: ShowPage;
};

export const CLIENT_INFO = { name: "dedalus-mcp-client", version: "1.0.0" };

type Structured = {
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly decide?: Deciding;
  readonly leaves?: readonly string[];
  readonly record?: number;
  readonly refused?: { readonly refusals: readonly ToolRefusal[] };
  readonly replayed?: boolean;
};
type Result = { readonly isError?: boolean | undefined; readonly structuredContent?: unknown };

export const replyOf = (name: string, { isError = false, structuredContent }: Result): ToolReply => {
  const { answer, decide, leaves = [], record, refused, replayed = false } = Object(structuredContent) as Structured;
  if (isError && refused !== undefined) return { kind: "refused", leaves, refusals: refused.refusals };
  if (isError || answer === undefined) throw new Error(`${name} gave neither an answer nor a refusal`);
  const beside = { ...(decide === undefined ? {} : { decide }), ...(record === undefined ? {} : { record }) };
  return { answer, kind: "answer", replayed, ...beside };
};
