import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { answerOf, api } from '../../api.ts';
import { Field } from '../../ui/fields/field.tsx';
import { AccountForm } from './account-form.tsx';
import type { Leave } from './account-row.tsx';

type AccountLetterFormProps = {
  /** Null: the first letter of the username is shown. */
  current: string | null;
  leave: Leave;
};

export function AccountLetterForm({ current, leave }: AccountLetterFormProps) {
  const { revalidate } = useRevalidator();
  const [typed, setTyped] = useState(current ?? '');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function save(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const answer = await answerOf(api.user.profile.$post({ json: { icon: firstOf(typed) ?? null } }));
    if (answer.ok) {
      await revalidate();
      return leave({ toast: 'Avatar letter saved' });
    }
    setIsBusy(false);
    setFailure(answer.message);
  }

  return (
    <AccountForm
      label="Edit avatar letter"
      state={{
        failure,
        isReady: true,
        isBusy,
        onSubmit(event) {
          event.preventDefault();
          if (!isBusy) void save();
        },
        onChange: () => setFailure(undefined),
      }}
      onCancel={() => leave()}
    >
      <Field
        label="Avatar letter"
        className="w-40"
        autoComplete="off"
        value={typed}
        hint="Leave empty for the first letter of your username"
        onChange={(event) => setTyped(firstOf(event.target.value) ?? '')}
      />
    </AccountForm>
  );
}

/** Only the first character of a pasted text. */
function firstOf(text: string): string | undefined {
  return [...text.trim()][0];
}
