import { useEffect, useRef, useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { linkToken, usedLinkText, useHasToken } from './link-page.ts';

type Outcome = { ok: true; email: string; isSpent?: false } | { ok: false; message: string; isSpent: boolean };

/**
 * Target of the link to confirm a new email address. Opening it changes nothing, because mail programs prefetch links.
 */
export function ConfirmEmail() {
  const { revalidate } = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const heading = useRef<HTMLHeadingElement>(null);
  const isSpent = !useHasToken() || outcome?.isSpent === true;
  const isOver = isSpent || outcome?.ok === true;

  useEffect(() => {
    // The pressed button is gone, so the heading gets the focus.
    if (isOver && document.activeElement === document.body) heading.current?.focus();
  }, [isOver]);

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
    return (
      <>
        <h1 ref={heading} className="text-44" tabIndex={-1}>
          Your email is changed
        </h1>
        <Note tone="success" className="mt-5">
          From now on you log in with {outcome.email}.
        </Note>
        <div className="form">
          <Button variant="primary" size="lg" width="full" render={<Link to={href('/')} />}>
            Go home
          </Button>
        </div>
      </>
    );
  }
  if (isSpent) {
    return (
      <>
        <h1 ref={heading} className="text-44" tabIndex={-1}>
          Confirm your email
        </h1>
        <Note tone="error" className="mt-5">
          {usedLinkText}
        </Note>
        <p className="modal__text mt-4">Your account can send you a new one.</p>
        <div className="form">
          <Button variant="primary" size="lg" width="full" render={<Link to={href('/account')} />}>
            Go to your account
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <h1 className="text-44">Confirm your email</h1>
      <p className="modal__text">Your account will use this address from now on.</p>
      <noscript>
        <p className="modal__text">Confirming it needs JavaScript.</p>
      </noscript>
      <div className="form">
        {outcome && <Note tone="error">{outcome.message}</Note>}
        <Button
          variant="primary"
          size="lg"
          width="full"
          busy={isBusy ? 'Confirming…' : undefined}
          onClick={() => void confirm()}
        >
          Confirm email
        </Button>
      </div>
    </>
  );
}
