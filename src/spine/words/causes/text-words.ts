// What is wrong with the form of a text, by cause. Causes in capital letters are those of the yaml package: it names
// what it met, and these are our words for it.
//
// Not here: what a field must be (expectation-words.ts).

const YAML_WORDS = {
  ALIAS_PROPS: "an alias with an anchor or a tag of its own",
  BAD_ALIAS: "an anchor or alias without a proper name",
  BAD_COLLECTION_TYPE: "a tag that does not fit its value",
  BAD_DIRECTIVE: "a % directive that is not YAML",
  BAD_DQ_ESCAPE: "an escape in a quoted text that YAML does not know",
  BAD_INDENT: "wrong indentation",
  BAD_PROP_ORDER: "an anchor or a tag at a place where none may be",
  BAD_SCALAR_START: "a text that begins with a reserved character; it needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a value on the line of its key, and lines below that are indented as if they belonged to it",
  BLOCK_IN_FLOW: "an indented map or list inside of brackets",
  DUPLICATE_KEY: "a key that is written twice",
  IMPOSSIBLE: "a text that is not YAML",
  KEY_OVER_1024_CHARS: "a key of more than 1024 characters",
  MISSING_CHAR: "something is missing: a comma, a colon, a blank, a quote or a closing bracket",
  MULTILINE_IMPLICIT_KEY: "a key that goes over more than one line",
  MULTIPLE_ANCHORS: "a value with more than one anchor",
  MULTIPLE_DOCS: "a second document; one is expected",
  MULTIPLE_TAGS: "a value with more than one tag",
  NON_STRING_KEY: "a key that is not a text",
  RESOURCE_EXHAUSTION: "a text that needs more than there is to read it",
  TAB_AS_INDENT: "a tab in the indentation; YAML indents with blanks",
  TAG_RESOLVE_FAILED: "a tag that does not fit its value",
  UNEXPECTED_TOKEN: "something that does not belong here",
} as const;

const JSON_WORDS = {
  "text-ends": "the text ends too early",
  "escape-unknown": "this escape does not exist in JSON",
  "control-character": "a control character needs an escape",
  "half-surrogate": "half of a surrogate pair is not a character",
  "key-expected": "a key in double quotes is expected here",
  "key-escaped": "a key is written without escapes",
  "colon-expected": "a colon is expected here",
  "comma-or-brace": "a comma or } is expected here",
  "comma-or-bracket": "a comma or ] is expected here",
  "value-expected": "a value is expected here",
  "more-behind": "nothing may follow the value",
  "not-json": "it is not JSON",
} as const;

export const MALFORMED_WORDS = {
  ...YAML_WORDS,
  ...JSON_WORDS,
  "not-utf8": "it is not UTF-8 text",
  directive: "a % directive; write the text without it",
  "second-document": "a second document; one is expected",
  character: "the character U+{codePoint}, which a readable text does not hold",
  "too-deep": "more than {max} levels deep",
  "too-many-parts": "more than {max} keys and items",
} as const;
