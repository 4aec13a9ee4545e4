import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { passwordLength } from '#domain/identity/rules.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Note } from '../ui/note.tsx';
import { linkToken, spentLink, useHasToken } from './link-page.ts';
import { useSession } from './session-provider.tsx';

/** Where the link of a reset mail leads: a new password, then logging in with it. */
export function NewPassword() {
  const { openModal } = useSession();
  const [failure, setFailure] = useState<string>();
  const [isSet, setIsSet] = useState(false);
  const [isRefused, setIsRefused] = useState(false);
  const isSpent = !useHasToken() || isRefused;
  const heading = useRef<HTMLHeadingElement>(null);
  // One field: the library of the other forms would come with every page, since this is one.
  const [password, setPassword] = useState('');
  const [isTouched, setIsTouched] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const mistake = mistakeIn(password);

  const logIn = useEffectEvent(() => openModal('log-in'));
  useEffect(() => {
    // The button that was pressed is gone.
    if ((isSpent || isSet) && document.activeElement === document.body) heading.current?.focus();
    if (isSet) logIn();
  }, [isSpent, isSet]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (mistake !== undefined || isBusy) return;
    setFailure(undefined);
    setIsBusy(true);
    const refused = await setNewPassword(linkToken(), password);
    setIsBusy(false);
    if (refused === spentLink) return setIsRefused(true);
    if (refused !== undefined) return setFailure(refused);
    setIsSet(true);
  }

  if (isSet) {
    return (
      <>
        <h1 ref={heading} className="t-44" tabIndex={-1}>
          Your password is changed
        </h1>
        <Note tone="success" className="mt-5">
          Log in with your new password.
        </Note>
        <div className="form">
          <Button variant="primary" size="lg" width="full" onClick={() => openModal('log-in')}>
            Log in
          </Button>
        </div>
      </>
    );
  }
  if (isSpent) {
    return (
      <>
        <h1 ref={heading} className="t-44" tabIndex={-1}>
          Set a new password
        </h1>
        <Note tone="error" className="mt-5">
          {spentLink}
        </Note>
        <div className="form">
          <Button variant="primary" size="lg" width="full" onClick={() => openModal('reset')}>
            Send a new link
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <h1 className="t-44">Set a new password</h1>
      <noscript>
        <p className="modal__p">Setting it needs JavaScript.</p>
      </noscript>
      <form className="form script" noValidate onSubmit={(event) => void submit(event)}>
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${passwordLength.min} characters`}
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
          disabled={mistake !== undefined}
          busy={isBusy ? 'Saving…' : undefined}
        >
          Set password
        </Button>
      </form>
    </>
  );
}

/** Texts of spec §5. */
function mistakeIn(password: string): string | undefined {
  if (password === '') return 'Please enter a password';
  if (password.length < passwordLength.min) return 'Password is too short';
  return password.length > passwordLength.max ? `At most ${passwordLength.max} characters` : undefined;
}

/** At the built-in provider; others have pages of their own. @returns what went wrong, in words */
async function setNewPassword(token: string, newPassword: string): Promise<string | undefined> {
  try {
    const response = await fetch('/identity/reset-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, newPassword }),
    });
    if (response.ok) return undefined;
    if (response.status === 429) return 'Too many requests. Please wait a moment.';
    return response.status < 500 ? spentLink : 'Something went wrong. Please try again.';
  } catch {
    return 'No internet connection';
  }
}
