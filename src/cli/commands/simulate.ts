// dedalus simulate: a simulated Proxmox VE on the loopback address, until somebody ends it with Ctrl-C.
//
// It says how to reach it, then, with --follow, each request as it is answered. Under --json each of these is a value
// on a line of its own, because there is no end. The tokens of a scenario are printed: they open nothing that exists.

import { parseScenario, type ScenarioFile } from "../../formats/scenario/scenario-yaml.ts";
import { readText } from "../../service/named-file.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { visible } from "../../spine/values/invisible.ts";
import { present } from "../../spine/values/present.ts";
import { type Answered, type Simulated, simulate } from "../../wire.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { writeWhole } from "../files/files.ts";
import { findOutInTheWay } from "../files/out-file.ts";
import type { Stream, View } from "../outcome.ts";
import { counted } from "../views/counted.ts";
import { fingerprintLines } from "../views/fingerprint.ts";

export const run: CommandRun = async (given, io) => {
  const port = portOf(given.text.get("port"));
  if (port === undefined) {
    const facts = { argument: "--port", least: 1, most: PORT_MAX };
    return badInput([refuse("usage", { cause: "not-in-range", facts })]);
  }
  const file = given.text.get("scenario") ?? "";
  const text = readText(io.folder, file);
  const parsed = text.kind === "ok" ? parseScenario(text.value, file) : text;
  if (parsed.kind === "bad") return badInput(parsed.problems);
  const ca = given.text.get("ca");
  const obstacle = ca === undefined ? undefined : findOutInTheWay(given, io, ca, isCertificate);
  if (obstacle !== undefined) return badInput([obstacle]);
  const requests = queueOf<Answered>();
  const isFollowed = given.flags.has("follow");
  const simulated = await simulate(parsed.value, port, isFollowed ? requests.put : () => undefined);
  if ("code" in simulated) return badInput([simulated]);
  const unwritten = ca === undefined ? undefined : writeWhole(io.folder, ca, simulated.ca, isCertificate);
  if (unwritten !== undefined) {
    await simulated.stop();
    return badInput([unwritten]);
  }
  const stop = io.interrupted();
  const stream: Stream = async function* (view) {
    try {
      yield startText(view, parsed.value, simulated, ca);
      for await (const answered of requests.until(stop)) yield answeredText(view, answered);
      return "done";
    } finally {
      await simulated.stop();
    }
  };
  return { exit: "done", json: null, stream, text: () => [] };
};

const PORT_MAX = 65_535;

/** Zero lets the system choose. */
const portOf = (word: string | undefined): number | undefined => {
  if (word === undefined) return 0;
  return /^[1-9][0-9]{0,4}$/.test(word) && Number(word) <= PORT_MAX ? Number(word) : undefined;
};

/** An earlier certificate may be replaced; anything else that stands at --ca was not meant. */
const isCertificate = (text: string): boolean => text.startsWith("-----BEGIN CERTIFICATE-----");

const startText = (view: View, file: ScenarioFile, { fingerprint, url }: Simulated, ca: string | undefined): string => {
  const tokens = file.tokens.map(({ id, secret }) => `${id}=${secret}`);
  if (view.kind === "json") {
    return `${JSON.stringify({ ...present({ ca }), credentials: tokens, fingerprint, kind: "started", url })}\n`;
  }
  const { bold, dim } = view.style;
  return [
    `${bold(url)}  Proxmox VE ${file.pve}, simulated: ${counted(file.nodes.length, "node")}, ${counted(file.guests.length, "guest")}`,
    ...fingerprintLines("fingerprint ", fingerprint, view.style.width),
    `certificate ${ca === undefined ? "not written; --ca FILE writes it" : visible(ca)}`,
    ...tokens.map((token) => `token ${visible(token)}`),
    dim("The tokens are the scenario's, and open nothing that exists. Ctrl-C stops the simulator; nothing is kept."),
    "",
  ].join("\n");
};

const answeredText = (view: View, answered: Answered): string => {
  const { method, path, status } = answered;
  if (view.kind === "json") {
    return `${JSON.stringify({ ...present({ httpStatus: status }), kind: "answered", method, path })}\n`;
  }
  return `${status ?? "lost"} ${visible(`${method} ${path}`)}\n`;
};

type Queue<T> = { readonly put: (value: T) => void; readonly until: (stop: AbortSignal) => AsyncGenerator<T> };

/** What was put, in order, as soon as somebody takes it; ends when the signal aborts. */
const queueOf = <T>(): Queue<T> => {
  const waiting: T[] = [];
  let wake = (): void => undefined;
  return {
    put: (value) => {
      waiting.push(value);
      wake();
    },
    until: async function* (stop) {
      stop.addEventListener("abort", () => wake(), { once: true });
      while (!stop.aborted) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
};
