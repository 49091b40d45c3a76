// Asks the person at the terminal, on stderr, so that what is printed for a pipe stays clean.
//
// What was typed before a question stood there answers nothing: it is discarded, or a second "yes" would agree to a
// step that nobody has read. Keeps P7-A2.

/** Long enough for what the terminal holds to arrive, short enough that nobody notices. */
const DISCARD_MS = 50;
const CTRL_C = 3;

/** Read key by key, so that a line without its end is discarded too. */
const discardTypedAhead = (onInterrupt: () => void): Promise<void> =>
  new Promise((resume) => {
    const { stdin } = process;
    const discard = (typed: Buffer): void => {
      if (typed.includes(CTRL_C)) onInterrupt();
    };
    stdin.setRawMode(true);
    stdin.on("data", discard);
    stdin.resume();
    setTimeout(() => {
      stdin.off("data", discard);
      stdin.pause();
      stdin.setRawMode(false);
      resume();
    }, DISCARD_MS);
  });

/** A terminal that is read key by key sends no signal for Ctrl-C; whoever waits for one must hear it all the same. */
const interrupt = (): void => {
  if (!process.emit("SIGINT", "SIGINT")) process.kill(process.pid, "SIGINT");
};

/** Undefined when there is nobody to ask. */
export const askPerson = async (question: string): Promise<string | undefined> => {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  let isInterrupted = false;
  await discardTypedAhead(() => {
    isInterrupted = true;
    interrupt();
  });
  if (isInterrupted) return undefined;
  const { createInterface } = await import("node:readline");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once("SIGINT", () => {
    interrupt();
    terminal.close();
  });
  const answer = await new Promise<string | undefined>((resume) => {
    terminal.once("close", () => resume(undefined));
    terminal.question(question, resume);
  });
  terminal.close();
  return answer;
};
