import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Banknote from 'lucide-react/icons/banknote';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Send from 'lucide-react/icons/send';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { shareOut } from '#domain/admin/rules.ts';
import { type Amounts, moneysOf } from '#domain/earnings/rules.ts';
import { excessOf } from '#domain/studio/splits/rules.ts';
import type { AudioSplits, Part } from '#domain/studio/splits/splits.ts';
import { formatPercent } from '#formats/decimals.ts';
import { formatMoneys } from '#formats/money-list.ts';
import { formatMonth } from '#formats/times.ts';
import { type Answer, answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Form } from '#web/workshop/form.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import './share-bar.css';

type SharesPaneProps = {
  audioId: string;
  splits: AudioSplits;
  /** In its last locked month, before splits; undefined: nothing yet. */
  lastEarned: { month: string; amounts: Amounts } | undefined;
  disabled: boolean;
  onAct: (sending: Promise<Answer<unknown>>, done: string) => void;
};

/** Shares of an audio's earnings among those who are credited; listeners see nothing of them. */
export function SharesPane({ audioId, splits, lastEarned, disabled, onAct }: SharesPaneProps) {
  const { current, waiting, candidates } = splits;
  const param = { id: audioId };
  const [typed, setTyped] = useState<Record<string, string>>(() => {
    const parts = (waiting ?? current)?.parts ?? [];
    const shareOf = (id: string) => parts.find(({ voiceId }) => voiceId === id)?.share;
    return Object.fromEntries(
      candidates.map(({ id }, index) => [id, String(shareOf(id) ?? (parts.length === 0 && index === 0 ? 100 : 0))]),
    );
  });
  const shares = candidates.map(({ id }) => ({ voiceId: id, share: Number(typed[id] === '' ? '0' : typed[id]) }));
  const isRight = shares.every(({ share }) => Number.isInteger(share) && share >= 0 && share <= 100);
  const excess = isRight ? excessOf(shares) : 0;
  const named = candidates.map(({ name }, index) => ({ name, share: shares[index]?.share ?? 0 }));
  return (
    <section className="mt-7" aria-labelledby="shares">
      <div className="workshop-section__head">
        <h2 id="shares">
          <Trans>Shares of the earnings</Trans>
        </h2>
        <p>{t`Not shown to listeners`}</p>
      </div>
      <div className="pane">
        {candidates.length > 1 && isRight && excess === 0 && <ShareBar shares={named} />}
        <p className="text-14 mb-4">
          {current === null ? (
            <Trans>The creator of this audio gets the whole.</Trans>
          ) : (
            <>
              {t`Since ${{ month: formatMonth(current.holdsFrom ?? '') }}`}
              {': '}
              {sharesText(current.parts)}
            </>
          )}
        </p>
        {waiting !== null && (
          <div className="mb-4">
            <ul className="grid gap-2">
              {waiting.parts.map((part) => (
                <li key={part.voiceId} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-14">
                  <Cover imageUrl={part.imageUrl} shape="circle" size={36} />
                  <bdi className="min-w-0 flex-1 truncate font-semibold">{part.name}</bdi>
                  <span className="tabular-nums">{formatPercent(part.share)}</span>
                  <PartMark part={part} />
                  {part.reason !== null && <span className="w-full text-13 text-muted">{part.reason}</span>}
                </li>
              ))}
            </ul>
            <Button
              size="sm"
              variant="ghost"
              className="mt-2"
              disabled={disabled}
              onClick={() => onAct(answerOf(api.studio.audios[':id'].splits.$delete({ param })), t`Taken back`)}
            >
              {t`Take back the proposal`}
            </Button>
          </div>
        )}
        {candidates.length < 2 ? (
          <p className="text-13 text-muted">
            <Trans>Creators of this site who accepted a credit can have a share.</Trans>
          </p>
        ) : (
          <Form
            className="form"
            onSubmit={() => {
              if (!isRight || excess !== 0 || disabled) return;
              const json = { shares: shares.filter(({ share }) => share > 0) };
              onAct(answerOf(api.studio.audios[':id'].splits.$put({ param, json })), t`The shares are proposed`);
            }}
          >
            <ul className="border-t border-line">
              {candidates.map(({ id, name, imageUrl }) => (
                <li key={id} className="flex items-center gap-3 border-b border-line py-2">
                  <Cover imageUrl={imageUrl} shape="circle" size={36} />
                  <bdi className="min-w-0 flex-1 truncate text-14 font-semibold">{name}</bdi>
                  <span className="field w-24 flex-none">
                    <span className="input">
                      <input
                        className="input__field text-end tabular-nums"
                        aria-label={t`Share of ${name} in percent`}
                        inputMode="numeric"
                        autoComplete="off"
                        maxLength={3}
                        value={typed[id] ?? ''}
                        onChange={({ target }) => setTyped((before) => ({ ...before, [id]: target.value.trim() }))}
                      />
                      <span className="text-13 text-muted" aria-hidden="true">
                        %
                      </span>
                    </span>
                  </span>
                </li>
              ))}
              <li className="flex flex-wrap items-center justify-between gap-3 py-3 text-14">
                <span className="font-semibold">{t`Total`}</span>
                <output className={excess === 0 && isRight ? 'text-13 text-success' : 'text-13 text-muted'}>
                  {sumText(isRight, excess)}
                </output>
              </li>
            </ul>
            <Button
              type="submit"
              variant="primary"
              className="justify-self-start"
              disabled={disabled || !isRight || excess !== 0}
            >
              <Icon of={Send} size={18} />
              {t`Ask for agreement`}
            </Button>
            <p className="text-13 text-muted">
              <Trans>
                Shares count from the first day of the month in which the last one agrees. Until then nothing changes;
                each change asks everyone again.
              </Trans>
            </p>
          </Form>
        )}
      </div>
      {lastEarned !== undefined && candidates.length > 1 && isRight && excess === 0 && (
        <p className="note note--info mt-4">
          <Icon of={Banknote} size={18} />
          <span>{lastEarnedText(lastEarned, named)}</span>
        </p>
      )}
    </section>
  );
}

