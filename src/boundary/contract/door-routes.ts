// What a door answers by itself, beside the operations of the service: what comes as it is recorded, one record,
// and what whoever runs it asks. Health needs no credential, and tells no name.

export type DoorRoute = {
  readonly isOpen: boolean;
  readonly method: "GET";
  readonly path: string;
  readonly summary: string;
};

export const DOOR_ROUTES = {
  alive: { isOpen: true, method: "GET", path: "/healthz", summary: "Whether the process lives." },
  described: { isOpen: true, method: "GET", path: "/openapi.json", summary: "This description." },
  events: { isOpen: false, method: "GET", path: "/v1/events", summary: "Records as they come (server-sent events)." },
  metrics: { isOpen: false, method: "GET", path: "/metrics", summary: "Numbers for Prometheus." },
  ready: { isOpen: true, method: "GET", path: "/readyz", summary: "Whether it can serve, and under which posture." },
  record: { isOpen: false, method: "GET", path: "/v1/records/{seq}", summary: "One record, as it was written." },
} as const satisfies Readonly<Record<string, DoorRoute>>;

/** Where agents ask, by a protocol that describes itself. */
export const AGENTS_ROUTE = { method: "POST", path: "/mcp" } as const;
