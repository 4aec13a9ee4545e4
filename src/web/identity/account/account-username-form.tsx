import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useRevalidator } from 'react-router';
import { ProfileForm } from '#domain/identity/forms.ts';
import { answerOf, api } from '../../api.ts';
import { useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { UsernameField } from '../modals/username-field.tsx';
import { AccountForm } from './account-form.tsx';
import { refusalOf } from './account-messages.ts';
import type { Leave } from './account-row.tsx';

export function AccountUsernameForm({ current, leave }: { current: string; leave: Leave }) {
  const { revalidate } = useRevalidator();
  const [isTaken, setIsTaken] = useState(false);
  const { control, field, state } = useCheckedForm({
    schema: ProfileForm,
    defaultValues: { username: current },
    async send({ username }) {
      if (username === current) return leave();
      const answer = await answerOf(api.user.profile.$post({ json: { username } }));
      if (answer.ok) {
        await revalidate();
        return leave({ toast: 'Username saved' });
      }
      return refusalOf(answer, {
        'auth/username-already-in-use': 'username',
        'auth/invalid-username': 'username',
      } as const);
    },
  });
  const typed = useWatch({ control, name: 'username' });

  return (
    <AccountForm label="Edit username" state={state} isBlocked={isTaken} onCancel={() => leave()}>
      <UsernameField value={typed} current={current} onTaken={setIsTaken} {...field('username')} />
    </AccountForm>
  );
}
