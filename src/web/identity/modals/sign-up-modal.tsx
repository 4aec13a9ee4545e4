import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { SignUpForm } from '#domain/identity/forms.ts';
import { passwordLength } from '#domain/identity/rules.ts';
import { answerOf, api } from '../../api.ts';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Note } from '../../ui/note.tsx';
import { accountDraft } from './account-draft.ts';
import type { ModalProps } from './modal-props.ts';
import { ConsentFields } from './consent-fields.tsx';
import { signUpMessage } from '../messages.ts';
import { signInWithPassword } from '../sign-in.ts';
import { SocialButtons } from './social-buttons.tsx';
import { UsernameField } from './username-field.tsx';

export function SignUpModal({ promoCodeNote, authFlow, site, source }: ModalProps) {
  const note = useRootData()?.look?.signUpNote;
  const [refused, setRefused] = useState<string>();
  const [isTaken, setIsTaken] = useState(false);
  // The account was created but the sign-in after it failed. Another press must not report the address as taken.
  const [registered, setRegistered] = useState<string>();
  const form = useForm({
    resolver: zodResolver(SignUpForm),
    mode: 'onTouched',
    defaultValues: { email: '', username: '', password: '', tac: false, legal: false, ...accountDraft.get() },
  });
  const { register, handleSubmit, setError } = form;
  const typed = useWatch({ control: form.control });
  useEffect(() => accountDraft.update(typed), [typed]);
  const { errors, isValid, isSubmitting } = form.formState;

  const submit = handleSubmit(async ({ tac, legal, ...account }) => {
    setRefused(undefined);
    const failure = await signUp({ ...account, tac, legal });
    if (failure === undefined) return;
    const { field, text } = signUpMessage(failure);
    if (field === undefined) setRefused(text);
    else setError(field, { message: text }, { shouldFocus: true });
  });

  async function signUp(account: SignUpForm) {
    // Nobody could log in to the account.
    if (!navigator.cookieEnabled) return { code: 'auth/cookies-blocked' };
    if (registered !== account.email) {
      const answer = await answerOf(api.auth.register.$post({ json: { ...account, source } }));
      if (!answer.ok) return answer;
      setRegistered(account.email);
    }
    return signInWithPassword({ authFlow, site, kind: 'sign-up' }, account);
  }

  return (
    <>
      <DialogTitle>Create your account</DialogTitle>
      <DialogText>{note ?? 'Free to join. Try everything with a free trial.'}</DialogText>
      <form
        className="form"
        noValidate
        aria-label="Create account"
        onSubmit={(event) => void submit(event)}
        onChange={() => setRefused(undefined)}
      >
        {promoCodeNote}
        <SocialButtons authFlow={authFlow} site={site} kind="sign-up" />
        {refused !== undefined && <Note tone="error">{refused}</Note>}
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...register('email')}
        />
        <UsernameField
          value={typed.username ?? ''}
          error={errors.username?.message}
          onTaken={setIsTaken}
          {...register('username')}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${passwordLength.min} characters`}
          error={errors.password?.message}
          {...register('password')}
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
          busy={isSubmitting ? 'Creating account…' : undefined}
        >
          Create account
        </Button>
      </form>
      <p className="modal__form block">
        Already have an account?{' '}
        <button type="button" className="link" onClick={() => authFlow.goTo('log-in')}>
          Log in
        </button>
      </p>
    </>
  );
}
