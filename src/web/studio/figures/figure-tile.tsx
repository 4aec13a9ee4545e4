import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { Figures } from '#domain/studio/figures/figure-history.ts';
import { countText, deltaOf, hoursText } from '../../workshop/charts/figure-text.ts';
import { StatTile } from '../../workshop/charts/stat-tiles.tsx';

const tiles = {
  plays: { label: () => t`Plays`, textOf: countText },
  listeners: { label: () => t({ message: 'Listeners', context: 'figure' }), textOf: countText },
  heardMs: { label: () => t`Hours heard`, textOf: hoursText },
  newFavorites: { label: () => t`New favorites`, textOf: countText },
};

type FigureTileProps = {
  of: keyof typeof tiles;
  figures: { now: Figures; before: Figures };
  /** A sparkline. */
  children?: ReactNode;
};

/** A figure of a period, with its change from the period before. */
export function FigureTile({ of, figures: { now, before }, children }: FigureTileProps) {
  const { label, textOf } = tiles[of];
  const isOfFew = of === 'newFavorites' && before[of] === null;
  return (
    <StatTile
      label={label()}
      value={textOf(now[of])}
      delta={deltaOf(now[of], before[of])}
      detail={isOfFew ? t`under 10 before` : fromText(before[of], textOf(before[of]))}
    >
      {children}
    </StatTile>
  );
}

export function fromText(before: number | null, text = countText(before)): string {
  return before === null ? t`under 10 listeners before` : t`from ${text}`;
}
