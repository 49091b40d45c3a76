// argv in, exit code out.
//
// The overview is for whoever is new or has forgotten a name, and comes at once: nothing that a command needs is loaded
// for it. What it looks like is the same either way (cli/commands/help.ts).

const argv = process.argv.slice(2);
const isOverview = argv.length === 0 || (argv.length === 1 && ["--help", "-h", "help"].includes(argv[0] ?? ""));

if (isOverview) await (await import("./cli/print-overview.ts")).printOverview();
else await (await import("./cli/run-process.ts")).runProcess(argv);
