// How an installation begins with a Proxmox VE: its certificate, and its section of dedalus.yaml with comments for
// people.
//
// Not here: what every environment has (cli/commands/init-templates.ts).

import type { Beginning } from "../descriptor.ts";
import { fetchFingerprint } from "./api/shown-certificate.ts";

export const PROXMOX_BEGINNING: Beginning = {
  certificateAt: fetchFingerprint,
  comparedWith: "pvenode cert info",
  example: [
    "adapter: proxmox",
    "url: https://pve1.example:8006",
    'tls: { verify: system }   # or { verify: ca, file: pve-root-ca.pem }, or { verify: pinned, sha256: "AB:CD:..." }',
    "credentials:",
    "  observe: { env: CLUSTER_OBSERVE_TOKEN }   # a token that can only read",
    "  apply: { file: secrets/cluster-apply }    # another token, mode 0600; leave it out to observe only",
  ],
  section: ({ apply, observe, sha256, url }) => [
    "adapter: proxmox",
    `url: ${url}`,
    "# The certificate that was confirmed; when the provider gets another one, nothing is sent until it stands here.",
    `tls: { verify: pinned, sha256: "${sha256}" }`,
    "credentials:",
    `  observe: { env: ${observe} }   # a token that can only read: USER@REALM!NAME=SECRET`,
    apply === undefined
      ? "  # apply: { env: NAME }   # another token, to apply; without one this environment is only observed"
      : `  apply: { env: ${apply} }   # another token, used for applying alone`,
  ],
  tokenForm: "USER@REALM!NAME=SECRET",
};
