import type { Preview } from '#domain/membership/subscribe.ts';
import type { Plain } from './plain.ts';
import { priceLines } from './wording.ts';

/** What is due now and what comes after, read out when it changes. */
export function PriceSummary({ preview }: { preview: Plain<Preview> | undefined }) {
  const lines = preview && priceLines(preview);
  return (
    <output className="price">
      <span className="price__due">
        Due today <b className="num">{lines?.due ?? '…'}</b>
      </span>
      <span>{lines?.line}</span>
    </output>
  );
}
