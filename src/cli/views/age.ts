// How long ago something was, in the largest unit that fits: 40 s, 12 min, 3 h, 2 d.

const UNITS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
] as const;

export const ageText = (seconds: number): string => {
  const unit = UNITS.find((one) => seconds >= one.seconds);
  return unit === undefined ? `${seconds} s ago` : `${Math.floor(seconds / unit.seconds)} ${unit.name} ago`;
};
