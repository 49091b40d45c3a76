// Why the service itself gave no more records: its own refusals, word for word.

import type { ReactNode } from "react";
import { RefusalPart, type RefusalShown } from "../parts/problem.tsx";
import { Quoted } from "../parts/quoted.tsx";

const refusalsIn = (value: unknown): readonly RefusalShown[] => {
  const { refusals } = Object(value) as { readonly refusals?: unknown };
  return Array.isArray(refusals) ? refusals : [];
};

export const ServiceBroken = ({ refused, seq }: { readonly refused: unknown; readonly seq: number }): ReactNode => {
  const refusals = refusalsIn(refused);
  return (
    <div className="notice" role="alert">
      <p className="broken">
        <strong>The service gave no record from {seq} on.</strong>
      </p>
      {refusals.length === 0 ? <Quoted text={JSON.stringify(refused)} whole /> : undefined}
      {refusals.map((refusal) => (
        <RefusalPart key={`${refusal.code} ${refusal.cause ?? ""}`} refusal={refusal} />
      ))}
    </div>
  );
};
