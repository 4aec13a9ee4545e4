import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { LogInForm } from '#domain/identity/forms.ts';
import { Button } from '../ui/button.tsx';
import { DialogText, DialogTitle } from '../ui/dialog-window.tsx';
import { Field } from '../ui/field.tsx';
import { Note } from '../ui/note.tsx';
import type { ModalProps } from './account-modals.tsx';
import { logInMessage } from './messages.ts';
import { signInWithPassword } from './sign-in.ts';
import { SocialButtons } from './social-buttons.tsx';

export function LogInModal({ entrance, site }: ModalProps) {
  const [refused, setRefused] = useState<string>();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(LogInForm),
    mode: 'onTouched',
    defaultValues: { email: '', password: '' },
  });
  const { errors, isValid, isSubmitting } = formState;

  const submit = handleSubmit(async ({ email, password }) => {
    setRefused(undefined);
    const failure = await signInWithPassword({ entrance, site, kind: 'log-in' }, { email, password });
    if (failure) setRefused(logInMessage(failure));
  });

  return (
    <>
      <DialogTitle>Welcome back</DialogTitle>
      <DialogText>Your queue is where you left it.</DialogText>
      <form className="form" noValidate aria-label="Log in" onSubmit={(event) => void submit(event)}>
        <SocialButtons entrance={entrance} site={site} kind="log-in" />
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
      <div className="modal__f">
        <button type="button" className="link" onClick={() => entrance.goTo('reset')}>
          Forgot your password?
        </button>
        <p>
          New here?{' '}
          <button type="button" className="link" onClick={() => entrance.goTo('sign-up')}>
            Create account
          </button>
        </p>
      </div>
    </>
  );
}
