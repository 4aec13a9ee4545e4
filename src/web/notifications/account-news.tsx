import { useRef, useState } from 'react';
import type { Page } from '#domain/kernel/pages.ts';
import type { NewsPreferences } from '#domain/notifications/rules.ts';
import { LoadMore } from '../catalogue/load-more.tsx';
import { usePages } from '../catalogue/use-pages.ts';
import { latePart } from '#web/late-part.tsx';
import { useToast } from '../ui/toast.tsx';
import { FollowedList } from './followed-list.tsx';
import { NewsItem } from './news-item.tsx';
import type { News } from './news-item.tsx';
import { markRead } from './unread-news.ts';

const NewsPreferencesForm = latePart(async () => (await import('./news-preferences.tsx')).NewsPreferencesForm);

type AccountNewsProps = {
  /** First page. */
  page: Page<News>;
  preferences: NewsPreferences;
  voices: { id: string; slug: string; name: string; isOn: boolean }[];
  series: { id: string; slug: string; title: string }[];
  pushKey: string;
};

/** The list of news, and where they are sent. */
export function AccountNews({ page, preferences, voices, series, pushKey }: AccountNewsProps) {
  const showToast = useToast();
  const heading = useRef<HTMLHeadingElement>(null);
  const { items, nextCursor, state, loadMore } = usePages(page, { path: '/v1/api/user/notifications', under: 'items' });
  /** Read on this page since it was loaded. */
  const [read, setRead] = useState<'all' | string[]>([]);
  const shown = items.map((one) => ({ ...one, isRead: one.isRead || read === 'all' || read.includes(one.id) }));

  async function markAll(): Promise<void> {
    const problem = await markRead();
    if (problem !== undefined) return showToast({ text: problem });
    setRead('all');
    heading.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <section id="notifications" tabIndex={-1} aria-label="News">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <h1 ref={heading} tabIndex={-1} className="text-26">
            News
          </h1>
          {shown.some(({ isRead }) => !isRead) && (
            <button type="button" className="link noscript:hidden" onClick={() => void markAll()}>
              Mark all as read
            </button>
          )}
        </div>
        {shown.length === 0 ? (
          <p className="mt-4 text-muted">
            No news yet. New audios of your favorite creators, replies to your comments and payments appear here.
          </p>
        ) : (
          <ul className="-mx-3 mt-3">
            {shown.map((news) => (
              <li key={news.id}>
                <NewsItem news={news} onOpen={() => void (news.isRead || markRead([news.id]))} />
              </li>
            ))}
          </ul>
        )}
        <LoadMore nextCursor={nextCursor} state={state} loadMore={() => void loadMore()} shown={shown.length} />
      </section>
      <section aria-labelledby="news-settings">
        <h2 id="news-settings" className="text-20">
          Email and push
        </h2>
        <p className="mt-1 text-muted">
          News is always here. Choose whether it is sent to you as well. Required emails, such as receipts, are always
          sent.
        </p>
        <noscript>
          <p className="mt-4 text-soft">Changing these settings needs JavaScript.</p>
        </noscript>
        <NewsPreferencesForm start={preferences} pushKey={pushKey} />
      </section>
      <section aria-labelledby="news-followed">
        <h2 id="news-followed" className="text-20">
          Creators and series
        </h2>
        <p className="mt-1 text-muted">Favorite a creator or follow a series to get news of it.</p>
        <FollowedList voices={voices} series={series} />
      </section>
    </>
  );
}
