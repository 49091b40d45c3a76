// Habits that fail closed: nothing is postponed, swallowed, forged or left out.

import { findings } from "../tools/tidy.ts";
import { cannot } from "./cannot.ts";

const HEADER = "// A planted file.\n\n";
const found = (path: string, text: string) => findings(new Map([[path, text]]));
const texts = (offence: string, neighbour: string, path = "src/cli/a.ts") => ({
  neighbour: () => found(path, `${HEADER}${neighbour}\n`),
  offence: () => found(path, `${HEADER}${offence}\n`),
});
const names = (offence: string, neighbour: string) => ({
  neighbour: () => found(neighbour, `${HEADER}export const a = 1;\n`),
  offence: () => found(offence, `${HEADER}export const a = 1;\n`),
});

cannot("P7-F1", "postpone work in the source", texts(`// ${"TO"}${"DO"}: later.`, "// This is done."));
cannot("P7-F1", "tell history in a comment", texts("// The legacy form.", "// The short form."));
cannot("P7-F1", "say a word that is gone", texts("// The wishes of a look.", "// The entries of an observation."));
cannot("P7-F1", "say that a thing was looked at", texts("// What a look shows.", "// What it looks like."));
cannot(
  "P7-F1",
  "say a word that is gone where a user reads it",
  texts("What is wanted.", "What is desired, {wanted}.", "docs/a.md"),
);
cannot("P7-F1", "say in help what happens when an option is not said", {
  neighbour: () => found("src/kernel/a.ts", `${HEADER}// The first when not said.\n`),
  offence: () => found("src/cli/catalogue/a.ts", `${HEADER}// The first when not said.\n`),
});
cannot(
  "P7-F1",
  "write a comment that is wider than code",
  texts(`// ${"a".repeat(118)}`, `// ${"a".repeat(117)}\nconst a = "${"a".repeat(120)}";`),
);
cannot("P7-F1", "decorate with banners", texts("// ---------- parts", "// The parts."));
cannot("P7-F1", "swallow an error", texts("try { a(); } catch {}", "try { a(); } catch (error) { report(error); }"));
cannot(
  "P7-F1",
  "swallow an error behind a comment",
  texts("try { a(); } catch { /* Never mind. */ }", "try { a(); } catch { return refusal; }"),
);
cannot(
  "P7-F1",
  "swallow an error of a promise",
  texts("await a().catch(() => undefined);", "await a().catch((error) => refused(error));"),
);
cannot(
  "P7-F1",
  "write a pattern that reads one text in many ways",
  texts(`const A = /^(?:[a-z]+\\/?)${"*"}$/;`, "const A = /^[a-z]+(?:\\/[a-z]+)*$/;"),
);
cannot("P7-F1", "silence the compiler", texts("// @ts-ignore\na();", '// Checked.\na("@ts-ignore");'));
cannot("P7-F1", "forge a type", texts("const a = b as unknown as Plan;", "const a = isPlan(b) ? b : undefined;"));
cannot("P7-F1", "turn types off", texts("const a = b as any;", "const a = b as const;"));
cannot("P7-F1", "claim a brand unearned", texts("const a = 101 as Vmid;", "const a = isVmid(101);"));
cannot(
  "P7-F1",
  "make a brand that nobody guards",
  texts('type Secret = Brand<string, "Secret">;', 'type Vmid = Brand<number, "Vmid">;'),
);
cannot("P7-F1", "export without a name", texts("export default 1;", "export const one = 1;"));
cannot("P7-F1", "pass on another file's exports", texts('export * from "./b.ts";', 'import { b } from "./b.ts";'));
cannot(
  "P7-F1",
  "hide a file's job behind its name",
  names("src/cli/plan-helper.ts", "src/cli/commands/plan-command.ts"),
);
cannot("P7-F1", "write a file's name in another case", names("src/cli/planView.ts", "src/cli/plan-view.ts"));
cannot("P7-F1", "grow a file past reading", texts("a();\n".repeat(349), "a();\n".repeat(347)));
cannot("P7-F1", "write to the console past the views", texts('console.log("a");', 'io.out("a");'));
cannot("P7-F1", "leave a test out", texts('test.skip("a", () => a());', 'test("a", () => a());', "test/a.test.ts"));
cannot(
  "P7-F1",
  "leave a test out by an option",
  texts('test("a", { skip: true }, () => a());', 'test("a", { timeout: 9 }, () => a());', "test/a.test.ts"),
);
cannot("P7-F1", "name a path of one machine", texts('const a = "/home/a/";', 'const a = "/etc/a/";'));
cannot("P7-F1", "name a package registry", texts(`// See ${"registry"}.npmjs.org.`, "// See npm.", "docs/a.md"));
cannot(
  "P7-F1",
  "set a timer where decisions are made",
  texts("const a = () => setTimeout(b, 9);", "const a = () => b(9);", "src/spine/a.ts"),
);
cannot("P7-F1", "begin a program of an integration without saying its job", {
  neighbour: () => found("integrations/a/b.ts", `${HEADER}export const a = 1;\n`),
  offence: () => found("integrations/a/b.ts", "export const a = 1;\n"),
});
cannot("P7-F1", "begin a file without saying its job", {
  neighbour: () => found("src/cli/a.ts", "// The one answer.\n\nexport const a = 1;\n"),
  offence: () => found("src/cli/a.ts", "export const a = 1;\n"),
});
