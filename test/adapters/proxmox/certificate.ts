// Certificates for the tests: made on the spot from fresh keys, for loopback only, with the dates that a test asks for.
//
// A few lines of DER, because the platform reads X.509 and does not write it.

import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";

export type Certificate = { readonly cert: string; readonly fingerprint: string; readonly key: string };
type Options = {
  readonly from?: string; // YYMMDD
  readonly until?: string;
  readonly issuer?: Authority;
};
export type Authority = Certificate & { readonly name: string };

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128
      ? Buffer.from([body.length])
      : body.length < 256
        ? Buffer.from([0x81, body.length])
        : Buffer.from([0x82, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(text)))));
const dayOf = (day: string): Buffer => der(0x17, Buffer.from(`${day}000000Z`));
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value));

/** localhost, 127.0.0.1 */
const LOOPBACK = sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
const IS_AUTHORITY = sequence(der(0x01, Buffer.from([0xff])));

const made = (
  name: string,
  isAuthority: boolean,
  { from = "200101", issuer, until = "491231" }: Options,
): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signer: KeyObject = issuer === undefined ? privateKey : createPrivateKey(issuer.key);
  const serial = Buffer.concat([Buffer.from([1]), publicKey.export({ format: "der", type: "spki" }).subarray(-8)]);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_SHA256,
    nameOf(issuer?.name ?? name),
    sequence(dayOf(from), dayOf(until)),
    nameOf(name),
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, sequence(isAuthority ? extension("551d13", IS_AUTHORITY) : extension("551d11", LOOPBACK))),
  );
  const whole = sequence(body, ECDSA_SHA256, der(0x03, Buffer.from([0]), sign("sha256", body, signer)));
  const cert = `-----BEGIN CERTIFICATE-----\n${whole.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
  return {
    cert,
    fingerprint: new X509Certificate(cert).fingerprint256,
    key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
  };
};

export const authority = (): Authority => ({ ...made("test authority", true, {}), name: "test authority" });
export const certificate = (options: Options = {}): Certificate => made("test place", false, options);
