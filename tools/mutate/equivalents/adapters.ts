// Equivalent mutants of the adapters; equivalent.ts says what a row is.

import type { Equivalent } from "../equivalent.ts";

export const ADAPTERS: readonly Equivalent[] = [
  {
    because: "Only a second reading of the same date is saved.",
    file: "src/adapters/proxmox/api/clocked-reader.ts",
    lineText: 'if (reply.kind !== "data" || reply.date === read) return reply;',
    original: 'reply.kind !== "data" || reply.date === read',
    replacement: '(reply.kind !== "data")',
  },
  {
    because: "A connection that idles for a millisecond more is seen by nobody.",
    file: "src/adapters/proxmox/api/kept-connections.ts",
    lineText: "const IDLE_MS = 2000;",
    original: "2000",
    replacement: "2001",
  },
  {
    because: "The request asked for the connection to be closed, and Node closes it when the answer has ended.",
    file: "src/adapters/proxmox/api/connection.ts",
    lineText: "socket.destroy();",
    nth: 1,
    original: "socket.destroy();",
    replacement: ";",
  },
  {
    because: "An answer has a status; the type does not know.",
    file: "src/adapters/proxmox/api/exchange.ts",
    lineText: "status: response.statusCode ?? 0,",
    original: "0",
    replacement: "1",
  },
  {
    because: "No certificate has an empty fingerprint, so nobody is connected to.",
    file: "src/adapters/proxmox/api/shown-certificate.ts",
    lineText: "dialled.socket.destroy();",
    original: "dialled.socket.destroy();",
    replacement: ";",
  },
  {
    because:
      "Node itself hands on no connection whose chain it could not verify; asked twice because everything rests on it.",
    file: "src/dial/trust.ts",
    lineText: "return socket.authorized",
    original: "socket.authorized",
    replacement: "true",
  },
  {
    because: "Node itself hands on no connection whose chain it could not verify.",
    file: "src/dial/trust.ts",
    lineText: ': { isReached: true, kind: "failed", why: diagnostic("certificate-unverified") };',
    original: "true",
    replacement: "false",
  },
  {
    because: "Every server shows a certificate under the ciphers that Node offers.",
    file: "src/dial/trust.ts",
    lineText: '? { isReached: true, kind: "failed", why: diagnostic("certificate-not-shown") }',
    original: "true",
    replacement: "false",
  },
  {
    because: "Clocks that are this far apart are not 0 apart.",
    file: "src/adapters/proxmox/examine/examine-cluster.ts",
    lineText:
      'return judged("clock", ahead > 0 ? "clock-ahead" : "clock-behind", { allowed: CLOCKS_APART_MAX_S, apart });',
    original: "ahead > 0",
    replacement: "ahead >= 0",
  },
  {
    because: "Clocks that are this far apart are not 1 apart.",
    file: "src/adapters/proxmox/examine/examine-cluster.ts",
    lineText:
      'return judged("clock", ahead > 0 ? "clock-ahead" : "clock-behind", { allowed: CLOCKS_APART_MAX_S, apart });',
    original: "0",
    replacement: "1",
  },
  {
    because: "PVE lists an entry once.",
    file: "src/adapters/proxmox/examine/no-access.ts",
    lineText: ".toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));",
    original: "orderOf(a) < orderOf(b)",
    replacement: "orderOf(a) <= orderOf(b)",
  },
  {
    because: "No two keys of an object are equal.",
    file: "src/adapters/proxmox/observe/permissions.ts",
    lineText: "Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));",
    original: "a < b",
    replacement: "a <= b",
  },
];
