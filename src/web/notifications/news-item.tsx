import { Trans } from '@lingui/react/macro';
import Bell from 'lucide-react/icons/bell';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import Lock from 'lucide-react/icons/lock';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Notification } from '#domain/notifications/notification-lists.ts';
import { formatAgo, formatDate } from '#formats/times.ts';
import { useSession } from '../identity/session-provider.tsx';
import { classNames } from '../ui/class-names.ts';
import { Cover } from '../ui/images/cover.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useHydrated } from '../ui/use-client-value.ts';

export type News = Omit<Notification, 'createdAt'> & { createdAt: string };

const icons = { 'new-audio': Bell, reply: Bell, 'gift-card': Gift, payment: CreditCard };

/** One line of the list of news; the whole line is the link. */
export function NewsItem({ news, onOpen }: { news: News; onOpen?: () => void }) {
  const { user } = useSession();
  const isHydrated = useHydrated();
  const [now] = useState(() => Date.now());
  const { kind, text, path, createdAt, isRead, audio } = news;
  const isLocked = kind === 'new-audio' && audio !== null && !audio.isFree && user?.isSubscribed !== true;
  return (
    <Link
      className="flex min-h-14 items-center gap-3 rounded-cover px-3 py-2.5 hover:bg-surface"
      to={path}
      data-unread={!isRead || undefined}
      onClick={onOpen}
    >
      {audio === null ? (
        <span className="grid size-10 flex-none place-items-center rounded-full bg-surface text-muted">
          <Icon of={icons[kind]} size={20} />
        </span>
      ) : (
        <Cover imageUrl={audio.imageUrl} size={40} />
      )}
      <span className="min-w-0 flex-1">
        <span className={classNames('block text-14 [overflow-wrap:anywhere]', isRead ? 'text-soft' : 'font-semibold')}>
          {text}
        </span>
        <span className="flex items-center gap-2 text-13 text-muted">
          <time dateTime={createdAt}>{isHydrated ? formatAgo(createdAt, now) : formatDate(createdAt)}</time>
          {isLocked && (
            <span className="inline-flex items-center gap-1">
              <Icon of={Lock} size={16} />
              <Trans>For subscribers</Trans>
            </span>
          )}
        </span>
      </span>
      {!isRead && (
        <span className="size-2.5 flex-none rounded-full bg-accent">
          <span className="sr-only">
            <Trans>Unread</Trans>
          </span>
        </span>
      )}
    </Link>
  );
}
