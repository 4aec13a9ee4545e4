import { Link } from 'react-router';
import type { FeedKind } from '#domain/feeds/rules.ts';
import { useIsOn } from '#web/root-data.ts';

/** Leads to where a feed is made. @param props.subject id or slug; none for the Library */
export function PodcastLink({ kind, subject }: { kind: FeedKind; subject?: string }) {
  if (!useIsOn('privateFeeds')) return null;
  const of = subject === undefined ? '' : `&subject=${subject}`;
  return (
    <p className="mt-3">
      <Link className="link" to={`/account/feeds?kind=${kind}${of}`}>
        Listen in your podcast app
      </Link>
    </p>
  );
}
