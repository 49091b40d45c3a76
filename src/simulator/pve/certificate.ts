// The simulator's own certificate: self-signed, Ed25519, made from the scenario's seed.
//
// The same seed gives the same certificate, so a pin that was written down stays right. The key is as public as the
// seed is: it proves nothing about anybody, and the server listens on the loopback address only.

import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { instantOf } from "../../spine/values/instant.ts";
import {
  bitString,
  boolean,
  context,
  contextBytes,
  integer,
  objectId,
  octetString,
  sequence,
  setOf,
  utcTime,
  utf8,
} from "./der.ts";

export type Certificate = {
  readonly cert: string; // PEM
  readonly key: string; // PEM
  /** SHA-256 of the certificate, as Proxmox VE writes it. */
  readonly fingerprint: string;
};
export type CertificateWords = {
  readonly seed: number;
  readonly node: string;
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
};

const ED25519 = sequence(objectId("1.3.101.112"));
const NOT_BEFORE_MS = 1_577_836_800_000; // 2020-01-01
const NOT_AFTER_MS = 2_524_521_600_000; // 2049-12-31

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END ${label}-----\n`;

const timeOf = (ms: number): Buffer => utcTime(`${instantOf(ms).replace(/\D/g, "").slice(2, 14)}Z`);

const nameOf = (node: string): Buffer => sequence(setOf(sequence(objectId("2.5.4.3"), utf8(`${node} (simulated)`))));

const extension = (id: string, content: Buffer, isCritical = false): Buffer =>
  sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octetString(content));

const alternatives = (node: string): Buffer =>
  sequence(
    contextBytes(2, Buffer.from("localhost")),
    contextBytes(2, Buffer.from(node)),
    contextBytes(7, Buffer.from([127, 0, 0, 1])),
    contextBytes(7, Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
  );

export const fingerprintOf = (bytes: Uint8Array): string =>
  (createHash("sha256").update(bytes).digest("hex").toUpperCase().match(/../g) ?? []).join(":");

/** The DER form of a raw Ed25519 private key. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

export const makeCertificate = ({ node, notAfterMs, notBeforeMs, seed }: CertificateWords): Certificate => {
  const secret = createHash("sha256").update(`dedalus simulator ${seed} ${node}`).digest();
  const key = createPrivateKey({ format: "der", key: Buffer.concat([PKCS8_HEAD, secret]), type: "pkcs8" });
  const publicInfo = createPublicKey(key).export({ format: "der", type: "spki" });
  const serial = createHash("sha256").update(publicInfo).digest().subarray(0, 16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const name = nameOf(node);
  const body = sequence(
    context(0, integer(Buffer.from([2]))),
    integer(serial),
    ED25519,
    name,
    sequence(timeOf(notBeforeMs ?? NOT_BEFORE_MS), timeOf(notAfterMs ?? NOT_AFTER_MS)),
    name,
    publicInfo,
    context(
      3,
      sequence(
        extension("2.5.29.19", sequence(boolean(true)), true),
        extension("2.5.29.14", octetString(createHash("sha1").update(publicInfo).digest())),
        extension("2.5.29.17", alternatives(node)),
      ),
    ),
  );
  const whole = sequence(body, ED25519, bitString(sign(null, body, key)));
  return {
    cert: pem("CERTIFICATE", whole),
    fingerprint: fingerprintOf(whole),
    key: key.export({ format: "pem", type: "pkcs8" }).toString(),
  };
};
