// A client of revision 2025-11-25: it greets first, and is told by an error where a person must look.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { type CallerGiven, CLIENT_INFO, type Door, replyOf, type ToolCaller, type ToolReply } from "./tool-caller.ts";

const transportTo = (door: Door): Transport => {
  if (door.kind === "http") {
    const requestInit = { headers: { authorization: `Bearer ${door.token}` } };
    return new StreamableHTTPClientTransport(new URL(door.url), { requestInit }) as Transport;
  }
  const [command = "", ...args] = door.argv;
  return new StdioClientTransport({ args, command, env: { ...door.env }, stderr: "inherit" });
};

export const connect20251125 = async ({ door, showPage }: CallerGiven): Promise<ToolCaller> => {
  const capabilities = showPage === undefined ? {} : { elicitation: { url: {} } };
  const client = new Client(CLIENT_INFO, { capabilities });
  let revision: string | undefined;
  const transport = transportTo(door);
  const told = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    told?.(version);
  };
  await client.connect(transport);

  const call = async (name: string, given: object): Promise<ToolReply> => {
    try {
      return replyOf(name, Object(await client.callTool({ arguments: { ...given }, name })));
    } catch (error) {
      if (!(error instanceof UrlElicitationRequiredError) || showPage === undefined) throw error;
      for (const { url } of error.elicitations) showPage(url);
      return { answer: {}, kind: "answer", replayed: false };
    }
  };
  return {
    call,
    close: () => client.close(),
    revision: () => revision,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
};
