import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { useToast } from '../../ui/layers/toast.tsx';

/** The VAT ID that new invoices have. */
export function VatId({ saved }: { saved: string }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [typed, setTyped] = useState(saved);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    const vatId = typed.trim() === '' ? null : typed;
    const answer = await answerOf(api.user['vat-id'].$put({ json: { vatId } }));
    setIsBusy(false);
    setFailure(answer.ok ? undefined : answer.message);
    if (!answer.ok) return;
    showToast({ text: t`Saved` });
    await revalidate();
  }

  return (
    <form className="mt-6" onSubmit={(event) => void save(event)}>
      <Field
        label={t`VAT ID`}
        isOptional
        autoComplete="off"
        maxLength={30}
        value={typed}
        error={failure}
        hint={t`For new invoices, if you pay for a business. The price stays the same.`}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" variant="outline" size="sm" className="mt-3" busy={isBusy ? t`Saving…` : undefined}>
        {t`Save`}
      </Button>
    </form>
  );
}
