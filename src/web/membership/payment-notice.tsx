import CircleAlert from 'lucide-react/icons/circle-alert';
import { href, Link } from 'react-router';
import { Icon } from '../ui/images/icon.tsx';

/** Shown on every page to users whose last payment failed, with a link to update it. */
export function PaymentNotice({ usableUntil }: { usableUntil: string | null }) {
  return (
    <aside className="paybar" aria-label="Payment">
      <div className="wrap">
        <Icon of={CircleAlert} size={18} />
        <p>
          Your last payment did not go through. {usableUntil !== null && `You can listen until ${usableUntil}.`}{' '}
          <Link className="ulink font-semibold" to={href('/account/subscription')}>
            Update payment method
          </Link>
        </p>
      </div>
    </aside>
  );
}
