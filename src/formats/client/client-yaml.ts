// client.yaml: which service the command line asks, and how its certificate is verified. Read strictly and whole.
//
// It holds no token (B5) and has no way to say that a connection is not verified (B4). Not here: where the file is
// (cli/files/find-server.ts), the session of a sign-in, which is a file of its own.

import { isOrigin } from "../dedalus/dedalus-fields.ts";
import { MANNER, type Tls, tlsAt, verifiedAt } from "../dedalus/dedalus-guards.ts";
import { plainly } from "../expectation.ts";
import type { Parsed } from "../problem.ts";
import { fieldsAt, parseYaml, reportMissing, type Spot, type YamlReader } from "../yaml/yaml-reader.ts";
import { versionAt } from "../yaml/yaml-values.ts";

export type ClientConfig = { readonly server: string; readonly tls: Tls };

const REQUIRED = ["version", "server"];
const KEYS = [...REQUIRED, "tls"];
const ORIGIN = { expected: plainly("origin"), is: isOrigin };

export const parseClientConfig = (text: string, file: string): Parsed<ClientConfig> =>
  parseYaml(text, file, MANNER, readClientConfig);

const readClientConfig = (reader: YamlReader, root: Spot): ClientConfig | undefined => {
  const fields = fieldsAt(reader, root, KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, root, fields, REQUIRED);
  versionAt(reader, fields.get("version"));
  const server = verifiedAt(reader, fields.get("server"), ORIGIN);
  const tls = fields.has("tls") ? tlsAt(reader, fields.get("tls")) : ({ verify: "system" } as const);
  return server === undefined || tls === undefined ? undefined : { server, tls };
};
