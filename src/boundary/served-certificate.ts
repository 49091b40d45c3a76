// The certificate that a service shows and its key, read and examined as whoever serves with them does: at the start,
// when they are read again, and by doctor before that.
//
// keeps B4, B5: a pair that does not fit is not served with, nor a key that others can read. Not here: how it is served
// with (http/listener.ts).

import { resolve } from "node:path";
import type { ServiceTls } from "../formats/dedalus/dedalus-service.ts";
import { readText } from "../service/named-file.ts";
import type { CertificateRead, Ports } from "../service/ports.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { certificateFlaw } from "./http/listener.ts";

export const readServedCertificate = (
  home: string,
  { certificate: file, key }: ServiceTls,
  secret: Ports["serviceSecret"],
): CertificateRead => {
  const certificate = readText(home, resolve(home, file));
  if (certificate.kind === "bad") return certificate;
  const keyText = readText(home, resolve(home, key));
  if (keyText.kind === "bad") return keyText;
  const value = { cert: certificate.value, key: keyText.value };
  const flaw = certificateFlaw(value);
  if (flaw !== undefined) {
    const { cause, said } = flaw;
    return { kind: "bad", problems: [refuse("certificate-unusable", { cause, facts: { file } })], said };
  }
  const refused = secret({ file: key }, home);
  return typeof refused === "string" ? { kind: "ok", value } : { kind: "bad", problems: [refused] };
};
