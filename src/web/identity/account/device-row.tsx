import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

type DeviceRowProps = {
  device: string;
  isCurrent: boolean;
  /** Times of use. */
  facts: ReactNode;
  /** The button beside it. */
  children: ReactNode;
};

export function DeviceRow({ device, isCurrent, facts, children }: DeviceRowProps) {
  return (
    <li className="details__row details__row--wide">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          {device}
          {isCurrent && (
            <span className="tag tone-ok">
              <Trans>This device</Trans>
            </span>
          )}
        </p>
        <p className="tabular-nums text-14 text-muted">{facts}</p>
      </div>
      {children}
    </li>
  );
}
