import { t } from '@lingui/core/macro';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import X from 'lucide-react/icons/x';
import type { CreditRole, CreditState } from '#domain/catalogue/credits/rules.ts';
import type { AudioCredit } from '#domain/studio/credits/audio-credits.ts';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { Portrait, roleChoices } from './add-credit.tsx';

type CreditRowProps = { credit: AudioCredit; disabled: boolean; onRole: (role: CreditRole) => void };

/** Cells of a row in the order of an audio's credits. */
export function CreditRow({ credit, disabled, onRole }: CreditRowProps) {
  const { name, role, state, voice, answer } = credit;
  return (
    <>
      <Portrait of={{ name, creator: voice }} />
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-32 flex-1">
          <b className="block truncate font-semibold">
            <bdi>{name}</bdi>
          </b>
          <span className="text-13 text-muted">{kindOf(credit)}</span>
        </p>
        <select
          className="input input--dense w-36"
          aria-label={t`Part of ${name}`}
          value={role}
          disabled={disabled || state === 'declined'}
          onChange={({ target }) => onRole(target.value as CreditRole)}
        >
          {roleChoices().map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {answer !== null && (
          <span className="min-w-36">
            <AnswerMark state={state} at={answer.at} />
          </span>
        )}
      </div>
      <span className="time-cell" />
    </>
  );
}

function kindOf({ voice }: AudioCredit): string {
  if (voice === null) return t`A name only`;
  if (voice.isOwn) return t`The creator of this audio`;
  return voice.isHidden ? t`Hidden by the operators: not shown` : t`Creator here`;
}

const marks = {
  asked: { icon: Clock, tone: 'accent', text: () => t({ message: 'Asked', context: 'a creator' }) },
  accepted: { icon: Check, tone: 'ok', text: () => t({ message: 'Accepted', context: 'a credit' }) },
  declined: { icon: X, tone: 'bad', text: () => t({ message: 'Declined', context: 'a credit' }) },
} as const;

/** `Asked 27 Nov 2026` */
export function AnswerMark({ state, at }: { state: CreditState; at: string | null }) {
  const { icon, tone, text } = marks[state];
  return (
    <StateMark icon={icon} tone={tone}>
      {text()}
      {at !== null && (
        <>
          {' '}
          <LocalTime at={at} style="date" />
        </>
      )}
    </StateMark>
  );
}
