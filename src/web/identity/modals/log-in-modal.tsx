import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { LogInForm } from '#domain/identity/forms.ts';
import { useIsOn } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Note } from '../../ui/note.tsx';
import { accountDraft } from './account-draft.ts';
import type { ModalProps } from './modal-props.ts';
import { logInMessage, signUpClosed } from '../messages.ts';
import { signInWithPassword } from '../sign-in.ts';
import { SocialButtons } from './social-buttons.tsx';

/** Also shown in place of the sign-up while the site takes no new accounts. */
export function LogInModal({ state, authFlow, site }: ModalProps) {
  const takesAccounts = useIsOn('signUp');
  const [refused, setRefused] = useState<string>();
  const { register, handleSubmit, formState, control } = useForm({
    resolver: zodResolver(LogInForm),
    mode: 'onTouched',
    defaultValues: { email: accountDraft.get().email ?? '', password: '' },
  });
  const email = useWatch({ control, name: 'email' });
  useEffect(() => accountDraft.update({ email }), [email]);
  const { errors, isValid, isSubmitting } = formState;

  const submit = handleSubmit(async (account) => {
    setRefused(undefined);
    const failure = await signInWithPassword({ authFlow, site, kind: 'log-in' }, account);
    if (failure) setRefused(logInMessage(failure));
  });

  return (
    <>
      <DialogTitle>Welcome back</DialogTitle>
      <DialogText>Your queue is where you left it.</DialogText>
      <form
        className="form"
        noValidate
        aria-label="Log in"
        onSubmit={(event) => void submit(event)}
        onChange={() => setRefused(undefined)}
      >
        {state.modal === 'sign-up' && <Note tone="info">{signUpClosed}</Note>}
        <SocialButtons authFlow={authFlow} site={site} kind="log-in" />
        {refused !== undefined && <Note tone="error">{refused}</Note>}
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...register('email')}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password')}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          width="full"
          disabled={!isValid}
          busy={isSubmitting ? 'Logging in…' : undefined}
        >
          Log in
        </Button>
      </form>
      <div className="modal__form">
        <button type="button" className="link" onClick={() => authFlow.goTo('reset')}>
          Forgot your password?
        </button>
        {takesAccounts && (
          <p>
            New here?{' '}
            <button type="button" className="link" onClick={() => authFlow.goTo('sign-up')}>
              Create account
            </button>
          </p>
        )}
      </div>
    </>
  );
}
