// What a door answers by itself, as paths of the OpenAPI file: health, events, numbers, one record.

import { DOOR_ROUTES } from "../../src/boundary/contract/door-routes.ts";
import { COUNT, described, type JsonSchema, objectOf, TEXT, TRUE } from "../answers/json-schema.ts";
import type { Components } from "./components.ts";
import { headersOf } from "./reply-headers.ts";

type DoorOperation = keyof typeof DOOR_ROUTES;

export const AT_LEAST: JsonSchema = {
  description: "A record that the answer must include; it is waited for, a few seconds at most.",
  in: "query",
  name: "at-least",
  schema: { minimum: 0, type: "integer" },
};

const PARAMETERS: { readonly [K in DoorOperation]?: readonly JsonSchema[] } = {
  events: [
    {
      description: "Only those of this environment, for whoever has a role there; without it, all of them.",
      example: "home",
      in: "query",
      name: "environment",
      schema: TEXT,
    },
    {
      description: "The first record; without it, from now on.",
      in: "query",
      name: "from",
      schema: { minimum: 0, type: "integer" },
    },
    { description: "The last record that was seen.", in: "header", name: "Last-Event-ID", schema: TEXT },
  ],
  record: [{ example: 0, in: "path", name: "seq", required: true, schema: { minimum: 0, type: "integer" } }, AT_LEAST],
};

const MODES = { additionalProperties: COUNT, type: "object" };
const POSTURE: Readonly<Record<string, JsonSchema>> = {
  approvalModes: described("How many environments have which approval mode.", MODES),
  blockedVms: described("VMs whose outcome is unknown.", COUNT),
  contract: described("The digest of the contract.", TEXT),
  engine: described("The engine that keeps the ledger.", TEXT),
  freezes: described("How many freezes hold.", COUNT),
  openIntents: described("How many intents have not ended.", COUNT),
  ready: described("That it can serve; otherwise there is a problem.", TRUE),
  rules: described("The version of the rules.", COUNT),
  size: described("How many records the ledger has.", COUNT),
};

type Content = (refTo: Components["refTo"]) => readonly [type: string, schema: JsonSchema];

const CONTENT: Readonly<Record<DoorOperation, Content>> = {
  alive: () => ["application/json", objectOf({ alive: TRUE }, "alive")],
  described: () => ["application/openapi+json", { additionalProperties: true, type: "object" }],
  events: () => ["text/event-stream", TEXT],
  metrics: () => ["text/plain", TEXT],
  ready: () => ["application/json", objectOf(POSTURE, ...Object.keys(POSTURE))],
  record: (refTo) => ["application/json", refTo("record")],
};

const pathOf = (operation: DoorOperation, { refTo }: Components): readonly [string, JsonSchema] => {
  const { isOpen, path, summary } = DOOR_ROUTES[operation];
  const [type, schema] = CONTENT[operation](refTo);
  const get = {
    operationId: operation,
    parameters: PARAMETERS[operation] ?? [],
    responses: {
      200: {
        content: { [type]: { schema } },
        description: summary,
        headers: headersOf("Dedalus-Correlation-Id", ...(operation === "record" ? ["ETag"] : [])),
      },
      default: { $ref: "#/components/responses/Problem" },
    },
    ...(isOpen ? { security: [] } : {}),
    summary,
  };
  return [path, { get }];
};

export const doorPaths = (parts: Components): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries((Object.keys(DOOR_ROUTES) as DoorOperation[]).map((operation) => pathOf(operation, parts)));
