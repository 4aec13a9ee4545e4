import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { Section } from '#web/catalogue/cards/section.tsx';
import { formatAgo } from '#formats/times.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import '#web/styles/continue.css';

export type Activity = { audio: AudioItem; at: string };

/** Latest listening history. @param props.now the server’s time */
export function RecentActivity({ items, now }: { items: Activity[]; now: number }) {
  return (
    <Section title={t`Recent activity`} more={{ label: t`See all`, to: href('/account/history') }} place="below">
      <ul className="grid gap-x-12 md:grid-cols-2">
        {items.map(({ audio, at }) => (
          <li key={audio.id} className="flex min-w-0 items-center gap-3.5 border-b border-line py-3">
            <Cover imageUrl={audio.imageUrl} size={48} />
            <p className="line-clamp-2 min-w-0 text-14">
              <span className="block text-muted">
                <Trans>You listened to</Trans>
              </span>
              <AudioLink className="font-semibold" audio={audio} source="homepage">
                {audio.title}
              </AudioLink>
            </p>
            <time className="ms-auto text-12 whitespace-nowrap text-muted md:text-13" dateTime={at}>
              {formatAgo(at, now)}
            </time>
          </li>
        ))}
      </ul>
    </Section>
  );
}
