// Whatever was told, held against every secret: a leak is named by the secret's name and by where it was, and never
// shown itself.

/** `hands` are the secrets that it is there to hand over, by their names. */
export type Told = { readonly hands?: readonly string[]; readonly text: string; readonly where: string };

/** A text, or the bytes of a key. */
export type Secret = Uint8Array | string;

/** As it is, and as it would be found in an address, a header or a dump of bytes. */
export const formsOf = (secret: Secret): readonly string[] => {
  const bytes = Buffer.from(secret);
  return [
    typeof secret === "string" ? secret : bytes.toString("latin1"),
    ...(typeof secret === "string" ? [encodeURIComponent(secret)] : []),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
};

const SHORTEST = 8;

export const leaksIn = (told: readonly Told[], secrets: ReadonlyMap<string, Secret>): readonly string[] =>
  [...secrets].flatMap(([name, secret]) => {
    if (secret.length < SHORTEST) throw new Error(`${name} is too short to be looked for`);
    const forms = formsOf(secret);
    return told
      .filter(({ hands = [], text }) => !hands.includes(name) && forms.some((form) => text.includes(form)))
      .map(({ where }) => `${name}: ${where}`);
  });
