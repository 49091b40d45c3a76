// An extension of pi's coding agent: the tools of Dedalus, at the service of DEDALUS_SERVER as the agent of
// DEDALUS_TOKEN.
//
//   pi --extension dedalus-extension.ts

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { connectDedalus } from "./dedalus-tools.ts";

const given = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const register = async (pi: ExtensionAPI): Promise<void> => {
  let showPage = (url: string): void => void process.stderr.write(`A person decides at ${url}\n`);
  pi.on("session_start", (_, { hasUI, ui }) => {
    if (hasUI) showPage = (url) => ui.notify(`A person decides at ${url}`, "info");
  });
  const { close, tools } = await connectDedalus({
    server: given("DEDALUS_SERVER"),
    showPage: (url) => showPage(url),
    token: given("DEDALUS_TOKEN"),
  });
  pi.on("session_shutdown", close);
  for (const tool of tools) pi.registerTool(tool);
};

// biome-ignore lint/style/noDefaultExport: pi takes an extension by its default export alone.
export default register;
