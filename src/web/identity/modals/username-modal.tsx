import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { UsernameForm } from '#domain/identity/forms.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Note } from '../../ui/note.tsx';
import type { ModalProps } from './modal-props.ts';
import { ConsentFields } from './consent-fields.tsx';
import { usernameMessage } from '../messages.ts';
import { UsernameField } from './username-field.tsx';

/** Asks a new account of social sign-in for its username and consent. */
export function UsernameModal({ onNamed, source }: ModalProps) {
  const [refused, setRefused] = useState<string>();
  const [isTaken, setIsTaken] = useState(false);
  const form = useForm({
    resolver: zodResolver(UsernameForm),
    mode: 'onTouched',
    defaultValues: { username: '', tac: false, legal: false },
  });
  const { register, handleSubmit, setError } = form;
  const username = useWatch({ control: form.control, name: 'username' });
  const { errors, isValid, isSubmitting } = form.formState;

  const submit = handleSubmit(async (profile) => {
    setRefused(undefined);
    const answer = await answerOf(api.user.profile.$post({ json: { ...profile, source } }));
    if (answer.ok) return onNamed(answer.data.user);
    const { field, text } = usernameMessage(answer);
    if (field === undefined) setRefused(text);
    else setError(field, { message: text }, { shouldFocus: true });
  });

  return (
    <>
      <DialogTitle>Choose a username</DialogTitle>
      <DialogText>It appears on your comments and playlists.</DialogText>
      <form
        className="form"
        noValidate
        aria-label="Choose a username"
        onSubmit={(event) => void submit(event)}
        onChange={() => setRefused(undefined)}
      >
        {refused !== undefined && <Note tone="error">{refused}</Note>}
        <UsernameField
          value={username}
          error={errors.username?.message}
          onTaken={setIsTaken}
          {...register('username')}
        />
        <ConsentFields
          tac={{ error: errors.tac?.message, ...register('tac') }}
          legal={{ error: errors.legal?.message, ...register('legal') }}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          width="full"
          disabled={!isValid || isTaken}
          busy={isSubmitting ? 'Saving…' : undefined}
        >
          Continue
        </Button>
      </form>
    </>
  );
}
