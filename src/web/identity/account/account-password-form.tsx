import { ChangePasswordForm } from '#domain/identity/forms.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '../../ui/fields/field.tsx';
import { useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { KnownEmail } from '../known-email.tsx';
import { useSession } from '../session-provider.tsx';
import { AccountForm } from './account-form.tsx';
import { refusalOf } from './account-messages.ts';
import type { Leave } from './account-row.tsx';

/** @param props.email for password managers, which save the password under this username */
export function AccountPasswordForm({ email, leave }: { email: string; leave: Leave }) {
  const { adopt } = useSession();
  const { field, state } = useCheckedForm({
    schema: ChangePasswordForm,
    defaultValues: { currentPassword: '', newPassword: '' },
    async send(change) {
      const answer = await answerOf(api.user.password.$post({ json: change }));
      if (answer.ok) {
        // The change ends all sessions; the response contains a new one for this device.
        adopt(answer.data);
        return leave({ toast: 'Password changed. All other devices are logged out.' });
      }
      return refusalOf(answer, {
        'auth/wrong-password': 'currentPassword',
        'auth/weak-password': 'newPassword',
        'auth/common-password': 'newPassword',
      } as const);
    },
  });

  return (
    <AccountForm label="Change password" state={state} onCancel={() => leave()}>
      <KnownEmail email={email} />
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters"
        {...field('newPassword')}
      />
    </AccountForm>
  );
}
