import { t } from '@lingui/core/macro';
import Bell from 'lucide-react/icons/bell';
import { useLocation } from 'react-router';
import { maxCounted } from '#domain/notifications/rules.ts';
import { useIsOn } from '../root-data.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/layers/popover.tsx';
import { useUnreadNews } from './unread-news.ts';

const loadList = () => import('./news-popover.tsx');

/** Renders nothing where an operator turned news off. */
export function NewsBell({ userId }: { userId: string }) {
  return useIsOn('news') && <CountingBell userId={userId} />;
}

/** The bell with the number of unread news; a press shows the newest. */
function CountingBell({ userId }: { userId: string }) {
  const { key } = useLocation();
  const unread = useUnreadNews(userId, key);
  const count = unread > maxCounted ? `${maxCounted}+` : String(unread);
  return (
    <Popover
      label={t`News`}
      closeKey={key}
      load={loadList}
      trigger={
        <IconButton
          label={unread === 0 ? t`News` : t`News, ${count} unread`}
          icon={Bell}
          iconSize={24}
          className="relative data-popup-open:bg-raised"
          data-news-bell
        >
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="absolute top-0.5 end-1.5 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-accent px-1 text-[0.6875rem]/none font-bold text-accent-contrast tabular-nums"
            >
              {count}
            </span>
          )}
        </IconButton>
      }
    >
      {(list) => <list.NewsPopover />}
    </Popover>
  );
}
