import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Send from 'lucide-react/icons/send';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { excessOf } from '#domain/studio/splits/rules.ts';
import type { AudioSplits, Part } from '#domain/studio/splits/splits.ts';
import { formatPercent } from '#formats/decimals.ts';
import { formatMonth } from '#formats/times.ts';
import { type Answer, answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Form } from '#web/workshop/form.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';

type SharesPaneProps = {
  audioId: string;
  splits: AudioSplits;
  disabled: boolean;
  onAct: (sending: Promise<Answer<unknown>>, done: string) => void;
};

/** Shares of an audio's earnings among those who are credited; listeners see nothing of them. */
export function SharesPane({ audioId, splits: { current, waiting, candidates }, disabled, onAct }: SharesPaneProps) {
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
  return (
    <section className="mt-7" aria-labelledby="shares">
      <div className="workshop-section__head">
        <h2 id="shares">
          <Trans>Shares of the earnings</Trans>
        </h2>
        <p>{t`Not shown to listeners`}</p>
      </div>
      <div className="pane">
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
            {candidates.map(({ id, name }) => (
              <Field
                key={id}
                label={t`Share of ${name} in percent`}
                inputMode="numeric"
                autoComplete="off"
                maxLength={3}
                value={typed[id] ?? ''}
                onChange={({ target }) => setTyped((before) => ({ ...before, [id]: target.value.trim() }))}
              />
            ))}
            <output className="text-13 text-muted">{sumText(isRight, excess)}</output>
            <Button type="submit" variant="primary" disabled={disabled || !isRight || excess !== 0}>
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
    </section>
  );
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
