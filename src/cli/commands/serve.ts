// dedalus serve: this ledger over HTTP, until somebody ends it. It prints one line when it serves; log lines go to
// stderr.
//
// On this machine without TLS, elsewhere only with it. Told to end, what was sent is waited for; a second signal
// ends at once. Not here: what is served (boundary/).

import { resolve } from "node:path";
import { isListen, isLoopbackListen } from "../../formats/dedalus/dedalus-fields.ts";
import type { Config } from "../../formats/dedalus/dedalus-yaml.ts";
import { readText } from "../../service/named-file.ts";
import type { CertificateRead } from "../../service/ports.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { checkService, examinationWords, serveOverHttp, servicePorts } from "../../wire.ts";
import { refusedOutcome } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { readConfig } from "../files/find-config.ts";
import { readConsole, readMcpTools, readOpenapi, readOwnPackage } from "../files/own-files.ts";
import { configFiles, rereadFiles } from "../files/reread-config.ts";
import type { Outcome, Stream } from "../outcome.ts";
import { counted } from "../views/counted.ts";
import { toldFinding } from "../views/view-finding.ts";

const LISTEN = "127.0.0.1:7400";
/** Whichever port is free; the line that is printed says which. */
const ANY_PORT = "127.0.0.1:0";
const DRAIN_SECONDS = 30;

export const run: CommandRun = async (given, io) => {
  const configured = readConfig(given, io, false);
  if (configured.kind === "bad") return badInput(configured.problems);
  const { config, home } = configured.value;
  const listen = given.text.get("listen") ?? config.service?.listen ?? LISTEN;
  if (!isListen(listen) && listen !== ANY_PORT)
    return badInput([refuse("usage", { cause: "not-an-address", facts: { argument: "--listen" } })]);
  if (!isLoopbackListen(listen) && listen !== ANY_PORT && config.service?.tls === undefined) {
    return badInput([refuse("tls-off", { cause: "listen" })]);
  }
  if (given.flags.has("check")) return check(home, config, listen);
  const ports = servicePorts();
  const named = config.service?.tls;
  const readCertificate = async (): Promise<CertificateRead | undefined> =>
    named === undefined ? undefined : ports.servedCertificate(named, home);
  const tls = await readCertificate();
  if (tls?.kind === "bad") return badInput(tls.problems);
  const at = listen.lastIndexOf(":");
  const url = urlOf(config, listen);
  const serving = await serveOverHttp({
    approveCommand: (plan, step) => io.spell({ ask: "approve", with: { plan, step } }, { server: url }),
    configuration: configured.value,
    drainSeconds: config.service?.drainSeconds ?? DRAIN_SECONDS,
    findingWords: (finding) => {
      const { check, found, words } = toldFinding(finding, examinationWords);
      return { detail: found, title: check, ...present({ words }) };
    },
    host: listen.slice(0, at).replace(/^\[|\]$/g, ""),
    log: io.err,
    mcpTools: readMcpTools(),
    openapi: readOpenapi(),
    port: Number(listen.slice(at + 1)),
    ports: {
      ...ports,
      configured: rereadFiles(() => readConfig(given, io), configFiles),
      version: readOwnPackage().version,
    },
    ...present({ console: readConsole(), tls: tls?.value, url: config.service?.url }),
  });
  if ("refusals" in serving) return refusedOutcome(serving);
  const reload = async (): Promise<void> => {
    const read = await readCertificate();
    if (read !== undefined) serving.replaceCertificate(read);
  };
  const stop = io.serving?.(reload) ?? io.interrupted();
  const stream: Stream = async function* (view) {
    const { engine, size } = serving.posture;
    yield view.kind === "json"
      ? `${JSON.stringify({ engine, kind: "started", size, url: serving.url })}\n`
      : `${view.style.bold(serving.url)}  ${engine}, ${counted(size, "record")}, ${counted(config.environments.size, "environment")}${reachedText(serving.url, config.service?.url)}\n`;
    await ended(stop);
    const told = await serving.stop();
    return told.length === 0 ? "done" : "outcome";
  };
  return { exit: "done", json: null, stream, text: () => [] };
};

/** Where it listens is not always what people open. */
const reachedText = (listens: string, url: string | undefined): string =>
  url === undefined || url === listens ? "" : `, reached at ${url}`;

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resume) => {
    if (signal.aborted) resume();
    else signal.addEventListener("abort", () => resume(), { once: true });
  });

const urlOf = ({ service }: Config, listen: string): string => service?.url ?? `http://${listen}`;

/** The certificate alone is asked for: whoever checks need not have its key. */
const check = async (home: string, config: Config, listen: string): Promise<Outcome> => {
  const { tls, url } = config.service ?? {};
  const certificate = tls === undefined ? undefined : readText(home, resolve(home, tls.certificate));
  if (certificate?.kind === "bad") return badInput(certificate.problems);
  const kind = await checkService({ listen, ...present({ certificate: certificate?.value, url }) });
  if (kind === "certificate-malformed") {
    const facts = { file: tls?.certificate ?? "" };
    return badInput([refuse("certificate-unusable", { cause: "malformed", facts })]);
  }
  const shown = urlOf(config, listen);
  const exit = kind === "ready" ? "done" : "unreachable";
  return { exit, json: { kind, url: shown }, text: () => [`${shown}  ${kind}`] };
};
