// Secret: a text that can be used and cannot be shown. keeps B5
//
// Printing, joining, inspecting, cloning and serialising it give the word "[secret]" or nothing at all. Whoever wires
// an adapter reads the text from its place and hands it over in this form; nothing else ever holds it as a text.

const SHOWN = "[secret]";
const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** For the one place that puts it on the wire; never for a message, a record or a log. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [INSPECT](): string {
    return SHOWN;
  }
}
