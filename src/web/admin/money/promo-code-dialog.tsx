import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { type PromoCodeForm, PromoCodeForm as Form } from '#domain/admin/forms.ts';
import type { Change } from '../../api.ts';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { errorsByField, FormDialog } from '../../workshop/form-dialog.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { ConflictNotice } from '../../workshop/forms/conflict-notice.tsx';
import { amountOf, toTyped } from './typed-amount.ts';

/** The fields as typed. */
type Typed = {
  code: string;
  kind: 'percent' | 'amount';
  /** The amount's. */
  currency: string;
  off: string;
  duration: 'once' | 'months' | 'forever';
  months: string;
  times: string;
  lastDay: string;
  isFirstTimeOnly: boolean;
};

type PromoCodeDialogProps = {
  /** Absent: a new code. */
  start?: PromoCodeForm;
  /** The site's own, and further ones in which a code can take an amount off. */
  currency: string;
  currencies?: string[];
  /** Another operator changed the code since: who, and its rules now; undefined after its end. */
  conflict?: { change: Change | undefined; theirs: PromoCodeForm | undefined } | undefined;
  /** @returns undefined when it failed */
  onSave: (form: PromoCodeForm) => Promise<unknown>;
  onClose: () => void;
};

const durations = () => ({ once: t`The first payment`, months: t`Some months`, forever: t`Every payment` });

const labels = (): Record<keyof Typed, string> => ({
  code: t`Code`,
  kind: t`Discount`,
  currency: t`Currency`,
  off: t`Percent or amount off`,
  duration: t({ message: 'For', context: 'duration' }),
  months: t`Months`,
  times: t`Total uses`,
  lastDay: t`Last day`,
  isFirstTimeOnly: t`Only for accounts that never paid`,
});
const valueNames = () => ({ ...durations(), percent: t`Percent`, amount: t`Amount`, true: t`Yes`, false: t`No` });

/** All rules of a promo code. Open while rendered. */
export function PromoCodeDialog({
  start,
  currency: main,
  currencies = [main],
  conflict,
  onSave,
  onClose,
}: PromoCodeDialogProps) {
  const [typed, setTyped] = useState<Typed>(() => toFields(start, main));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const set = (change: Partial<Typed>) => setTyped({ ...typed, ...change });
  const theirs = conflict?.theirs && toFields(conflict.theirs, main);

  async function submit(): Promise<unknown> {
    const { data, error } = Form.safeParse(fromFields(typed));
    setErrors(errorsByField(error));
    return data && onSave(data);
  }

  return (
    <FormDialog
      title={start === undefined ? t`New promo code` : t`Edit ${{ code: start.code }}`}
      description={
        start === undefined
          ? undefined
          : t`The payment provider never changes a code’s rules: this one ends, and a new one takes its place. Who has the discount keeps it; the uses start at 0.`
      }
      verb={start === undefined ? t`Create code` : t`Save code`}
      busy={t`Saving…`}
      onSubmit={submit}
      onClose={onClose}
    >
      {conflict !== undefined && (
        <ConflictNotice
          valueNames={valueNames()}
          edited={{
            conflict: {
              change: conflict.change,
              fields: Object.entries(labels())
                .map(([key, label]) => ({ name: key as keyof Typed, label }))
                .filter(({ name }) => theirs !== undefined && theirs[name] !== typed[name])
                .map(({ name, label }) => ({ name, label, mine: typed[name], theirs: theirs?.[name] })),
            },
            takeTheirs: (name) => set({ [name]: theirs?.[name as keyof Typed] }),
          }}
        />
      )}
      <Field
        label={t`Code`}
        value={typed.code}
        maxLength={50}
        autoComplete="off"
        spellCheck={false}
        hint={t`Letters and digits; listeners may type it in any case`}
        error={errors.code}
        onChange={(event) => set({ code: event.target.value })}
      />
      <div className="field-pair">
        <ChoiceField
          label={t`Discount`}
          value={typed.kind === 'percent' ? 'percent' : typed.currency}
          none={null}
          options={[
            { value: 'percent', label: t`Percent` },
            ...currencies.map((code) => ({
              value: code,
              label: t`Amount in ${{ currency: code.toUpperCase() }}`,
            })),
          ]}
          onChoose={(value) => set(value === 'percent' ? { kind: 'percent' } : { kind: 'amount', currency: value })}
        />
        <Field
          label={typed.kind === 'percent' ? t`Percent off` : t`Amount off`}
          inputMode="decimal"
          autoComplete="off"
          value={typed.off}
          error={errors.percentOff ?? errors.amountOff}
          onChange={(event) => set({ off: event.target.value })}
        />
      </div>
      <div className="field-pair">
        <ChoiceField
          label={t({ message: 'For', context: 'duration' })}
          value={typed.duration}
          none={null}
          options={Object.entries(durations()).map(([value, label]) => ({ value, label }))}
          onChoose={(value) => set({ duration: value === 'months' || value === 'forever' ? value : 'once' })}
        />
        {typed.duration === 'months' && (
          <Field
            label={t`Months`}
            inputMode="numeric"
            autoComplete="off"
            value={typed.months}
            error={errors.months}
            onChange={(event) => set({ months: event.target.value })}
          />
        )}
      </div>
      <div className="field-pair">
        <Field
          label={t`Total uses`}
          isOptional
          inputMode="numeric"
          autoComplete="off"
          value={typed.times}
          error={errors.maxRedemptions}
          onChange={(event) => set({ times: event.target.value })}
        />
        <Field
          label={t`Last day, UTC`}
          isOptional
          type="date"
          value={typed.lastDay}
          error={errors.lastDay}
          onChange={(event) => set({ lastDay: event.target.value })}
        />
      </div>
      <CheckBox checked={typed.isFirstTimeOnly} onChange={(event) => set({ isFirstTimeOnly: event.target.checked })}>
        {t`Only for accounts that never paid`}
      </CheckBox>
    </FormDialog>
  );
}

function toFields(form: PromoCodeForm | undefined, main: string): Typed {
  const { code = '', percentOff, amountOff, duration = 'once', months, maxRedemptions, lastDay } = form ?? {};
  const { currency = main } = form ?? {};
  return {
    code,
    kind: amountOff === undefined ? 'percent' : 'amount',
    currency,
    off: amountOff === undefined ? String(percentOff ?? '') : toTyped(amountOff, currency),
    duration,
    months: String(months ?? ''),
    times: String(maxRedemptions ?? ''),
    lastDay: lastDay ?? '',
    isFirstTimeOnly: form?.isFirstTimeOnly ?? false,
  };
}

/** Keeps invalid numbers, so that the form reports them. */
function fromFields(typed: Typed): unknown {
  const { code, kind, currency, off, duration, months, times, lastDay, isFirstTimeOnly } = typed;
  const number = (text: string) => (text.trim() === '' ? undefined : Number(text));
  return {
    code,
    ...(kind === 'percent'
      ? { percentOff: number(off) }
      : { currency, amountOff: off.trim() === '' ? undefined : (amountOf(off, currency) ?? Number.NaN) }),
    duration,
    months: duration === 'months' ? number(months) : undefined,
    maxRedemptions: number(times),
    lastDay: lastDay === '' ? undefined : lastDay,
    isFirstTimeOnly,
  };
}
