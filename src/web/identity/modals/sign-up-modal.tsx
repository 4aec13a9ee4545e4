import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { SignUpForm } from '#domain/identity/forms.ts';
import { passwordLength } from '#domain/identity/rules.ts';
import { answerOf, api } from '../../api.ts';
import { useRootData } from '../../root-data.ts';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { accountDraft } from './account-draft.ts';
import { ModalForm } from './modal-form.tsx';
import type { ModalProps } from './modal-props.ts';
import { ConsentFields } from './consent-fields.tsx';
import { signUpMessage } from '../messages.ts';
import { signInWithPassword } from '../sign-in.ts';
import { SocialButtons } from './social-buttons.tsx';
import { UsernameField } from './username-field.tsx';

export function SignUpModal({ promoCodeNote, authFlow, site, source }: ModalProps) {
  const note = useRootData()?.look?.signUpNote;
  const [isTaken, setIsTaken] = useState(false);
  // The account was created but the sign-in after it failed. Another press must not report the address as taken.
  const [registered, setRegistered] = useState<string>();
  const { control, field, state } = useCheckedForm({
    schema: SignUpForm,
    defaultValues: { email: '', username: '', password: '', tac: false, legal: false, ...accountDraft.get() },
    async send(account) {
      const failure = await signUp(account);
      return failure && signUpMessage(failure);
    },
  });
  const typed = useWatch({ control });
  const { min } = passwordLength;
  useEffect(() => accountDraft.update(typed), [typed]);

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
      <DialogTitle>{t`Create your account`}</DialogTitle>
      <DialogText>{note ?? t`Free to join. Try everything with a free trial.`}</DialogText>
      <ModalForm
        label={t`Create account`}
        state={state}
        button={t`Create account`}
        busy={t`Creating account…`}
        isBlocked={isTaken}
        intro={
          <>
            {promoCodeNote}
            <SocialButtons authFlow={authFlow} site={site} kind="sign-up" />
          </>
        }
      >
        <Field label={t`Email`} type="email" autoComplete="username" {...field('email')} />
        <UsernameField value={typed.username ?? ''} onTaken={setIsTaken} {...field('username')} />
        <Field
          label={t`Password`}
          type="password"
          autoComplete="new-password"
          hint={t`At least ${min} characters`}
          {...field('password')}
        />
        <ConsentFields tac={field('tac')} legal={field('legal')} />
      </ModalForm>
      <p className="modal__form block">
        <Trans>
          Already have an account?{' '}
          <button type="button" className="link" onClick={() => authFlow.goTo('log-in')}>
            Log in
          </button>
        </Trans>
      </p>
    </>
  );
}
