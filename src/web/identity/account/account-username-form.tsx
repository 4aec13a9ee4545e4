import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useRevalidator } from 'react-router';
import { ProfileForm } from '#domain/identity/forms.ts';
import { answerOf, api } from '../../api.ts';
import { AccountForm } from './account-form.tsx';
import { refusalOf } from './account-messages.ts';
import type { Leave } from './account-row.tsx';
import { UsernameField } from '../modals/username-field.tsx';

export function AccountUsernameForm({ current, leave }: { current: string; leave: Leave }) {
  const { revalidate } = useRevalidator();
  const [failure, setFailure] = useState<string>();
  const [isTaken, setIsTaken] = useState(false);
  const { register, handleSubmit, setError, control, formState } = useForm({
    resolver: zodResolver(ProfileForm),
    mode: 'onTouched',
    defaultValues: { username: current },
  });
  const { errors, isValid, isSubmitting } = formState;
  const typed = useWatch({ control, name: 'username' });

  const submit = handleSubmit(async ({ username }) => {
    if (username === current) return leave();
    setFailure(undefined);
    const answer = await answerOf(api.user.profile.$post({ json: { username } }));
    if (answer.ok) {
      await revalidate();
      return leave({ toast: 'Username saved' });
    }
    const { field, text } = refusalOf(answer, {
      'auth/username-already-in-use': 'username',
      'auth/invalid-username': 'username',
    } as const);
    if (field === undefined) setFailure(text);
    else setError(field, { message: text }, { shouldFocus: true });
  });

  return (
    <AccountForm
      label="Edit username"
      onSubmit={(event) => void submit(event)}
      onCancel={() => leave()}
      onEdit={() => setFailure(undefined)}
      isBusy={isSubmitting}
      isReady={isValid && !isTaken}
      failure={failure}
    >
      <UsernameField
        value={typed}
        current={current}
        error={errors.username?.message}
        onTaken={setIsTaken}
        {...register('username')}
      />
    </AccountForm>
  );
}
