import type { Preview } from '#domain/membership/shapes.ts';
import { classNames } from '../ui/class-names.ts';
import type { Plain } from './plain.ts';
import { priceLines } from './wording.ts';

/** Charges today and later, announced when they change. */
export function PriceSummary({ preview }: { preview: Plain<Preview> | undefined }) {
  const lines = preview && priceLines(preview);
  return (
    <output className="grid gap-1 rounded-cover bg-overlay px-3.5 py-3 text-14 leading-[1.45] text-soft">
      <b className="tabular-nums text-text">{lines?.today ?? 'Today …'}</b>
      {/* Two lines in a window's width: fields above must not move while someone presses them. */}
      <span className={classNames('tabular-nums', lines === undefined && 'min-h-[2lh]')}>{lines?.later}</span>
    </output>
  );
}