type NamedShare = { name: string; share: number };

/** The typed shares beside each other; the fields below say them. */
function ShareBar({ shares }: { shares: NamedShare[] }) {
  const shown = shares.filter(({ share }) => share > 0);
  return (
    <div className="share-bar" aria-hidden="true">
      {shown.map(({ share }, index) => (
        <i key={index} style={{ width: `${share}%` }} />
      ))}
    </div>
  );
}

/** Amounts that each would have got with the typed shares. */
function lastEarnedText({ month, amounts }: { month: string; amounts: Amounts }, shares: NamedShare[]): string {
  const percents = shares.map(({ share }) => share);
  const parts = Object.entries(amounts).map(([currency, amount]) => [currency, shareOut(amount, percents)] as const);
  const list = shares.flatMap(({ name, share }, index) => {
    const own = Object.fromEntries(parts.map(([currency, cents]) => [currency, cents[index] ?? 0]));
    return share === 0 ? [] : [`${name} ${formatMoneys(moneysOf(own))}`];
  });
  return t`In ${{ month: formatMonth(month) }} this audio earned ${{ amount: formatMoneys(moneysOf(amounts)) }}. With these shares: ${{ shares: list.join(', ') }}.`;
}

const sharesText = (parts: Part[]) =>
  parts
    .filter(({ share }) => share > 0)
    .map(({ name, share }) => `${name} ${formatPercent(share)}`)
    .join(', ');

function sumText(isRight: boolean, excess: number): string {
  if (!isRight) return t`Enter whole numbers from 0 to 100`;
  if (excess > 0) return t`${{ percent: formatPercent(excess) }} too much`;
  if (excess < 0) return t`${{ percent: formatPercent(-excess) }} missing`;
  return t`Adds up to ${{ percent: formatPercent(100) }}`;
}

function PartMark({ part: { state } }: { part: Part }) {
  if (state === 'agreed')
    return <StateMark icon={Check} tone="ok" text={t({ message: 'Agreed', context: 'shares' })} />;
  if (state === 'declined')
    return <StateMark icon={X} tone="bad" text={t({ message: 'Declined', context: 'shares' })} />;
  return <StateMark icon={Clock} tone="accent" text={t({ message: 'Asked', context: 'a creator' })} />;
}
