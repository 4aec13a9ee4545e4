import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import { siteContext } from '../../context.ts';
import { useSession } from '../../identity/session-provider.tsx';
import { CardFormWait } from '../../membership/card-form-wait.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import type { Route } from './+types/gift-card';
import '../../styles/membership.css';

// Loaded on demand: it includes the validation library.
const loadForm = () => import('../../membership/gift-cards/gift-card-form.tsx');

export async function loader({ context }: Route.LoaderArgs) {
  const { membership, isOn } = context.get(siteContext);
  orNotFound(isOn('giftCards') || undefined);
  return membership.findOffer();
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Give a gift card`,
    description: t`Months of unlimited listening, by mail, on the day you choose.`,
  });

export default function GiftCard({ loaderData }: Route.ComponentProps) {
  const { user } = useSession();
  const form = useLoaded(loadForm, true);
  return (
    <div className="wrap">
      <div className="mx-auto grid max-w-[560px] grid-cols-1 gap-10 pt-8 lg:max-w-[1040px]">
        <div>
          <h1 className="text-60" tabIndex={-1}>
            <Trans>Give a gift card</Trans>
          </h1>
          <p className="mt-3 text-soft">
            <Trans>
              Months of unlimited listening, emailed with your message on the day you choose. Refundable until it is
              redeemed.
            </Trans>
          </p>
          <noscript>
            <p className="mt-3 text-soft">
              <Trans>Buying one needs JavaScript.</Trans>
            </p>
          </noscript>
          {/* The form is taller than a screen; reserving its height keeps the footer from jumping. */}
          <div className={`noscript:hidden lg:[&>:not([data-wide])]:max-w-[560px] ${form ? '' : 'min-h-svh'}`}>
            {form ? (
              <form.BuyGiftCard
                // Remounts on log-in, because users are not asked for an address.
                key={user?.id ?? 'visitor'}
                offer={loaderData}
                asksForEmail={!user?.email}
              />
            ) : (
              <CardFormWait />
            )}
          </div>
          <p className="mt-8 text-14 text-muted">
            <Trans>
              Have a code?{' '}
              <Link className="ulink" to={href('/gift-card/redeem')}>
                Redeem a gift card
              </Link>
            </Trans>
          </p>
        </div>
      </div>
    </div>
  );
}
