import { t } from '@lingui/core/macro';
import type { Preview } from '#domain/membership/shapes.ts';
import { formatMoney } from '#formats/numbers.ts';
import type { Plain } from '../plain.ts';
import { priceLines } from '../price-lines.ts';

/** The sum of an order with a promo code, line by line. */
export function OrderSum({ preview }: { preview: Plain<Preview> }) {
  const { amount, currency, period, firstCharge, discount } = preview;
  const code = discount?.code ?? '';
  const money = (cents: number) => formatMoney(cents, currency);
  const rows = [
    [period === 'year' ? t`Annual plan` : t`Monthly plan`, money(amount)],
    [code, money(firstCharge.amount - amount)],
  ] as const;
  return (
    <output className="grid gap-1 rounded-cover bg-overlay px-3.5 py-3 text-14 leading-[1.45] text-soft">
      <dl className="grid gap-1 tabular-nums">
        {rows.map(([label, sum]) => (
          <div key={label} className="flex justify-between gap-4">
            <dt>{label}</dt>
            <dd>{sum}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 text-text">
          <dt>
            <b>{t`Today`}</b>
          </dt>
          <dd>
            <b>{money(preview.dueToday)}</b>
          </dd>
        </div>
      </dl>
      <span>{priceLines(preview).later}</span>
    </output>
  );
}
