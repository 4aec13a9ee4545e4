import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/layers/dialog.tsx';
import { Field } from '../ui/fields/field.tsx';
import { useChange } from './use-change.ts';

/** Applies a promo code to future charges. */
export function PromoCodeDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { isBusy, failure, run, clear } = useChange();
  const [code, setCode] = useState('');
  const promoCode = code.trim();

  function close(): void {
    clear();
    onClose();
  }

  async function apply(): Promise<void> {
    if (promoCode === '') return;
    const call = () => answerOf(api.user.subscription['promo-code'].$post({ json: { promoCode } }));
    if (await run(call, t`Your promo code applies from the next payment on`)) close();
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Add a promo code`}
      description={t`It applies from the next payment on.`}
    >
      <form
        className="form"
        noValidate
        aria-label={t`Add a promo code`}
        onSubmit={(event) => {
          event.preventDefault();
          void apply();
        }}
      >
        <Field
          label={t`Promo code`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          value={code}
          error={failure}
          onChange={({ target }) => {
            setCode(target.value);
            clear();
          }}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          width="full"
          disabled={promoCode === ''}
          busy={isBusy ? t`Adding…` : undefined}
        >
          {t`Add`}
        </Button>
      </form>
    </Dialog>
  );
}
