import { href } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { Section } from '#web/catalogue/section.tsx';
import { formatAgo } from '#web/format.ts';
import { Cover } from '#web/ui/cover.tsx';

export type Activity = { audio: Audio; at: string };

/** What was listened to last. @param props.now as the server had it */
export function RecentActivity({ items, now }: { items: Activity[]; now: number }) {
  return (
    <Section title="Recent activity" more={{ label: 'See all', to: href('/account/history') }} place="below">
      <ul className="act">
        {items.map(({ audio, at }) => (
          <li key={audio.id}>
            <Cover imageUrl={audio.imageUrl} size={48} />
            <p className="c2">
              <span className="block text-muted">You listened to</span>
              <AudioLink className="font-semibold" audio={audio} source="homepage">
                {audio.title}
              </AudioLink>
            </p>
            <time dateTime={at}>{formatAgo(at, now)}</time>
          </li>
        ))}
      </ul>
    </Section>
  );
}
