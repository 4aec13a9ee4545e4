import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { ResetForm } from '#domain/identity/forms.ts';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Note } from '../../ui/note.tsx';
import { accountDraft } from './account-draft.ts';
import type { ModalProps } from './modal-props.ts';
import type { Failure } from '../messages.ts';
import { resetFailure, resetSent } from '../messages.ts';
import { loadIdentityProvider } from '../load-identity-provider.ts';

export function ResetModal({ authFlow, site }: ModalProps) {
  const [failure, setFailure] = useState<string>();
  const [isSent, setIsSent] = useState(false);
  const { register, handleSubmit, formState, control } = useForm({
    resolver: zodResolver(ResetForm),
    mode: 'onTouched',
    defaultValues: { email: accountDraft.get().email ?? '' },
  });
  const typed = useWatch({ control, name: 'email' });
  useEffect(() => accountDraft.update({ email: typed }), [typed]);
  const { errors, isValid, isSubmitting } = formState;
  const backToLogIn = () => authFlow.goTo('log-in');

  const submit = handleSubmit(async ({ email }) => {
    const refused = await askForLink(email);
    const text = refused && resetFailure(refused);
    setFailure(text);
    setIsSent(text === undefined);
  });

  async function askForLink(email: string): Promise<Failure | undefined> {
    try {
      const outcome = await (await loadIdentityProvider(site.identity)).sendPasswordReset(email);
      return outcome.ok ? undefined : outcome;
    } catch {
      return { code: 'auth/network-request-failed' };
    }
  }

  if (isSent) {
    return (
      <>
        <DialogTitle>Check your inbox</DialogTitle>
        <Note tone="success" className="mt-5">
          {resetSent}
        </Note>
        <div className="form">
          <Button className="bg-overlay" size="lg" width="full" ref={takeFocus} onClick={backToLogIn}>
            Back to log in
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <DialogTitle>Reset your password</DialogTitle>
      <DialogText>We will email you a link.</DialogText>
      <form
        className="form"
        noValidate
        aria-label="Reset your password"
        onSubmit={(event) => void submit(event)}
        onChange={() => setFailure(undefined)}
      >
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...register('email')}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          width="full"
          disabled={!isValid}
          busy={isSubmitting ? 'Sending…' : undefined}
        >
          Send reset link
        </Button>
      </form>
      <div className="modal__form">
        <button type="button" className="link" onClick={backToLogIn}>
          Back to log in
        </button>
      </div>
    </>
  );
}

/** Focuses the new button, because the focused field is gone. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus();
}
