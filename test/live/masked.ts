// What differs between two tellings of the same story, taken out: ids and hashes are numbered in the order in which
// they come, times and places of records are none, and so is through which door a record came.

const numbered = (pattern: RegExp, prefix: string): ((text: string) => string) => {
  const known = new Map<string, string>();
  return (text) =>
    text.replaceAll(pattern, (found) => {
      const name = known.get(found) ?? `${prefix}${known.size + 1}`;
      known.set(found, name);
      return name;
    });
};

const WITHOUT: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, "TIME"],
  [/(?:just now|(?:in )?\d+ (?:s|min|h|d)(?: ago)?) \(TIME\)/g, "WHEN"],
  [/WHEN {2,}/g, "WHEN  "],
  [/TIME \((?:just now|\d+ (?:s|min|h|d) ago)\)/g, "TIME"],
  [/UPID:[^\s",]+/g, "TASK"],
  [/dedalus_[0-9a-z]{10}_[\w-]{43}/g, "TOKEN"],
  [/https?:\/\/127\.0\.0\.1:\d+/g, "ADDRESS"],
  [/\/tmp\/dedalus-[\w-]+/g, "FOLDER"],
  [/"ageSeconds":\d+/g, '"ageSeconds":0'],
  [/dedalus\/[0-9a-f]{16}\+[0-9a-f]{8}\+[\w+/=]+/g, "KEY"],
  [/ (?:--config|--server) \S+/g, ""],
  [/\btoken [0-9a-z]{10}\b/g, "token PUBLIC"],
  [/^[0-9a-z]{10}(?= {2})/gm, "PUBLIC    "],
  [/"(id|token)":"[0-9a-z]{10}"/g, '"$1":"PUBLIC"'],
  [/"tookMs":\d+/g, '"tookMs":0'],
  [/(?:[0-9A-F]{2}:){31}[0-9A-F]{2}/g, "FINGERPRINT"],
  [/"version":"[0-9.]+"/g, '"version":"V"'],
  // A question at a ledger is for the process that asked it; a service may be several.
  [/"here":true,/g, ""],
  // Of who asked for a plan it is told through which door.
  [/"door":"(?:local|service)",/g, ""],
];

/** A command is a process of its own at a ledger, and records that it started; a service does so once. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/\brecord \d+/g, "record N"],
  [/\b\d+ (records|signed checkpoints)\b/g, "N $1"],
  [/\b(the ledger has|size) \d+/g, "$1 N"],
  [/"(size|seq)":\d+/g, '"$1":0'],
  [/^(WHEN) +\d+ /gm, "$1  N "],
  [/^ +\d+( {2}[a-z][a-z.-]+ {2})/gm, "N$1"],
  [/, correlation ID\d+/g, ""],
  [/\b[0-9a-f]{12}\b/g, "SHORT"],
];

const replaced = (text: string, table: typeof WITHOUT): string =>
  table.reduce((told, [pattern, instead]) => told.replaceAll(pattern, instead), text);

const masking = (): ((text: string) => string) => {
  const ids = numbered(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, "ID");
  const hashes = numbered(/\b[0-9a-f]{64}\b/g, "HASH");
  return (text) => replaced(hashes(ids(replaced(text, WITHOUT))), PLACES);
};

export const masked = (texts: readonly string[]): readonly string[] => texts.map(masking());

type Told = { readonly [member: string]: unknown };

/** Of the place of a record in its ledger, of when and by which process it was made, and of its request's key. */
const OWN: readonly string[] = [
  ...["asked", "configHash", "correlationId", "eventTime", "idempotencyKey", "instance", "prev", "processTime", "seq"],
];
const OF_BODY: readonly string[] = ["door", "state"];

const without = (value: Told, names: readonly string[]): Told =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** That a process started is told by each command here, and by the service once. */
export const maskedRecords = (records: readonly Told[]): readonly string[] => {
  const mask = masking();
  return records
    .filter(({ kind }) => kind !== "start")
    .map((record) => mask(JSON.stringify({ ...without(record, OWN), body: without(Object(record["body"]), OF_BODY) })));
};
