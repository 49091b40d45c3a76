// Words that may not stand in certain rooms, as one table: the rule, where, which view of the text is searched, the
// pattern, and what to do instead.
//
// The patterns are written so that this file does not match itself where its own texts are searched.

import type { RuleId } from "../../src/spine/rules/invariants.ts";
import { type Finding, findingAt, type Source } from "./finding.ts";
import { GONE_WORDS, type GoneWord } from "./gone-words.ts";

type Ban = {
  readonly rule: RuleId;
  readonly where: RegExp;
  readonly except?: RegExp;
  /** code: no comments; bare: no comments and no texts; notes: comments alone; text: all of it. */
  readonly search: "code" | "bare" | "notes" | "text";
  readonly pattern: RegExp;
  readonly what: string;
  readonly instead: string;
};

const SPINE = /^src\/spine\//;
const SRC = /^src\//;
const OURS = /^(?:src|test|tools|bench|integrations)\/.*\.tsx?$/;
const PURE = /^src\/(?:spine|kernel)\//;
/** What shows: the explanation, and the views that render it. */
export const VIEWS = /^src\/(?:spine\/plan\/explain\.ts$|cli\/(?:.*\/)?view[^/]*(?:\/.*)?\.ts$|console\/)/;

const CLOCK = /\bDate\.now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\s(]))|(?<!\bnew\s+)\bDate\s*\(|\bperformance\b|\bhrtime\b/g;
const CHANCE = /\bMath\.random\b|\brandom(?:UUID|Bytes|Int|FillSync|Fill)\b|\bgetRandomValues\b/g;
const LOCALE =
  /\bIntl\b|\.toLocale\w*|\blocaleCompare\b|\.to(?:Date|Time)String\b|\bgetTimezoneOffset\b|\.[gs]et(?:Hours|Minutes|Seconds|Milliseconds|Date|Day|Month|FullYear)\b/g;
const ENVIRONMENT = /\bprocess\.env\b|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\b/g;

/** What a person reads who uses Dedalus. */
const TEXTS =
  /^src\/spine\/words\/|^src\/adapters\/\w+\/words\.ts$|^src\/cli\/catalogue\/|^examples\/|^docs\/[^/]+\.md$|^(?:README|SECURITY|DESIGN)\.md$/;
/** The tables that name them, and what is made from these. */
const NAMES_GONE = /^(?:tools\/tidy\/gone-words|test\/tidy[^/]*)\.ts$|^docs\/style\.md$/;

const gone = (reach: GoneWord["where"], where: RegExp): Ban => ({
  instead: "Use the word of the field: docs/style.md has the pairs.",
  pattern: new RegExp(
    `\\b(?:${GONE_WORDS.flatMap((word) => (word.where === reach ? [word.pattern] : [])).join("|")})\\b`,
    "g",
  ),
  rule: "P7-F1",
  search: "text",
  what: "says a word that is gone",
  where,
  except: NAMES_GONE,
});

export const BANS: readonly Ban[] = [
  gone(
    "everywhere",
    /^(?:src|test|tools|bench|integrations|schemas|examples|docs)\/|^(?:ARCHITECTURE|DESIGN|README|SECURITY|CONTRIBUTING)\.md$/,
  ),
  gone("texts", TEXTS),
  {
    instead: "Ask for the VMs that are registered (Source); only import lists what nobody wrote down.",
    pattern: /\binventory\b(?=\s*[,}(.=])/g,
    rule: "N3",
    search: "bare",
    what: "lists what nobody wrote down",
    where: SRC,
    except:
      /^src\/(?:adapters\/(?:inventory|descriptor|proxmox\/adapter)|service\/read\/import|cli\/commands\/import)\.ts$/,
  },
  {
    instead: "Take the instant as an argument; src/clock.ts alone reads the clock.",
    pattern: CLOCK,
    rule: "N6",
    search: "bare",
    what: "reads the clock",
    where: SRC,
    except: /^src\/clock\.ts$/,
  },
  {
    instead:
      "Let formats/fields.ts read it, which checks the whole text first; every other file only carries instants.",
    pattern: /\bDate\b/g,
    rule: "N6",
    search: "bare",
    what: "knows the platform's dates",
    where: SRC,
    except: /^src\/(?:clock|formats\/fields)\.ts$/,
  },
  {
    instead: "Take the id or the seed as an argument; src/ids.ts alone asks for chance.",
    pattern: CHANCE,
    rule: "N6",
    search: "bare",
    what: "asks for chance",
    where: SRC,
    except: /^src\/(?:ids|console\/ask\/new-key)\.ts$/,
  },
  {
    instead: "Compare by code unit and write numbers and instants out; no answer depends on where it is read.",
    pattern: LOCALE,
    rule: "N6",
    search: "bare",
    what: "depends on locale or time zone",
    where: SRC,
  },
  {
    instead: "Take the value as an argument; src/config.ts alone reads the environment.",
    pattern: ENVIRONMENT,
    rule: "N6",
    search: "bare",
    what: "reads the environment",
    where: SRC,
    except: /^src\/config\.ts$/,
  },
  {
    instead: "Hand the value in; what the spine does not import it may not reach by another way either.",
    pattern:
      /\bprocess\b|\bglobalThis\b|\bBuffer\b|\bfetch\s*\(|\brequire\s*\(|\bimport\.meta\b|\beval\s*\(|\bnew\s+Function\b/g,
    rule: "N5",
    search: "bare",
    what: "reaches outside the spine without an import",
    where: SPINE,
  },
  {
    instead: "Say it in the words of the spine (a blocker, an identity); the provider's own words stay in adapters/.",
    pattern:
      /proxmox|pve|qemu|qmp|libvirt|virsh|(?<![a-z])l(?:xd|xc)(?![a-z])|incus|(?<![a-z])(?:ec2|aws|kvm|xen|gcp)(?![a-z])|azure|docker|podman|kubernetes|vmware|vsphere|esxi|hyper-?v/gi,
    rule: "N4",
    search: "code",
    what: "names a provider",
    where: SPINE,
  },
  {
    instead: "Leave it alone: source is for display, and a replay must decide as a live observation does.",
    pattern: /\bsource\b/g,
    rule: "N4",
    search: "bare",
    what: "uses the source of a VM's state",
    where: SPINE,
    except: /^src\/spine\/(?:values\/observation|model)\.ts$/,
  },
  {
    instead: "Take it as an argument; a view shows the value it was given, the same everywhere.",
    pattern: new RegExp(
      [CLOCK, CHANCE, LOCALE, ENVIRONMENT, /\bDate\b|\bprocess\b|\.columns\b|\bisTTY\b|\bgetWindowSize\b/]
        .map(({ source }) => source)
        .join("|"),
      "g",
    ),
    rule: "P7-D1",
    search: "bare",
    what: "shows something that depends on when or where it is shown",
    where: VIEWS,
    // A key is sent and never decides what is shown.
    except: /^src\/console\/ask\/new-key\.ts$/,
  },
  {
    instead: "Let whoever calls decide when; a decision waits for nothing.",
    pattern: /\bset(?:Interval|Timeout|Immediate)\b/g,
    rule: "P7-F1",
    search: "bare",
    what: "sets a timer",
    where: PURE,
  },
  {
    instead: "Say what happened and stop; whoever asked may ask again, with a decision of its own.",
    pattern: /\bretr(?:y|ies|ied|ying)\b|\bbackoff\b|\btryAgain\b/gi,
    rule: "P7-F3",
    search: "bare",
    what: "tries again",
    where: /^src\/(?:kernel|adapters|cli)\//,
  },
  {
    instead: "Only the loop of perform-apply.ts sends, and only what the protocol says comes next.",
    pattern: /\bactuator\s*\.\s*send\b|\.send\s*\(\s*intent\b/g,
    rule: "P7-F3",
    search: "bare",
    what: "sends an intent",
    where: SRC,
    except: /^src\/(?:kernel\/apply\/perform-apply\.ts$|adapters\/)/,
  },
  {
    instead: "Let somebody ask; nothing happens because time has passed.",
    pattern: /\bsetInterval\b|\bsetImmediate\b/g,
    rule: "P7-S1",
    search: "bare",
    what: "acts in the background",
    where: SRC,
    except: /^src\/simulator\//,
  },
  {
    instead: "Do it, or open an issue; main holds no promises.",
    pattern: /\bTO[D]O\b|\bFIX[M]E\b|\bXX[X]\b/g,
    rule: "P7-F1",
    search: "text",
    what: "postpones something",
    where: OURS,
  },
  {
    instead: "Say how it is; how it was is for commits and docs/decisions/.",
    pattern: /\b(?:legacy|previously|formerly|deprecated)\b/gi,
    rule: "P7-F1",
    search: "notes",
    what: "tells history in a comment",
    where: OURS,
  },
  {
    instead: "Start with a sentence; files are short enough to need no banner.",
    pattern: /\/\/[ \t]*[-=*#~─━]{3,}/g,
    rule: "P7-F1",
    search: "notes",
    what: "decorates",
    where: OURS,
  },
  {
    instead: "Mend the type; what must not compile belongs in test/must-not-compile.test.ts.",
    pattern: /@ts-(?:ignore|nocheck|expect-error)/g,
    rule: "P7-F1",
    search: "notes",
    what: "silences the compiler",
    where: OURS,
    except: /^test\/must-not-compile\.test\.ts$/,
  },
  {
    instead: "Narrow the value with a check that can say no.",
    pattern: /\bas\s+any\b|\bas\s+unknown\s+as\b|\bas\s+never\b/g,
    rule: "P7-F1",
    search: "bare",
    what: "forges a type",
    where: OURS,
  },
  {
    instead: "Export it by its name.",
    pattern: /\bexport\s+default\b/g,
    rule: "P7-F1",
    search: "bare",
    what: "exports without a name",
    where: OURS,
    // Node takes a reporter, and pi an extension, by its default export alone.
    except: /^(?:tools\/(?:passed-reporter|mutate\/first-failure)|integrations\/pi\/[a-z-]+-extension)\.ts$/,
  },
  {
    instead: "Return the value and let a view show it.",
    pattern: /\bconsole\s*\./g,
    rule: "P7-F1",
    search: "bare",
    what: "writes to the console",
    where: SRC,
    except: VIEWS,
  },
  {
    instead: "Let it run, or delete it; a test that does not run proves nothing.",
    pattern:
      /\b(?:test|it|describe|suite|t)\s*\.\s*(?:only|skip|todo)\b|[{,]\s*(?:(?:skip|todo)\s*:|only\s*:\s*true\b)/g,
    rule: "P7-F1",
    search: "bare",
    what: "leaves a test out",
    where: /^test\//,
  },
  {
    instead: "Take the path as an argument, or ask the platform for a folder.",
    pattern: /(?<![\w.~-])\/(?:work|home|root|tmp)\//g,
    rule: "P7-F1",
    search: "text",
    what: "names a path of one machine",
    where: SRC,
  },
  {
    instead: "Leave it out: the lock file names versions and hashes, and npm knows where to ask.",
    pattern:
      /\bregistry\.[a-z0-9-]+\.[a-z]{2,}|\bnpm\.pkg\.[a-z]|\bhttps?:\/\/[^\s"']*(?:artifactory|verdaccio|nexus|npmmirror)/gi,
    rule: "P7-F1",
    search: "text",
    what: "names a package registry",
    where: /^/,
    except: /^tools\/tidy\/bans\.ts$/,
  },
];

export const banned = (source: Source): readonly Finding[] =>
  BANS.filter(({ except, where }) => where.test(source.file) && except?.test(source.file) !== true).flatMap((ban) =>
    Array.from(source[ban.search].matchAll(ban.pattern), (match) =>
      findingAt(ban.rule, source, match.index, `${ban.what}: ${match[0].trim()}`, ban.instead),
    ),
  );
