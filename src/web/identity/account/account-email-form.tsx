import { ChangeEmailForm } from '#domain/identity/forms.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '../../ui/fields/field.tsx';
import { useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { KnownEmail } from '../known-email.tsx';
import { AccountForm } from './account-form.tsx';
import { refusalOf } from './account-messages.ts';
import type { Leave } from './account-row.tsx';

/** Sends a confirmation link to the new address; nothing changes until it is used. */
export function AccountEmailForm({ leave }: { leave: Leave }) {
  const { field, state } = useCheckedForm({
    schema: ChangeEmailForm,
    defaultValues: { email: '', password: '' },
    async send(change) {
      const answer = await answerOf(api.user.email.$post({ json: change }));
      if (answer.ok) return leave({ note: answer.data.message });
      return refusalOf(answer, { 'auth/invalid-email': 'email', 'auth/wrong-password': 'password' } as const);
    },
  });

  return (
    <AccountForm label="Edit email" state={state} onCancel={() => leave()}>
      <Field
        label="New email"
        type="email"
        autoComplete="email"
        hint="We will send a link to this address. Your email changes once you confirm it there."
        {...field('email')}
      />
      <KnownEmail />
      <Field label="Password" type="password" autoComplete="current-password" {...field('password')} />
    </AccountForm>
  );
}
