import { Trans } from '@lingui/react/macro';
import type { TestCard } from '#domain/membership/shapes.ts';

/** Test card numbers and their effects, shown in sandboxes only. */
export function TestCards({ cards }: { cards: TestCard[] }) {
  if (cards.length === 0) return null;
  return (
    <details className="mt-4 rounded-cover bg-accent-soft text-13 text-soft">
      <summary className="cursor-pointer rounded-cover px-3.5 py-2.5 font-semibold text-accent-text">
        <Trans>Test cards only</Trans>
      </summary>
      <p className="px-3.5">
        <Trans>No money moves here. Pick a future date and any security code.</Trans>
      </p>
      <dl className="grid gap-0.5 px-3.5 pt-2 pb-3">
        {cards.map(({ number, outcome }) => (
          <div key={number} className="grid grid-cols-[11.5em_minmax(0,1fr)] gap-3">
            <dt className="text-text tabular-nums select-all">{number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</dt>
            <dd>{outcome}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
