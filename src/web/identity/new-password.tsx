import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { passwordLength } from '#domain/identity/rules.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Note } from '../ui/note.tsx';
import { useHydrated } from '../ui/use-client-value.ts';
import { callIdentity } from './identity-call.ts';
import { KnownEmail } from './known-email.tsx';
import { LinkOutcome, linkToken, usedLinkText, useHasToken, useLinkEmail } from './link-page.tsx';
import { useSession } from './session-provider.tsx';

/** Target of the link in a reset mail: sets a new password, then logs in with it. */
export function NewPassword() {
  const { openModal } = useSession();
  const isHydrated = useHydrated();
  const [failure, setFailure] = useState<string>();
  const [isSet, setIsSet] = useState(false);
  const [isRefused, setIsRefused] = useState(false);
  const isSpent = !useHasToken() || isRefused;
  const email = useLinkEmail();
  // Plain state for the one field: this is a route, so the form library would be part of the pages’ preloaded scripts.
  const [password, setPassword] = useState('');
  const [isTouched, setIsTouched] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const mistake = mistakeIn(password);
  const { min } = passwordLength;

  const logIn = useEffectEvent(() => openModal('log-in'));
  useEffect(() => {
    if (isSet) logIn();
  }, [isSet]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (mistake !== undefined || isBusy) return;
    setFailure(undefined);
    setIsBusy(true);
    const refused = await setNewPassword(linkToken(), password);
    setIsBusy(false);
    if (refused === usedLinkText()) return setIsRefused(true);
    if (refused !== undefined) return setFailure(refused);
    setIsSet(true);
  }

  if (isSet) {
    return (
      <LinkOutcome title={t`Your password is changed`} tone="success" text={t`Log in with your new password.`}>
        <Button variant="primary" size="lg" width="full" onClick={() => openModal('log-in')}>
          {t`Log in`}
        </Button>
      </LinkOutcome>
    );
  }
  if (isSpent) {
    return (
      <LinkOutcome title={t`Set a new password`} tone="error" text={usedLinkText()}>
        <Button variant="primary" size="lg" width="full" onClick={() => openModal('reset')}>
          {t`Send a new link`}
        </Button>
      </LinkOutcome>
    );
  }
  return (
    <>
      <h1 className="text-44">
        <Trans>Set a new password</Trans>
      </h1>
      <noscript>
        <p className="modal__text">
          <Trans>Setting it needs JavaScript.</Trans>
        </p>
      </noscript>
      <form
        className="form noscript:hidden"
        noValidate
        onSubmit={(event) => void submit(event)}
        onChange={() => setFailure(undefined)}
      >
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <KnownEmail email={email} />
        <Field
          label={t`New password`}
          type="password"
          autoComplete="new-password"
          hint={t`At least ${min} characters`}
          error={isTouched ? mistake : undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          onBlur={() => setIsTouched(true)}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          width="full"
          disabled={isHydrated && mistake !== undefined}
          busy={isBusy ? t`Saving…` : undefined}
        >
          {t`Set password`}
        </Button>
      </form>
    </>
  );
}

/** Texts of spec §5. */
function mistakeIn(password: string): string | undefined {
  const { min, max } = passwordLength;
  if (password === '') return t`Please enter a password`;
  if (password.length < min) return t`Password is too short`;
  return password.length > max ? t`At most ${max} characters` : undefined;
}

/** Built-in provider only; others have their own reset pages. @returns the error message, if any */
async function setNewPassword(token: string, newPassword: string): Promise<string | undefined> {
  const answer = await callIdentity('POST', '/identity/reset-password', { token, newPassword });
  if (answer.ok) return undefined;
  const { status, code, message } = answer;
  if (status === 0) return t`No internet connection`;
  if (code === 'auth/invalid-link') return usedLinkText();
  // Without a code it is a proxy’s answer.
  return (code && message) ?? t`Something went wrong. Please try again.`;
}
