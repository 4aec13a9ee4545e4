import type { ReactNode } from 'react';

/** A read-only line. */
export function AccountFact({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div className="details__row">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {children !== undefined && <dd>{children}</dd>}
    </div>
  );
}
