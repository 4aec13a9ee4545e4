import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { type PromoCodeForm, PromoCodeForm as Form, promoLimits } from '#domain/admin/forms.ts';
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
  /** In percent, or in the site's first currency. */
  off: string;
  /** Amounts by further currencies. */
  further: Record<string, string>;
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
  off: t`Percent or amount off`,
  further: t`Further currencies`,
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
  const [typed, setTyped] = useState<Typed>(() => toFields(start, currencies));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const set = (change: Partial<Typed>) => setTyped({ ...typed, ...change });
  const theirs = conflict?.theirs && toFields(conflict.theirs, currencies);

  function amountError(text: string, code: string): string | undefined {
    const amount = amountOf(text, code) ?? 0;
    const isWrong = text.trim() !== '' && (amount < 1 || amount > promoLimits.amount);
    return isWrong ? (errors.amountOff ?? errors.amounts) : undefined;
  }

  async function submit(): Promise<unknown> {
    const { data, error } = Form.safeParse(fromFields(typed, main));
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
                .map((field) => ({ ...field, mine: shown(typed[field.name]), theirs: shown(theirs?.[field.name]) }))
                .filter((field) => theirs !== undefined && field.theirs !== field.mine),
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
          value={typed.kind}
          none={null}
          options={[
            { value: 'percent', label: t`Percent` },
            { value: 'amount', label: t`Amount` },
          ]}
          onChoose={(value) => set({ kind: value === 'amount' ? 'amount' : 'percent' })}
        />
        <Field
          label={typed.kind === 'percent' ? t`Percent off` : amountLabel(main)}
          inputMode="decimal"
          autoComplete="off"
          value={typed.off}
          error={errors.percentOff ?? amountError(typed.off, main)}
          onChange={(event) => set({ off: event.target.value })}
        />
        {typed.kind === 'amount' &&
          currencies
            .slice(1)
            .map((code) => (
              <Field
                key={code}
                label={amountLabel(code)}
                isOptional
                inputMode="decimal"
                autoComplete="off"
                value={typed.further[code] ?? ''}
                error={amountError(typed.further[code] ?? '', code)}
                onChange={(event) => set({ further: { ...typed.further, [code]: event.target.value } })}
              />
            ))}
      </div>
      {typed.kind === 'amount' && currencies.length > 1 && (
        <p className="text-13 text-muted">{t`The code is refused in currencies without an amount.`}</p>
      )}
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

const amountLabel = (currency: string) => t`Amount in ${{ currency: currency.toUpperCase() }}`;

/** A field of the form as text. */
function shown(value: Typed[keyof Typed] | undefined): unknown {
  if (typeof value !== 'object') return value;
  return typedIn(value)
    .map(([currency, text]) => `${text} ${currency.toUpperCase()}`)
    .join(', ');
}

const typedIn = (amounts: Record<string, string>) => Object.entries(amounts).filter(([, text]) => text.trim() !== '');

/** Amounts in currencies that the site has no more are left out. */
function toFields(form: PromoCodeForm | undefined, currencies: string[]): Typed {
  const { code = '', percentOff, amountOff, duration = 'once', months, maxRedemptions, lastDay } = form ?? {};
  const [main = '', ...others] = currencies;
  const { currency = main, amounts: further } = form ?? {};
  const amounts: Record<string, number | undefined> = { ...further, [currency]: amountOff };
  const textIn = (one: string) => (amounts[one] === undefined ? '' : toTyped(amounts[one], one));
  return {
    code,
    kind: amountOff === undefined ? 'percent' : 'amount',
    off: amountOff === undefined ? String(percentOff ?? '') : textIn(main),
    further: Object.fromEntries(others.map((one) => [one, textIn(one)])),
    duration,
    months: String(months ?? ''),
    times: String(maxRedemptions ?? ''),
    lastDay: lastDay ?? '',
    isFirstTimeOnly: form?.isFirstTimeOnly ?? false,
  };
}

/** Keeps invalid numbers, so that the form reports them. */
function fromFields(typed: Typed, main: string): unknown {
  const { code, kind, off, further, duration, months, times, lastDay, isFirstTimeOnly } = typed;
  const number = (text: string) => (text.trim() === '' ? undefined : Number(text));
  const amounts = typedIn({ [main]: off, ...further }).map(
    ([currency, text]) => [currency, amountOf(text, currency) ?? Number.NaN] as const,
  );
  const [[currency, amountOff] = [], ...others] = amounts;
  return {
    code,
    ...(kind === 'percent'
      ? { percentOff: number(off) }
      : { currency, amountOff, amounts: others.length === 0 ? undefined : Object.fromEntries(others) }),
    duration,
    months: duration === 'months' ? number(months) : undefined,
    maxRedemptions: number(times),
    lastDay: lastDay === '' ? undefined : lastDay,
    isFirstTimeOnly,
  };
}
