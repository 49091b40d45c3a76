// The words of what an examination of Proxmox VE finds. Sentences for people: nothing is decided or recognised by them.

import type { ExaminationWords } from "../examination.ts";

export const PROXMOX_WORDS = {
  checks: {
    "apply-rights": "rights to act",
    "apply-token": "apply token",
    clock: "clock",
    "observe-rights": "rights to observe",
    "observe-token": "observe token",
    protected: "protected VMs",
    tls: "TLS",
    version: "version",
  },
  found: {
    "actions-missing": "not everywhere: {actions}; missing: {missing:@ on }",
    "actions-taken": "not everywhere: {actions}; missing: {missing:@ on }; taken away by NoAccess of {denied:@ on }",
    "actions-whole": "every action on every desired VM",
    "certificate-of-authority": "verified by the authority that is named",
    "certificate-of-system": "verified by the system's authorities",
    "certificate-other": "its certificate is not the pinned one; it shows {shown}",
    "certificate-pinned": "it is the pinned certificate",
    "clock-ahead": "{apart} s ahead of ours; up to {allowed} s is allowed",
    "clock-behind": "{apart} s behind ours; up to {allowed} s is allowed",
    "clock-not-shown": "its answers carry no date",
    "clock-same": "the same as ours, to {within} s",
    "not-connected": "there is no verified connection",
    "protected-left-out": "{vms} protected, not asked about",
    "rights-beyond": "the token that only observes has {count:right|rights} beyond that on {path}: {examples}",
    "rights-missing": "missing: {missing:@ on }",
    "rights-taken": "missing: {missing:@ on }; taken away by NoAccess of {denied:@ on }",
    "rights-whole": "every desired VM may be seen, and nothing may be changed",
    "token-absent": "none: this environment can only be observed",
    "token-accepted": "{token} is accepted",
    "token-malformed": "the secret is not a token",
    "token-not-accepted": "{token} is not accepted",
    "token-shared": "it is the token that observes",
    "version-not-shown": "it does not say which",
    "version-supported": "Proxmox VE {version}",
    "version-unsupported": "Proxmox VE {version}",
  },
  next: {
    "certificate-other":
      "Compare with the node itself: openssl x509 -noout -fingerprint -sha256 -in /etc/pve/local/pve-ssl.pem (or pveproxy-ssl.pem, if there is one). If it is the same and its change is explained, write it as the pin.",
    "clock-ahead": "Synchronise both clocks.",
    "clock-behind": "Synchronise both clocks.",
    "clock-not-shown": "Compare the clocks by hand.",
    "not-connected": "Check the url and tls of this environment.",
    "rights-beyond": "Take the other roles from this token, so that observing cannot change anything.",
    "token-malformed": "Store an API token written as user@realm!name=UUID.",
    "token-not-accepted":
      "Check that the token exists, has not expired, and that its secret is the one that PVE showed when it was made.",
    "token-shared": "Make a second token, so that observing has no power.",
    "version-not-shown": "This adapter is made for Proxmox VE {supported}.",
    "version-unsupported": "This adapter is made for Proxmox VE {supported}.",
  },
} as const satisfies ExaminationWords;
