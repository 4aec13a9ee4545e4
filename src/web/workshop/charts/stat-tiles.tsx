import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/images/icon.tsx';
import type { Delta } from './figure-text.ts';

type StatTilesProps = { label?: string; isRow?: boolean; children: ReactNode };

/** @param props.isRow lower tiles, without sparklines */
export function StatTiles({ label, isRow = false, children }: StatTilesProps) {
  return (
    <dl className={classNames('stats', isRow && 'stats--row')} aria-label={label}>
      {children}
    </dl>
  );
}

type StatTileProps = {
  label: string;
  value: string;
  /** Compared with the previous period. */
  delta?: Delta | undefined;
  detail?: ReactNode;
  /** A sparkline. */
  children?: ReactNode;
};

export function StatTile({ label, value, delta, detail, children }: StatTileProps) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd className="stat__value">{value}</dd>
      <dd className="text-13 text-muted tabular-nums flex flex-wrap gap-x-1.5 items-center">
        {delta !== undefined && <Change of={delta} />}
        {detail !== undefined && <span>{detail}</span>}
      </dd>
      {children !== undefined && <dd>{children}</dd>}
    </div>
  );
}

const changes = {
  up: { className: 'delta text-success', icon: ArrowUp, word: () => t({ message: 'up', context: 'change' }) },
  down: { className: 'delta text-soft', icon: ArrowDown, word: () => t({ message: 'down', context: 'change' }) },
};

/** An arrow and the amount; screen readers hear the direction as a word. */
export function Change({ of: { direction, text } }: { of: Delta }) {
  if (direction === 'same')
    return (
      <span className="delta text-soft">
        <Trans>No change</Trans>
      </span>
    );
  const { className, icon, word } = changes[direction];
  return (
    <span className={className}>
      <Icon of={icon} size={16} />
      <span className="sr-only">{word()} </span>
      {text}
    </span>
  );
}
