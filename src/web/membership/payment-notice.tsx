import { t } from '@lingui/core/macro';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { href, Link } from 'react-router';
import { Icon } from '../ui/images/icon.tsx';

/** Shown on every page to users whose last payment failed, with a link to update it. */
export function PaymentNotice({ usableUntil: until }: { usableUntil: string | null }) {
  return (
    <aside className="paybar" aria-label={t`Payment`}>
      <div className="wrap">
        <Icon of={CircleAlert} size={18} />
        <p>
          {t`Your last payment did not go through.`} {until !== null && t`You can listen until ${until}.`}{' '}
          <Link className="ulink font-semibold" to={href('/account/subscription')}>
            {t`Update payment method`}
          </Link>
        </p>
      </div>
    </aside>
  );
}
