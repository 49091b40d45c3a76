// Whatever was told, held against every secret: a leak is named by the secret's name and by where it was, and never
// shown itself.

export type Told = { readonly text: string; readonly where: string };

/** As it is, and as it would be found in an address, a header or a dump of bytes. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("base64url"),
  Buffer.from(secret).toString("hex"),
];

const SHORTEST = 8;

export const leaksIn = (told: readonly Told[], secrets: ReadonlyMap<string, string>): readonly string[] =>
  [...secrets].flatMap(([name, secret]) => {
    if (secret.length < SHORTEST) throw new Error(`${name} is too short to be looked for`);
    const forms = formsOf(secret);
    return told.filter(({ text }) => forms.some((form) => text.includes(form))).map(({ where }) => `${name}: ${where}`);
  });
