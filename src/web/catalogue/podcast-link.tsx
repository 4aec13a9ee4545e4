import { Link } from 'react-router';
import type { FeedKind } from '#domain/feeds/rules.ts';
import { useIsOn } from '#web/root-data.ts';

/** Link to the page that creates a feed. @param props.subject id or slug */
export function PodcastLink({ kind, subject }: { kind: FeedKind; subject: string }) {
  if (!useIsOn('privateFeeds')) return null;
  return (
    <p className="mt-3">
      <Link className="link" to={`/account/feeds?kind=${kind}&subject=${subject}`}>
        Listen in your podcast app
      </Link>
    </p>
  );
}
