import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { todayOf, verificationLengths } from '#domain/verification/rules.ts';
import { Field } from '#web/ui/fields/field.tsx';

/** The record of a check that was made outside of the site, as typed. Its days are ISO 8601. */
export function useCheckRecord(given: { method?: string; reference?: string; until?: string } = {}) {
  const [form, setForm] = useState({ method: '', reference: '', checkedOn: todayOf(), until: '', ...given });
  const isReady = Object.values(form).every((value) => value.trim() !== '');
  return { form, isReady, change: (part: Partial<typeof form>) => setForm({ ...form, ...part }) };
}

type CheckFieldsProps = { record: ReturnType<typeof useCheckRecord> };

export function CheckFields({ record: { form, change } }: CheckFieldsProps) {
  const today = todayOf();
  const field = (key: keyof typeof form) => ({
    value: form[key],
    onChange: ({ target }: { target: { value: string } }) => change({ [key]: target.value }),
  });
  return (
    <>
      <Field
        label={t({ message: 'Method', context: 'of a check' })}
        hint={t`Such as “Video call with the operator”`}
        maxLength={verificationLengths.method}
        {...field('method')}
      />
      <Field
        label={t({ message: 'Reference', context: 'of a check' })}
        hint={t`Where you find your own record of it`}
        maxLength={verificationLengths.reference}
        {...field('reference')}
      />
      <Field label={t`Checked on`} type="date" max={today} {...field('checkedOn')} />
      <Field label={t`Counts until`} type="date" min={today} {...field('until')} />
    </>
  );
}
