import { t } from '@lingui/core/macro';
import { href, Link } from 'react-router';

/** Tabs: events of the payment provider, and the reconciliation with it. */
export function EventTabs({ current }: { current: 'events' | 'reconciliation' }) {
  return (
    <nav className="segments" aria-label={t`Payment provider`}>
      <Link to={href('/admin/webhook-events')} aria-current={current === 'events' ? 'page' : undefined}>
        {t`Events`}
      </Link>
      <Link
        to={href('/admin/webhook-events/reconciliation')}
        aria-current={current === 'reconciliation' ? 'page' : undefined}
      >
        {t`Reconciliation`}
      </Link>
    </nav>
  );
}
