import { useState } from 'react';
import { MadeGiftCardForm } from '#domain/membership/forms.ts';
import { giftCardMonths } from '#domain/membership/rules.ts';
import { countOf } from '#formats/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';

type GiftCardDialogProps = {
  isBusy: boolean;
  onSave: (form: MadeGiftCardForm) => void;
  onClose: () => void;
};

/** A gift card that an operator makes. Open while rendered. */
export function GiftCardDialog({ isBusy, onSave, onClose }: GiftCardDialogProps) {
  const [typed, setTyped] = useState({ months: '1', recipientEmail: '', senderName: '', message: '' });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const set = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change });

  function submit(): void {
    const parsed = MadeGiftCardForm.safeParse({ ...typed, months: Number(typed.months) });
    setErrors(Object.fromEntries((parsed.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message])));
    if (parsed.success) onSave(parsed.data);
  }

  return (
    <DialogWindow
      open
      onClose={onClose}
      title="New gift card"
      description="Nobody pays for it. Its code is emailed within a minute, and nobody can read it here."
      dismissedBy="button"
    >
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) submit();
        }}
      >
        <ChoiceField
          label="Length"
          value={typed.months}
          none={null}
          options={giftCardMonths.map((months) => ({ value: String(months), label: countOf(months, 'month') }))}
          onChoose={(months) => set({ months: months ?? '1' })}
        />
        <Field
          label="Recipient’s email"
          type="email"
          autoComplete="off"
          value={typed.recipientEmail}
          error={errors.recipientEmail}
          onChange={({ target }) => set({ recipientEmail: target.value })}
        />
        <Field
          label="From"
          isOptional
          autoComplete="off"
          maxLength={60}
          hint="Without a name it comes from the site"
          value={typed.senderName}
          error={errors.senderName}
          onChange={({ target }) => set({ senderName: target.value })}
        />
        <TextArea
          label="Message"
          isOptional
          maxLength={500}
          value={typed.message}
          error={errors.message}
          onChange={({ target }) => set({ message: target.value })}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={isBusy ? 'Making…' : undefined}>
            Make gift card
          </Button>
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </DialogWindow>
  );
}
