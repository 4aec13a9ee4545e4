import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { LinkOutcome, linkToken, usedLinkText, useHasToken } from './link-page.tsx';

type Outcome = { ok: true; email: string; isSpent?: false } | { ok: false; message: string; isSpent: boolean };

/**
 * Target of the link to confirm a new email address. Opening it changes nothing, because mail programs prefetch links.
 */
export function ConfirmEmail() {
  const { revalidate } = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const isSpent = !useHasToken() || outcome?.isSpent === true;

  async function confirm(): Promise<void> {
    setIsBusy(true);
    const answer = await answerOf(api.auth.email.confirm.$post({ json: { token: linkToken() } }));
    setIsBusy(false);
    if (!answer.ok) {
      const { message, code } = answer;
      return setOutcome({ ok: false, message, isSpent: code === 'auth/invalid-link' });
    }
    setOutcome({ ok: true, email: answer.data.email });
    void revalidate();
  }

  if (outcome?.ok) {
    const { email } = outcome;
    return (
      <LinkOutcome title={t`Your email is changed`} tone="success" text={t`From now on you log in with ${email}.`}>
        <Button variant="primary" size="lg" width="full" render={<Link to={href('/')} />}>
          {t`Go home`}
        </Button>
      </LinkOutcome>
    );
  }
  if (isSpent) {
    return (
      <LinkOutcome
        title={t`Confirm your email`}
        tone="error"
        text={usedLinkText()}
        more={
          <p className="modal__text mt-4">
            <Trans>Your account can send you a new one.</Trans>
          </p>
        }
      >
        <Button variant="primary" size="lg" width="full" render={<Link to={href('/account')} />}>
          {t`Go to your account`}
        </Button>
      </LinkOutcome>
    );
  }
  return (
    <>
      <h1 className="text-44">
        <Trans>Confirm your email</Trans>
      </h1>
      <p className="modal__text">
        <Trans>Your account will use this address from now on.</Trans>
      </p>
      <noscript>
        <p className="modal__text">
          <Trans>Confirming it needs JavaScript.</Trans>
        </p>
      </noscript>
      <div className="form">
        {outcome && <Note tone="error">{outcome.message}</Note>}
        <Button
          variant="primary"
          size="lg"
          width="full"
          busy={isBusy ? t`Confirming…` : undefined}
          onClick={() => void confirm()}
        >
          {t`Confirm email`}
        </Button>
      </div>
    </>
  );
}
