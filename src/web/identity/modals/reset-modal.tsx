import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { ResetForm } from '#domain/identity/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Note } from '../../ui/note.tsx';
import { loadIdentityProvider } from '../load-identity-provider.ts';
import { type Failure, resetFailure, resetSent } from '../messages.ts';
import { accountDraft } from './account-draft.ts';
import { ModalForm } from './modal-form.tsx';
import type { ModalProps } from './modal-props.ts';

export function ResetModal({ authFlow, site }: ModalProps) {
  const [isSent, setIsSent] = useState(false);
  const { control, field, state } = useCheckedForm({
    schema: ResetForm,
    defaultValues: { email: accountDraft.get().email ?? '' },
    async send({ email }) {
      const refused = await askForLink(email);
      const text = refused && resetFailure(refused);
      setIsSent(text === undefined);
      return text === undefined ? undefined : { field: undefined, text };
    },
  });
  const typed = useWatch({ control, name: 'email' });
  useEffect(() => accountDraft.update({ email: typed }), [typed]);
  const backToLogIn = () => authFlow.goTo('log-in');

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
        <DialogTitle>{t`Check your inbox`}</DialogTitle>
        <Note tone="success" className="mt-5">
          {resetSent()}
        </Note>
        <div className="form">
          <Button className="bg-overlay" size="lg" width="full" ref={takeFocus} onClick={backToLogIn}>
            {t`Back to log in`}
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <DialogTitle>{t`Reset your password`}</DialogTitle>
      <DialogText>{t`We will email you a link.`}</DialogText>
      <ModalForm label={t`Reset your password`} state={state} button={t`Send reset link`} busy={t`Sending…`}>
        <Field label={t`Email`} type="email" autoComplete="username" {...field('email')} />
      </ModalForm>
      <div className="modal__form">
        <button type="button" className="link" onClick={backToLogIn}>
          <Trans>Back to log in</Trans>
        </button>
      </div>
    </>
  );
}

/** Focuses the new button, because the focused field is gone. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus();
}
