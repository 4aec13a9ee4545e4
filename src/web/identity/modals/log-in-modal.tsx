import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { LogInForm } from '#domain/identity/forms.ts';
import { useIsOn } from '../../root-data.ts';
import { Field } from '../../ui/fields/field.tsx';
import { useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Note } from '../../ui/note.tsx';
import { logInMessage, signUpClosed } from '../messages.ts';
import { signInWithPassword } from '../sign-in.ts';
import { accountDraft } from './account-draft.ts';
import { ModalForm } from './modal-form.tsx';
import type { ModalProps } from './modal-props.ts';
import { SocialButtons } from './social-buttons.tsx';

/** Also shown in place of the sign-up while the site takes no new accounts. */
export function LogInModal({ state: { modal }, authFlow, site }: ModalProps) {
  const takesAccounts = useIsOn('signUp');
  const { control, field, state } = useCheckedForm({
    schema: LogInForm,
    defaultValues: { email: accountDraft.get().email ?? '', password: '' },
    async send(account) {
      const failure = await signInWithPassword({ authFlow, site, kind: 'log-in' }, account);
      return failure && { field: undefined, text: logInMessage(failure) };
    },
  });
  const email = useWatch({ control, name: 'email' });
  useEffect(() => accountDraft.update({ email }), [email]);

  return (
    <>
      <DialogTitle>{t`Welcome back`}</DialogTitle>
      <DialogText>{t`Your queue is where you left it.`}</DialogText>
      <ModalForm
        label={t`Log in`}
        state={state}
        button={t`Log in`}
        busy={t`Logging in…`}
        intro={
          <>
            {modal === 'sign-up' && <Note tone="info">{signUpClosed()}</Note>}
            <SocialButtons authFlow={authFlow} site={site} kind="log-in" />
          </>
        }
      >
        <Field label={t`Email`} type="email" autoComplete="username" {...field('email')} />
        <Field label={t`Password`} type="password" autoComplete="current-password" {...field('password')} />
      </ModalForm>
      <div className="modal__form">
        <button type="button" className="link" onClick={() => authFlow.goTo('reset')}>
          <Trans>Forgot your password?</Trans>
        </button>
        {takesAccounts && (
          <p>
            <Trans>
              New here?{' '}
              <button type="button" className="link" onClick={() => authFlow.goTo('sign-up')}>
                Create account
              </button>
            </Trans>
          </p>
        )}
      </div>
    </>
  );
}
