import { plural, t } from '@lingui/core/macro';
import Check from 'lucide-react/icons/check';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import LogIn from 'lucide-react/icons/log-in';
import X from 'lucide-react/icons/x';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { href, Link, useLocation, useRevalidator } from 'react-router';
import type { CheckoutState, Subscription } from '#domain/membership/shapes.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatAgo } from '#formats/times.ts';
import { useSession } from '../../identity/session-provider.tsx';
import { LogInLink } from '../../identity/log-in-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Stage } from '../../ui/stage.tsx';
import type { Plain } from '../plain.ts';
import { SubscribeButton } from '../subscribe-button.tsx';
import { cardLine, chargeLine, planNames } from '../wording.ts';

type Shown = {
  checkout: Plain<CheckoutState>;
  /** Page on which one goes on. */
  to: string;
  /** Came back without paying. */
  hasLeft: boolean;
  /** The audio that was to be heard, if there was one, and what plays it. */
  audio: { title: string; play: ReactNode } | undefined;
  subscription: Plain<Subscription> | undefined;
  /** The server’s time, so that server and browser render the same. */
  now: number;
};

/** How an order on the provider’s page stands; goes on by itself while its word is on the way. */
export function PaymentReturn({ shown }: { shown: Shown | null }) {
  if (shown === null) return <LoggedOut />;
  const { state } = shown.checkout;
  if (state === 'paid') return <Paid {...shown} />;
  if (state === 'declined' || state === 'closed' || (state === 'open' && shown.hasLeft)) return <Failed {...shown} />;
  return <Waiting {...shown} />;
}

function LoggedOut() {
  return (
    <Stage icon={LogIn} title={t`Log in to see your payment`} text={t`Nothing is charged twice.`}>
      <p className="mt-3">
        <LogInLink />
      </p>
    </Stage>
  );
}

const everyMs = 2000;
const patienceMs = 60_000;

function Waiting({ checkout, now }: Shown) {
  const { title, reference, createdAt, confirmations } = checkout;
  const isSlow = useReload();
  const again = useAgain();
  const name = `${reference.slice(0, 4)}-${reference.slice(4, 8)}`;
  return (
    <Stage
      icon={LoaderCircle}
      title={t`Waiting for ${title}`}
      text={
        isSlow
          ? t`${title} has not answered yet. We send an email as soon as it does. Nothing is charged twice.`
          : t`Your payment is on its way to us, usually for a few seconds. This page goes on by itself. You can also leave it: nothing is charged twice.`
      }
      announced="status"
    >
      {confirmations !== null && (
        <p>{plural(confirmations, { one: '# confirmation so far', other: '# confirmations so far' })}</p>
      )}
      <div className="stage__acts">
        <Button variant="outline" render={<Link to={again} replace />}>
          {t`Check now`}
        </Button>
      </div>
      <p className="mt-3 text-13 text-muted">
        {t`Order ${name}`} · {formatAgo(createdAt, now)}
      </p>
    </Stage>
  );
}

/** This page, asking the provider. */
function useAgain(): string {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.set('check', '1');
  return `${pathname}?${query.toString()}`;
}

/** Reads the page again while it is seen. @returns whether that has taken long */
function useReload(): boolean {
  const { revalidate } = useRevalidator();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, everyMs);
    const patience = setTimeout(() => setIsSlow(true), patienceMs);
    return () => {
      clearInterval(timer);
      clearTimeout(patience);
    };
  }, [revalidate]);
  return isSlow;
}

function Paid({ checkout, to, audio, subscription }: Shown) {
  const { email } = useSession().user ?? {};
  const { title, paidAmount, currency } = checkout;
  const through = subscription?.through ?? null;
  const code = subscription?.discount?.code ?? null;
  const paid = paidAmount === null ? undefined : formatMoney(paidAmount, currency);
  const rows = [
    [t`Plan`, subscription && planLineOf(subscription)],
    [t`Paid today`, paid !== undefined && code !== null ? t`${paid} with ${code}` : paid],
    [t`Next payment`, subscription?.nextCharge ? chargeLine(subscription.nextCharge) : undefined],
    [t`Through`, subscription?.card ? `${title}, ${cardLine(subscription.card)}` : title],
  ] as const;
  return (
    <Stage
      icon={Check}
      tone="good"
      title={t`You are subscribed`}
      text={
        through?.sellsInOwnName && email
          ? t`Every audio is open to you now. ${title} sends the receipt to ${email}.`
          : t`Every audio is open to you now.`
      }
      announced="status"
    >
      <div className="stage__acts">
        {audio === undefined ? (
          <Button variant="primary" size="lg" render={<Link to={to} />}>
            {t`Go on`}
          </Button>
        ) : (
          audio.play
        )}
      </div>
      <div className="stage__facts">
        <dl className="tabular-nums">
          {rows.map(([label, value]) =>
            value === undefined ? null : (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </Fragment>
            ),
          )}
        </dl>
      </div>
    </Stage>
  );
}

function planLineOf({ period, amount, currency }: Plain<Subscription>): string | undefined {
  if (period === null || amount === null || currency === null) return undefined;
  return `${planNames()[period]}, ${formatMoney(amount, currency)}`;
}

function Failed({ checkout, audio, hasLeft }: Shown) {
  const { title, reason, state } = checkout;
  const again = useAgain();
  const kept = audio?.title;
  const said =
    state === 'declined'
      ? reason === null
        ? t`${title} says that it was declined. Nothing was charged. You can try again, or with another card.`
        : t`${title} says: ${reason}. Nothing was charged. You can try again, or with another card.`
      : hasLeft
        ? t`You came back without paying. Nothing was charged.`
        : t`The order has run out. Nothing was charged.`;
  return (
    <Stage icon={X} tone="bad" title={t`The payment did not go through`} text={said} announced="alert">
      <div className="stage__acts">
        <SubscribeButton>{t`Try again`}</SubscribeButton>
        <Button variant="outline" render={<Link to={href('/account/subscription')} />}>
          {t`Choose another plan`}
        </Button>
      </div>
      <p className="mt-3 text-14 text-muted">
        {kept !== undefined && t`“${kept}” is kept for you.`} {t`Paid, but you still see this?`}{' '}
        <Link className="link" to={again} replace>
          {t`Check again`}
        </Link>
      </p>
    </Stage>
  );
}
