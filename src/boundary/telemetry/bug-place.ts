// A bug as it is logged: what kind of error it is, and where in the program. Never what it says: a parser quotes what
// it was given, and that may be anybody's secret. keeps B5

export type BugPlace = { readonly said: string; readonly stack: string };

const FRAMES_MAX = 8;

export const bugPlace = (error: unknown): BugPlace => {
  if (!(error instanceof Error)) return { said: typeof error, stack: "" };
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    said: `${error.name}${code}`,
    stack: frames
      .slice(0, FRAMES_MAX)
      .map((line) => line.trim())
      .join("; "),
  };
};
