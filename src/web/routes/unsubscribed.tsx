import { href, Link } from 'react-router';
import { pageMeta } from '#web/page-meta.ts';
import type { Route } from './+types/unsubscribed';

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Unsubscribed', description: 'Emails about news have ended.', index: 'no' });
}

export default function Unsubscribed() {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[480px] pt-16">
        <h1 className="text-44" tabIndex={-1}>
          You are unsubscribed
        </h1>
        <p className="mt-4 text-soft">
          You get no more emails about news. Emails about payments and your account are not affected.
        </p>
        <p className="mt-4">
          <Link className="link" to={href('/account/notifications')}>
            Change what you are told
          </Link>
        </p>
      </div>
    </div>
  );
}
