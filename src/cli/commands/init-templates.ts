// The texts that init writes. A test reads them back through the parsers, so that they stay valid.

import type { Beginning } from "../../adapters/descriptor.ts";
import type { Provider } from "./init-from.ts";

/** Where the configuration below says that the key is. */
export const KEY_FILE = "keys/ledger.key";

export const desiredTemplate =
  (): string => `# What should run in one environment. What is not written here is out of scope: Dedalus never touches it.
version: 1
environment: home            # this file belongs to one environment; using it in another is refused

vms:
  # A VM is named by vmid and name; when they disagree with what is observed, it is left alone.
  - vmid: 101
    name: web-01
    target: running          # running or stopped
    cpus: 2                  # optional; a difference becomes a resize of its own
    memory: 2 GiB            # optional; KiB, MiB, GiB, TiB, or plain bytes

  # A VM that should be stopped says how; there is no default.
  - vmid: 102
    name: batch-01
    target: stopped
    stop: shutdown           # ask the guest; or power-off: cut its power

  # A protected VM may be started, resumed and snapshotted; nothing interrupts, changes or destroys it.
  # Names that begin with prod- and the tag prod protect a VM too.
  - vmid: 103
    name: ledger-db
    target: running
    protected: true
`;

const commonPart = (
  operator: string,
): string => `# How Dedalus runs here. Secrets are never written into this file, only where they are.
version: 1

# Who acts when no token is given. Every record names somebody.
operator: ${JSON.stringify(operator)}

# Where every decision is remembered.
ledger:
  engine: sqlite             # or postgres, with url: { env: NAME } or { file: PATH }; elsewhere also tls
  path: ledger/dedalus.db

# Signed checkpoints are appended here, outside the ledger; keep it on another disk or machine.
anchor: anchor/checkpoints.txt

# The file of the key that signs checkpoints, mode 0600; never the key itself.
signingKey: ${KEY_FILE}

`;

/** Below the name of an environment. */
const below = (lines: readonly string[]): string => lines.map((line) => `    ${line}\n`).join("");

const liveExample = ({ example }: Beginning): string => `
  # A live environment looks like this:
  # cluster:
${example.map((line) => `  #   ${line}\n`).join("")}  #   approval: single-operator # or four-eyes, which needs a second person and a running service
  #   maxObservationAge: 60 s   # how old an observation may be when a plan is made; apply observes again anyway
  #   desired: cluster-desired.yaml
`;

export const configTemplate = (
  operator: string,
  beginnings: readonly Beginning[],
): string => `${commonPart(operator)}environments:
  home:
    # replay plans from a recorded observation and can never apply.
    adapter: replay
    path: current.json
    approval: single-operator   # or four-eyes: another person approves; there is no default
    maxObservationAge: 5 min    # how old an observation may be when a plan is made; apply observes again anyway
    desired: desired.yaml
    # policy: policy.yaml       # optional: refuses actions, or asks for more agreement; it can only tighten
${beginnings.map(liveExample).join("")}`;

/** A live environment that works as it is: its certificate is pinned, and one operator may apply. */
export const liveTemplate = (
  operator: string,
  { at, beginning }: Provider,
): string => `${commonPart(operator)}environments:
  home:
${below(beginning.section(at))}    approval: single-operator   # or four-eyes, which needs a second person and a running service
    maxObservationAge: 5 min    # how old an observation may be when a plan is made; apply observes again anyway
    desired: desired.yaml
    # policy: policy.yaml       # optional: refuses actions, or asks for more agreement; it can only tighten
`;

/** What must not leave this machine with the configuration. */
export const GITIGNORE = `# The key that signs, secrets, and the ledger with its anchor do not belong in a repository.
/keys/
/secrets/
/ledger/
/anchor/
`;
