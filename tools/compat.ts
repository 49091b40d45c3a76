// make compat: the simulator against recordings of a real Proxmox VE, exchange by exchange, and under clients of
// others.
//
// Exit 0 when every exchange is alike or its difference is known and explained and every client is content, 1 when one
// is not, 2 when there is nothing to compare with or a client is not installed.

import { runClients } from "./compat/clients.ts";
import { KNOWN, reasonFor } from "./compat/known.ts";
import { recordingsIn } from "./compat/recording.ts";
import { type Played, playAll } from "./compat/replay.ts";

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const tableOf = (played: readonly Played[]): readonly string[] => {
  const names = [...new Set(played.map(({ recording }) => recording))];
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => {
    const mine = played.filter(({ recording }) => recording === name);
    const known = mine.filter(
      ({ differences }) => differences.length > 0 && differences.every((one) => reasonFor(name, one) !== undefined),
    );
    const unknown = mine.filter(({ differences }) => differences.some((one) => reasonFor(name, one) === undefined));
    const alike = mine.length - known.length - unknown.length;
    return `${name.padEnd(width)}  ${`${alike}`.padStart(4)} alike  ${`${known.length}`.padStart(3)} known  ${`${unknown.length}`.padStart(3)} different`;
  });
};

const compare = async (folder: string): Promise<number> => {
  const played = await playAll(recordingsIn(folder));
  for (const line of tableOf(played)) say(line);
  const all = played.flatMap((one) => one.differences.map((difference) => ({ ...one, difference })));
  const used = new Set(all.map(({ difference, recording }) => reasonFor(recording, difference)));
  for (const { asked, difference, exchange, recording } of all) {
    if (reasonFor(recording, difference) === undefined)
      say(`${recording} ${exchange}: ${asked}\n  ${difference.at} ${difference.what}`);
  }
  for (const { reason } of KNOWN) if (used.has(reason)) say(`known: ${reason}`);
  const unknown = all.filter(({ difference, recording }) => reasonFor(recording, difference) === undefined);
  const different = new Set(unknown.map(({ exchange, recording }) => `${recording} ${exchange}`)).size;
  say(`${played.length} exchanges, ${different} different`);
  return played.length === 0 ? 2 : different === 0 ? 0 : 1;
};

const clients = async (): Promise<number> => {
  const runs = await runClients();
  for (const { name, said, status } of runs) {
    say(`${name.padEnd(20)} ${status}`);
    if (status !== "passed") say(said.trimEnd());
  }
  if (runs.some(({ status }) => status === "failed")) return 1;
  return runs.every(({ status }) => status === "passed") ? 0 : 2;
};

const folder = process.env["PVE_RECORDINGS"];
if (folder === undefined || folder === "") {
  say(
    "PVE_RECORDINGS names no folder; make compat PVE_RECORDINGS=DIR plays every recording in it against the simulator",
  );
  process.exitCode = 2;
} else {
  const codes = [await compare(folder), await clients()];
  process.exitCode = codes.includes(1) ? 1 : Math.max(...codes);
}
