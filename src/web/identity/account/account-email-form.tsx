import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ChangeEmailForm } from '#domain/identity/forms.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '../../ui/fields/field.tsx';
import { AccountForm } from './account-form.tsx';
import { refusalOf } from './account-messages.ts';
import { KnownEmail } from '../known-email.tsx';
import type { Leave } from './account-row.tsx';

/** Sends a confirmation link to the new address; nothing changes until it is used. */
export function AccountEmailForm({ leave }: { leave: Leave }) {
  const [failure, setFailure] = useState<string>();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(ChangeEmailForm),
    mode: 'onTouched',
    defaultValues: { email: '', password: '' },
  });
  const { errors, isValid, isSubmitting } = formState;

  const submit = handleSubmit(async (change) => {
    setFailure(undefined);
    const answer = await answerOf(api.user.email.$post({ json: change }));
    if (answer.ok) return leave({ note: answer.data.message });
    const { field, text } = refusalOf(answer, {
      'auth/invalid-email': 'email',
      'auth/wrong-password': 'password',
    } as const);
    if (field === undefined) setFailure(text);
    else setError(field, { message: text }, { shouldFocus: true });
  });

  return (
    <AccountForm
      label="Edit email"
      onSubmit={(event) => void submit(event)}
      onCancel={() => leave()}
      onEdit={() => setFailure(undefined)}
      isBusy={isSubmitting}
      isReady={isValid}
      failure={failure}
    >
      <Field
        label="New email"
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        hint="We will send a link to this address. Your email changes once you confirm it there."
        {...register('email')}
      />
      <KnownEmail />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
    </AccountForm>
  );
}
