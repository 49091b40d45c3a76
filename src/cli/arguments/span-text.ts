// A span of time in the unit that a person would use.

const UNITS = [
  { ms: 24 * 60 * 60_000, name: "days" },
  { ms: 60 * 60_000, name: "hours" },
  { ms: 60_000, name: "minutes" },
] as const;

export const spanText = (ms: number): string => {
  const unit = UNITS.find((one) => ms >= 2 * one.ms);
  return unit === undefined ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / unit.ms)} ${unit.name}`;
};
