// A client of revision 2026-07-28: it asks who is there, keeps no session, and answers what a tool asks back by the
// handler below, within the same call.

import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type CallerGiven, CLIENT_INFO, type Door, replyOf, type ToolCaller } from "./tool-caller.ts";

const REVISION = "2026-07-28";

const transportTo = (door: Door): Transport => {
  if (door.kind === "http") {
    return new StreamableHTTPClientTransport(new URL(door.url), { authProvider: { token: async () => door.token } });
  }
  const [command = "", ...args] = door.argv;
  return new StdioClientTransport({ args, command, env: { ...door.env }, stderr: "inherit" });
};

export const connect20260728 = async ({ door, showPage }: CallerGiven): Promise<ToolCaller> => {
  const client = new Client(CLIENT_INFO, {
    capabilities: showPage === undefined ? {} : { elicitation: { url: {} } },
    versionNegotiation: { mode: { pin: REVISION } },
  });
  if (showPage !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (params.mode !== "url") return { action: "decline" };
      showPage(params.url);
      return { action: "accept" };
    });
  }
  await client.connect(transportTo(door));
  return {
    call: async (name, given) => replyOf(name, await client.callTool({ arguments: { ...given }, name })),
    close: () => client.close(),
    revision: () => client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
};
