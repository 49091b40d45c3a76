// Where a command asks: at the ledger of a dedalus.yaml, or at a service. Whatever is said nearer to the command wins:
// an option, then a variable of the shell, then the dedalus.yaml of this folder or above it, then client.yaml.
//
// A service and a configuration that are named in the same way are two places, and refused. client.yaml says how its
// server is verified; every other server is verified by the authorities of this machine. keeps B4

import { join } from "node:path";
import { findClientFolder, readConfigPath, readServerUrl } from "../../config.ts";
import { type ClientConfig, parseClientConfig } from "../../formats/client/client-yaml.ts";
import { type ServerAddress, serverAddressIn } from "../../formats/client/server-address.ts";
import type { Tls } from "../../formats/dedalus/dedalus-guards.ts";
import type { Parsed, Problem } from "../../formats/problem.ts";
import { isThere } from "../../ledger/files/text-file.ts";
import { readText } from "../../service/named-file.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Arguments } from "../command.ts";
import type { Io } from "../process/io.ts";
import { hasConfig } from "./find-config.ts";

const CLIENT_FILE = "client.yaml";

export type ServerNamed = {
  readonly address: ServerAddress;
  /** The folder that a path of `tls` is read from. */
  readonly home: string;
  readonly tls: Tls;
};

export type AskedPlace =
  | { readonly kind: "local" }
  | { readonly kind: "remote"; readonly server: ServerNamed }
  | { readonly kind: "bad"; readonly problems: readonly (Problem | Refusal)[] };

const LOCAL: AskedPlace = { kind: "local" };
const bad = (...problems: readonly Refusal[]): AskedPlace => ({ kind: "bad", problems });

export const findPlace = (given: Arguments, io: Io): AskedPlace => {
  const [option, config] = [given.text.get("server"), given.text.get("config")];
  if (option !== undefined && config !== undefined) return bad(twoPlaces("--server", "--config"));
  if (option !== undefined) return placeAt("--server", option, io);
  if (config !== undefined) return LOCAL;
  const [variable, file] = [readServerUrl(), readConfigPath()];
  if (variable !== undefined && file !== undefined) return bad(twoPlaces("DEDALUS_SERVER", "DEDALUS_CONFIG"));
  if (variable !== undefined) return placeAt("DEDALUS_SERVER", variable, io);
  if (hasConfig(given, io)) return LOCAL;
  const client = readClientFile(io);
  if (client === undefined) return LOCAL;
  return client.kind === "bad" ? client : placeIn(client.value);
};

const twoPlaces = (argument: string, other: string): Refusal =>
  refuse("usage", { cause: "not-together", facts: { argument, other } });

const placeAt = (argument: string, text: string, io: Io): AskedPlace => {
  const address = serverAddressIn(text);
  if (address === "plain") return bad(refuse("tls-off", { cause: "server" }));
  if (address === "form") return bad(refuse("usage", { cause: "not-a-server", facts: { argument } }));
  const client = readClientFile(io);
  if (client?.kind === "bad") return client;
  const tls = client?.value.server === address.origin ? client.value.tls : ({ verify: "system" } as const);
  return { kind: "remote", server: { address, home: findClientFolder(), tls } };
};

const placeIn = ({ server, tls }: ClientConfig): AskedPlace => {
  const address = serverAddressIn(server);
  if (typeof address === "string") throw new Error("the file was read with the same rule");
  return { kind: "remote", server: { address, home: findClientFolder(), tls } };
};

const readClientFile = (io: Io): Parsed<ClientConfig> | undefined => {
  const file = join(findClientFolder(), CLIENT_FILE);
  if (!isThere(file)) return undefined;
  const text = readText(io.folder, file);
  return text.kind === "ok" ? parseClientConfig(text.value, file) : text;
};
