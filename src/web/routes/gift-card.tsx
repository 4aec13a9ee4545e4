import { href, Link } from 'react-router';
import { siteContext } from '#web/context.ts';
import { useSession } from '#web/identity/session-provider.tsx';
import { CardFormWait } from '#web/membership/card-form-wait.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { useLoaded } from '#web/ui/use-loaded.ts';
import type { Route } from './+types/gift-card';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

// It brings the validation along, which no other page's first load needs.
const loadForm = () => import('#web/membership/gift-card-form.tsx');

export async function loader({ context }: Route.LoaderArgs) {
  return context.get(siteContext).membership.findOffer();
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, {
    title: 'Give a gift card',
    description: 'Months of unlimited listening, by mail, on the day you choose.',
  });
}

export default function GiftCard({ loaderData }: Route.ComponentProps) {
  const { user } = useSession();
  const form = useLoaded(loadForm, true);
  return (
    <div className="wrap">
      <div className="gift">
        <div>
          <h1 className="t-60" tabIndex={-1}>
            Give a gift card
          </h1>
          <p className="mt-3 text-soft">
            Months of unlimited listening, mailed with your words on the day you choose. Until it is redeemed it can be
            given back.
          </p>
          <noscript>
            <p className="mt-3 text-soft">Buying one needs JavaScript.</p>
          </noscript>
          <div className="script">
            {form ? (
              <form.BuyGiftCard
                // Who logs in meanwhile is not asked for an address any more.
                key={user?.id ?? 'visitor'}
                offer={loaderData}
                asksForEmail={!user?.email}
              />
            ) : (
              <CardFormWait />
            )}
          </div>
          <p className="mt-8 text-14 text-muted">
            You have got a code?{' '}
            <Link className="ulink" to={href('/gift-card/redeem')}>
              Redeem a gift card
            </Link>
          </p>
        </div>
      </div>
    </div>
  );
}
