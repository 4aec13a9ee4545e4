import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { PayeeForm } from '#domain/studio/payees/forms.ts';
import type { OwnPayee } from '#domain/studio/payees/payees.ts';
import { type AccountWay, accountWays, type PayeeKind, payeeKinds } from '#domain/studio/payees/rules.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FieldError } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { errorsByField } from '#web/workshop/form-dialog.tsx';
import { Form } from '#web/workshop/form.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';

type Values = {
  kind: PayeeKind;
  way: AccountWay;
} & Record<'name' | 'address' | 'country' | 'iban' | 'bic' | 'account' | 'vatId' | 'taxNumber' | 'taxForm', string>;

const nothing = { name: '', address: '', country: '', vatId: '', taxNumber: '', taxForm: '' };

function valuesOf(own: OwnPayee | null): Values {
  const { way, accountEnd: _end, ...facts } = own ?? { ...nothing, kind: 'person', way: 'iban', accountEnd: '' };
  return { ...facts, way: own === null ? way : 'kept', iban: '', bic: '', account: '' };
}

type PayeeFieldsProps = {
  voice: string;
  /** The reader's former entry. */
  own: OwnPayee | null;
  countries: { value: string; label: string }[];
  onDone: () => void;
  onCancel: () => void;
};

/** Form of who is paid. Errors are shown once the form was sent. */
export function PayeeFields({ voice, own, countries, onDone, onCancel }: PayeeFieldsProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => valuesOf(own));
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const parsed = PayeeForm.safeParse(values);
  const errors = isTried ? errorsByField(parsed.error) : {};

  function change(changed: Partial<Values>): void {
    setRefusal(undefined);
    setValues((before) => ({ ...before, ...changed }));
  }

  async function save(): Promise<void> {
    if (isBusy) return;
    setIsTried(true);
    if (!parsed.success) {
      // The fields show their errors with the next render.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    setIsBusy(true);
    const answer = await answerOf(api.voices[':id'].payee.$put({ param: { id: voice }, json: values }));
    if (answer.ok) await revalidate();
    setIsBusy(false);
    if (!answer.ok) return setRefusal(answer.message);
    showToast({ text: t`Saved. The owners are mailed.` });
    onDone();
  }

  const text = (name: Exclude<keyof Values, 'kind' | 'way'>) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const isCompany = values.kind === 'company';
  return (
    <Form ref={form} className="field-list mt-4" aria-label={t`Who is paid`} onSubmit={() => void save()}>
      <div className="field-pair">
        <ChoiceField
          label={t`Person or company`}
          value={values.kind}
          none={null}
          options={payeeKinds.map((kind) => ({ value: kind, label: kindNames[kind]() }))}
          onChoose={(kind) => change({ kind: kind as PayeeKind })}
        />
        <Field
          label={isCompany ? t`Name of the company` : t`Legal name`}
          autoComplete={isCompany ? 'organization' : 'name'}
          {...text('name')}
        />
      </div>
      <TextArea
        label={t`Address: street, postal code and place`}
        rows={3}
        autoComplete="street-address"
        {...text('address')}
      />
      <div className="field-pair">
        <ChoiceField
          label={t`Country`}
          value={values.country}
          options={countries}
          error={errors['country']}
          onChoose={(country) => change({ country })}
        />
        <ChoiceField
          label={t`Account`}
          value={values.way}
          none={null}
          options={accountWays
            .filter((way) => way !== 'kept' || own !== null)
            .map((way) => ({ value: way, label: wayName(way, own) }))}
          onChoose={(way) => change({ way: way as AccountWay })}
        />
      </div>
      {values.way === 'iban' && (
        <div className="field-pair">
          <Field label={t`IBAN`} autoComplete="off" spellCheck={false} autoCapitalize="characters" {...text('iban')} />
          <Field
            label={t`BIC`}
            isOptional
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="characters"
            {...text('bic')}
          />
        </div>
      )}
      {values.way === 'other' && (
        <Field
          label={t`Account`}
          hint={t`In one line, what a transfer needs: bank, routing number and account number`}
          autoComplete="off"
          spellCheck={false}
          {...text('account')}
        />
      )}
      <div className="field-pair">
        <Field label={t`VAT ID`} isOptional autoComplete="off" spellCheck={false} {...text('vatId')} />
        <Field label={t`Tax number`} isOptional autoComplete="off" spellCheck={false} {...text('taxNumber')} />
      </div>
      <Field
        label={t`Tax form`}
        isOptional
        hint={t`A form that you gave the operator, such as “W-8BEN, May 2026”`}
        autoComplete="off"
        {...text('taxForm')}
      />
      {refusal !== undefined && <FieldError>{refusal}</FieldError>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isBusy ? t`Saving…` : undefined}>
          {t`Save`}
        </Button>
        <Button variant="ghost" disabled={isBusy} onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </div>
    </Form>
  );
}

const kindNames: Record<PayeeKind, () => string> = {
  person: () => t({ message: 'Person', context: 'payee' }),
  company: () => t({ message: 'Company', context: 'payee' }),
};

function wayName(way: AccountWay, own: OwnPayee | null): string {
  if (way === 'iban') return own === null ? t`IBAN` : t`Another IBAN`;
  if (way === 'other') return t`Another way, without an IBAN`;
  return own === null || own.accountEnd === '' ? t`As before` : t`As before, ending in ${{ end: own.accountEnd }}`;
}
