import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import { answerOf, api } from '../../api.ts';
import { useSession } from '../../identity/session-provider.tsx';
import { useSignInPrompt } from '../../identity/prompts.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Note } from '../../ui/note.tsx';
import { useHydrated } from '../../ui/use-client-value.ts';
import { formatDay } from '#formats/times.ts';

type Redeemed = { months: number; giftUntil: string | null; nextChargeAt: string | null };

/**
 * Redeems a code from a mail. Needs an account: visitors get the sign-in prompt, and the code is redeemed after the
 * log-in.
 */
export function RedeemForm() {
  const { user } = useSession();
  const isHydrated = useHydrated();
  const askToSignIn = useSignInPrompt();
  const { revalidate } = useRevalidator();
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [redeemed, setRedeemed] = useState<Redeemed>();

  async function redeem(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    const answer = await answerOf(api.user['gift-card'].redeem.$post({ json: { code: code.trim() } }));
    if (answer.ok) await revalidate();
    setIsBusy(false);
    if (answer.ok) setRedeemed(answer.data);
    else setFailure(answer.message);
  }

  if (redeemed !== undefined) {
    const { months, giftUntil, nextChargeAt } = redeemed;
    const until = nextChargeAt ?? giftUntil;
    const day = until === null ? '' : formatDay(until);
    return (
      <div className="form">
        <Note tone="success">
          {plural(months, { one: '# month is yours.', other: '# months are yours.' })}{' '}
          {nextChargeAt !== null
            ? t`Nothing is charged before ${day}.`
            : giftUntil !== null && t`You can listen without limits until ${day}.`}
        </Note>
        <Button variant="primary" size="lg" render={<Link to={href('/')} />}>
          {t`Start listening`}
        </Button>
      </div>
    );
  }
  return (
    <form
      className="form noscript:hidden"
      noValidate
      aria-label={t`Redeem a gift card`}
      onSubmit={(event) => {
        event.preventDefault();
        if (user?.username) void redeem();
        else askToSignIn({ title: t`Sign in to redeem your gift`, act: () => void redeem() });
      }}
    >
      <Field
        label={t`Code`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={code}
        error={failure}
        onChange={({ target }) => {
          setCode(target.value);
          setFailure(undefined);
        }}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={isHydrated && code.trim() === ''}
        busy={isBusy ? t`Redeeming…` : undefined}
      >
        {t`Redeem`}
      </Button>
    </form>
  );
}
