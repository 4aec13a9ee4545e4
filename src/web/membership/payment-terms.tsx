import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';

export function PaymentTerms() {
  return (
    <Trans>
      By subscribing you agree to the{' '}
      <Link className="ulink" to="/terms" target="_blank" rel="noopener">
        payment terms
      </Link>
      . Cancel anytime in your account.
    </Trans>
  );
}
