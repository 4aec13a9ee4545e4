import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ChangePasswordForm } from '#domain/identity/forms.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '../../ui/fields/field.tsx';
import { AccountForm } from './account-form.tsx';
import { refusalOf } from './account-messages.ts';
import type { Leave } from './account-row.tsx';
import { KnownEmail } from '../known-email.tsx';
import { useSession } from '../session-provider.tsx';

type AccountPasswordFormProps = {
  /** For password managers, which save the password under this username. */
  email: string;
  leave: Leave;
};

export function AccountPasswordForm({ email, leave }: AccountPasswordFormProps) {
  const { adopt } = useSession();
  const [failure, setFailure] = useState<string>();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(ChangePasswordForm),
    mode: 'onTouched',
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { errors, isValid, isSubmitting } = formState;

  const submit = handleSubmit(async (change) => {
    setFailure(undefined);
    const answer = await answerOf(api.user.password.$post({ json: change }));
    if (answer.ok) {
      // The change ends all sessions; the response contains a new one for this device.
      adopt(answer.data);
      return leave({ toast: 'Password changed. All other devices are logged out.' });
    }
    const { field, text } = refusalOf(answer, {
      'auth/wrong-password': 'currentPassword',
      'auth/weak-password': 'newPassword',
      'auth/common-password': 'newPassword',
    } as const);
    if (field === undefined) setFailure(text);
    else setError(field, { message: text }, { shouldFocus: true });
  });

  return (
    <AccountForm
      label="Change password"
      onSubmit={(event) => void submit(event)}
      onCancel={() => leave()}
      onEdit={() => setFailure(undefined)}
      isBusy={isSubmitting}
      isReady={isValid}
      failure={failure}
    >
      <KnownEmail email={email} />
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...register('currentPassword')}
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        error={errors.newPassword?.message}
        hint="At least 6 characters"
        {...register('newPassword')}
      />
    </AccountForm>
  );
}
