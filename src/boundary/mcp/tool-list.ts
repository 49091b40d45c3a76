// The list of tools as a client is given it: names, words, hints and the schemas of arguments come from the tables
// here, what is answered from the published schemas of answers.
//
// It is made once, as a file (schemas/mcp-tools.json), so that a change of it is seen in review. Not here: how a
// published schema becomes a short one (tools/mcp).

import type { Tool as ProtocolTool } from "@modelcontextprotocol/server";
import { TOOL_WORDS } from "./tool-words.ts";
import { TOOL_NAMES, TOOLS, type ToolHints, type ToolName, type ToolOperation } from "./tools.ts";

type OutputSchema = NonNullable<ProtocolTool["outputSchema"]>;
export type ListedTool = ProtocolTool & {
  readonly annotations: ToolHints;
  readonly name: ToolName;
  readonly outputSchema: OutputSchema;
};

export const listTools = (outputOf: (operation: ToolOperation) => OutputSchema): readonly ListedTool[] =>
  TOOL_NAMES.map((name) => {
    const { hints, input, operation } = TOOLS[name];
    return {
      name,
      ...TOOL_WORDS[name],
      annotations: hints,
      // Without what only the checker knows.
      inputSchema: JSON.parse(JSON.stringify(input)),
      outputSchema: outputOf(operation),
    };
  });

/** As it was written. */
export const toolsIn = (text: string): readonly ListedTool[] => {
  const { tools }: { readonly tools: readonly ListedTool[] } = JSON.parse(text);
  return tools;
};
