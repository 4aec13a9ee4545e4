import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import { RedeemForm } from '../../membership/gift-cards/redeem-form.tsx';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/gift-card-redeem';
import '../../styles/membership.css';

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Redeem a gift card`,
    description: t`Add the months of a gift card to your account.`,
  });

export default function GiftCardRedeem() {
  return (
    <div className="wrap">
      <div className="mx-auto grid max-w-[560px] grid-cols-1 gap-10 pt-8">
        <div>
          <h1 className="text-60" tabIndex={-1}>
            <Trans>Redeem a gift card</Trans>
          </h1>
          <p className="mt-3 text-soft">
            <Trans>The code is in the email you received. Its months are added to the time you already have.</Trans>
          </p>
          <noscript>
            <p className="mt-3 text-soft">
              <Trans>Redeeming it needs JavaScript.</Trans>
            </p>
          </noscript>
          <RedeemForm />
          <p className="mt-8 text-14 text-muted">
            <Trans>
              Want to give one yourself?{' '}
              <Link className="ulink" to={href('/gift-card')}>
                Give a gift card
              </Link>
            </Trans>
          </p>
        </div>
      </div>
    </div>
  );
}
