import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import type { FormerProvider as Former } from '#domain/membership/moving/find-former.ts';
import { formatDay } from '#formats/times.ts';
import { AccountFact } from '../../identity/account/account-fact.tsx';
import { Button } from '../../ui/button.tsx';
import type { Plain } from '../plain.ts';
import { SubscribeButton } from '../subscribe-button.tsx';

/** Says that the site's payments have moved, how to go on, and where the subscriber paid before. */
export function FormerProvider({ former, canSubscribe }: { former: Plain<Former>; canSubscribe: boolean }) {
  const { newTitle } = former;
  return (
    <>
      <Notice former={former} canSubscribe={canSubscribe} />
      {former.state !== 'asked' && (
        <section aria-label={t`Before ${newTitle}`} className="mt-8">
          <h2 className="text-26">{t`Before ${newTitle}`}</h2>
          <Facts former={former} />
        </section>
      )}
    </>
  );
}

function Notice({ former, canSubscribe }: { former: Plain<Former>; canSubscribe: boolean }) {
  const { title, newTitle, state, cancelUrl, paidUntil } = former;
  const day = paidUntil !== null && formatDay(paidUntil);
  const hasToCancel = cancelUrl !== null && state !== 'stopped';
  if (!hasToCancel && !canSubscribe) return null;
  return (
    <div className="panel mt-4 p-5">
      <p className="font-semibold">{t`Payments move to ${newTitle}`}</p>
      <p className="mt-1 text-14 text-muted">
        {day !== false && <>{t`Everything stays open for you until ${day}.`} </>}
        {hasToCancel
          ? t`Only you can cancel at ${title}: please do, so that it does not charge you again.`
          : state === 'stopped'
            ? t`${title} does not charge you again.`
            : t`We have not heard from ${title}. Should it charge you again, we add that time.`}{' '}
        {t`To go on after that, subscribe once more with ${newTitle}.`}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        {hasToCancel && (
          <Button variant="outline" onClick={() => location.assign(cancelUrl)}>
            {t`Cancel at ${title}`}
          </Button>
        )}
        {/* The subscription above it has the first such button. */}
        {canSubscribe && <SubscribeButton variant="outline">{t`Go on with ${newTitle}`}</SubscribeButton>}
      </div>
    </div>
  );
}

function Facts({ former: { title, paidUntil, invoices } }: { former: Plain<Former> }) {
  const day = paidUntil !== null && formatDay(paidUntil);
  return (
    <dl className="details">
      <AccountFact label={t`Paid through`} value={day === false ? title : t`${title}, until ${day}`} />
      {invoices > 0 && (
        <AccountFact label={t`Invoices`} value={<span className="tabular-nums">{invoices}</span>}>
          <Link className="link" to={href('/account/invoices')}>
            <Trans context="verb">Open</Trans>
          </Link>
        </AccountFact>
      )}
    </dl>
  );
}
