import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { EarningsOfMonth } from '#domain/earnings/earnings.ts';
import { tipsText } from '#domain/earnings/rules.ts';
import type { TipEntry } from '#domain/earnings/tips.ts';
import { formatMoney } from '#formats/numbers.ts';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { amountsText } from './earning-text.ts';

/** Tips of a month, with their notes: only the creator's owners read them. */
export function TipsOfMonth({ earnings: { tips, corrections } }: { earnings: EarningsOfMonth }) {
  return (
    <section className="mt-7" aria-labelledby="tips">
      <div className="workshop-section__head">
        <h2 id="tips">
          <Trans>Tips</Trans>
        </h2>
        <p>
          {corrections
            .flatMap(({ currency, amount, tips: count }) =>
              count === null ? [] : [`${tipsText(count, amount < 0)}: ${amountsText({ [currency]: amount })}`],
            )
            .join(' · ')}
        </p>
      </div>
      <ul className="pane grid gap-4 text-14">
        {tips.map((tip) => (
          <Tip key={tip.id} tip={tip} />
        ))}
      </ul>
    </section>
  );
}

function Tip({ tip: { at, giver, note, amount, currency, yours, isDisputed } }: { tip: TipEntry }) {
  const isBack = yours < 0;
  const paid = formatMoney(amount, currency);
  return (
    <li className="grid gap-1">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="wrap-anywhere">
          <b>{giver === null ? t`Anonymous` : <bdi>{giver}</bdi>}</b>
          <span className="dot text-muted">
            <LocalTime at={at} style="date" />
          </span>
          <span className="ms-2.5">
            {isBack && <StateMark tone="bad" text={t`Refunded`} />}
            {!isBack && isDisputed && <StateMark tone="accent" text={t`Disputed`} />}
          </span>
        </span>
        <b className="tabular-nums">{amountsText({ [currency]: yours })}</b>
      </span>
      {!isBack && note !== null && (
        <p dir="auto" className="whitespace-pre-line text-soft wrap-anywhere">
          {note}
        </p>
      )}
      {!isBack && <span className="text-13 text-muted">{t`${paid} paid, less tax and the site’s part`}</span>}
    </li>
  );
}
