import CircleAlert from 'lucide-react/icons/circle-alert';
import { href, Link } from 'react-router';
import { Icon } from '../ui/icon.tsx';

/** On every page of whoever's last payment failed, with the way to mend it. */
export function PaymentNotice({ usableUntil }: { usableUntil: string | null }) {
  return (
    <aside className="paybar" aria-label="Payment">
      <div className="wrap">
        <Icon of={CircleAlert} size={18} />
        <p>
          Your last payment did not go through. {usableUntil !== null && `You can listen until ${usableUntil}.`}{' '}
          <Link className="ulink font-semibold" to={{ pathname: href('/account'), hash: '#subscription' }}>
            Mend the payment
          </Link>
        </p>
      </div>
    </aside>
  );
}
