// A certificate's fingerprint, which is compared by eye: in two halves where the terminal would break it anywhere.

const PAIRS_IN_HALF = 16;

/** Behind `label`, and the second half below the first. */
export const fingerprintLines = (
  label: string,
  sha256: string,
  width = Number.POSITIVE_INFINITY,
): readonly string[] => {
  const whole = `${label}${sha256}`;
  if (whole.length <= width) return [whole];
  const all = sha256.split(":");
  return [
    `${label}${all.slice(0, PAIRS_IN_HALF).join(":")}:`,
    `${" ".repeat(label.length)}${all.slice(PAIRS_IN_HALF).join(":")}`,
  ];
};
