import { href, Link } from 'react-router';
import { RedeemForm } from '../../membership/gift-cards/redeem-form.tsx';
import { metaOf } from '../../page-meta.ts';
import '../../styles/membership.css';

export const meta = metaOf({
  title: 'Redeem a gift card',
  description: 'Add the months of a gift card to your account.',
});

export default function GiftCardRedeem() {
  return (
    <div className="wrap">
      <div className="mx-auto grid max-w-[560px] grid-cols-1 gap-10 pt-8">
        <div>
          <h1 className="text-60" tabIndex={-1}>
            Redeem a gift card
          </h1>
          <p className="mt-3 text-soft">
            The code is in the email you received. Its months are added to the time you already have.
          </p>
          <noscript>
            <p className="mt-3 text-soft">Redeeming it needs JavaScript.</p>
          </noscript>
          <RedeemForm />
          <p className="mt-8 text-14 text-muted">
            Want to give one yourself?{' '}
            <Link className="ulink" to={href('/gift-card')}>
              Give a gift card
            </Link>
          </p>
        </div>
      </div>
    </div>
  );
}
