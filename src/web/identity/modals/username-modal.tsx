import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { UsernameForm } from '#domain/identity/forms.ts';
import { answerOf, api } from '../../api.ts';
import { useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { usernameMessage } from '../messages.ts';
import { ConsentFields } from './consent-fields.tsx';
import { ModalForm } from './modal-form.tsx';
import type { ModalProps } from './modal-props.ts';
import { UsernameField } from './username-field.tsx';

/** Asks a new account of social sign-in for its username and consent. */
export function UsernameModal({ onNamed, source }: ModalProps) {
  const [isTaken, setIsTaken] = useState(false);
  const { control, field, state } = useCheckedForm({
    schema: UsernameForm,
    defaultValues: { username: '', tac: false, legal: false },
    async send(profile) {
      const answer = await answerOf(api.user.profile.$post({ json: { ...profile, source } }));
      return answer.ok ? onNamed(answer.data.user) : usernameMessage(answer);
    },
  });
  const username = useWatch({ control, name: 'username' });

  return (
    <>
      <DialogTitle>{t`Choose a username`}</DialogTitle>
      <DialogText>{t`It appears on your comments and playlists.`}</DialogText>
      <ModalForm label={t`Choose a username`} state={state} button={t`Continue`} busy={t`Saving…`} isBlocked={isTaken}>
        <UsernameField value={username} onTaken={setIsTaken} {...field('username')} />
        <ConsentFields tac={field('tac')} legal={field('legal')} />
      </ModalForm>
    </>
  );
}
