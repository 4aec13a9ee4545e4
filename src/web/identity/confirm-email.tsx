import { useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { linkToken } from './link-page.ts';

type Outcome = { ok: true; email: string } | { ok: false; message: string };

/** Where the link to a new e-mail address leads. Opening it changes nothing, since mail programs open links by themselves. */
export function ConfirmEmail() {
  const { revalidate } = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  async function confirm(): Promise<void> {
    setIsBusy(true);
    const answer = await answerOf(api.auth.email.confirm.$post({ json: { token: linkToken() } }));
    setIsBusy(false);
    setOutcome(answer.ok ? { ok: true, email: answer.data.email } : { ok: false, message: answer.message });
    if (answer.ok) void revalidate();
  }

  if (outcome?.ok) {
    return (
      <>
        <h1 className="t-44">Your email is changed</h1>
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
  return (
    <>
      <h1 className="t-44">Confirm your email</h1>
      <p className="modal__p">Your account will use this address from now on.</p>
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
