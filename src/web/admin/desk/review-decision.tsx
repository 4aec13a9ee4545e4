import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type RefObject, useState } from 'react';
import { reasonLength } from '#domain/admin/rules.ts';
import type { ReviewForm } from '#domain/admin/forms.ts';
import { type ReturnReason, returnReasons } from '#domain/catalogue/review/rules.ts';
import { returnText } from '#domain/catalogue/review/wording-rules.ts';
import type { EditedField } from '#domain/studio/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { reasonLabels } from './review-words.ts';

type Decision = { decision: 'approved' } | Omit<Extract<ReviewForm, { decision: 'returned' }>, 'heard' | 'words'>;

type ReviewDecisionProps = {
  /** Name of the creator, who reads the reason. */
  voice: string;
  /** A time to come. */
  publishAt: Date | string | null;
  /** Why it cannot be approved. */
  obstacle: string | undefined;
  isYours: boolean;
  busy: boolean;
  /** That the reason can point to. */
  fields: { value: string; label: string }[];
  reasonField: RefObject<HTMLDivElement | null>;
  onDecide: (decision: Decision) => void;
};

/** Approves, or returns with a reason. */
export function ReviewDecision(props: ReviewDecisionProps) {
  const { voice, publishAt, obstacle, isYours, busy, fields, reasonField, onDecide } = props;
  const [kind, setKind] = useState<ReturnReason>('other');
  const [reason, setReason] = useState('');
  const [field, setField] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const isTooLong = [...reason.trim()].length > reasonLength;

  if (isYours)
    return (
      <Pane title={t`Decide`}>
        <p className="text-14 text-soft">{t`What you uploaded yourself, another reviewer decides.`}</p>
      </Pane>
    );

  const sentence = returnText(kind);

  function giveBack(): void {
    if (sentence === '' && reason.trim() === '') {
      setIsMissing(true);
      reasonField.current?.querySelector('textarea')?.focus();
      return;
    }
    if (!isTooLong)
      onDecide({
        decision: 'returned',
        reasonKind: kind,
        canned: sentence !== '',
        reason,
        ...(field !== '' && { field: field as EditedField | 'sound' }),
      });
  }

  return (
    <Pane title={t`Decide`}>
      <button
        type="button"
        className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 rounded-cover bg-accent px-3.5 py-3 text-start text-14 text-accent-contrast hover:bg-(--accent-hover) disabled:opacity-50"
        disabled={busy || obstacle !== undefined}
        aria-keyshortcuts="A"
        data-decision="approved"
        onClick={() => onDecide({ decision: 'approved' })}
      >
        <b>
          <Trans>Approve</Trans>
        </b>
        <span className="kbd col-start-2 row-start-1 bg-accent-contrast/14 text-inherit" aria-hidden="true">
          A
        </span>
        <small className="col-start-1 leading-[1.45] text-inherit">
          {publishAt === null ? (
            t`It goes online at once.`
          ) : (
            <Trans>
              It goes online on <LocalTime at={publishAt} style="full" />.
            </Trans>
          )}
        </small>
      </button>
      {obstacle !== undefined && <p className="mt-2 text-13 text-soft">{obstacle}</p>}
      <div ref={reasonField} className="mt-4.5 grid gap-3">
        <fieldset className="chips" aria-label={t`Or return it`}>
          {returnReasons.map((one) => (
            <Chip
              key={one}
              size="sm"
              aria-pressed={kind === one}
              aria-current={kind === one ? 'true' : undefined}
              onClick={() => {
                setKind(one);
                setIsMissing(false);
              }}
            >
              {reasonLabels[one]()}
            </Chip>
          ))}
        </fieldset>
        {sentence !== '' && (
          <p className="text-14">
            {sentence}
            <span className="mt-0.5 block text-13 text-muted">{t`Each reader gets it in their own language.`}</span>
          </p>
        )}
        <TextArea
          label={t`Reason for ${voice}`}
          isOptional={sentence !== ''}
          rows={4}
          value={reason}
          error={isMissing ? t`Write a reason` : isTooLong ? t`At most ${{ max: reasonLength }} characters` : undefined}
          onChange={({ target }) => {
            setReason(target.value);
            setIsMissing(false);
          }}
        />
        <p className="hint">{t`${voice} reads this.`}</p>
        <ChoiceField
          label={t`Field that it is about`}
          isOptional
          isDense
          value={field}
          none={t({ message: 'None', context: 'field' })}
          options={fields}
          onChoose={setField}
        />
        <Button disabled={busy} aria-keyshortcuts="R" onClick={giveBack}>
          {t({ message: 'Return', context: 'review' })}
        </Button>
      </div>
    </Pane>
  );
}
