// How a page shows what others wrote: as text that stays text, with everything that cannot be seen written as its code.

import { visible } from "../../spine/values/invisible.ts";
import { bytesText } from "../../spine/words/template.ts";

export const seenText = (text: string): string => visible(text);

/** A time to the second, as the service gave it: no zone, no locale, no countdown. */
export const seenInstant = (instant: string): string =>
  instant.replace(/^(\S{10})T([0-9:]{8})(?:\.\d+)?Z$/, "$1 $2 UTC");

export const seenBytes = (bytes: number): string => bytesText(bytes);
