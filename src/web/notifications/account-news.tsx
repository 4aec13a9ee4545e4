import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { Page } from '#domain/kernel/pages.ts';
import { LoadMore } from '../catalogue/load-more.tsx';
import { usePages } from '../catalogue/lists/use-pages.ts';
import { useToast } from '../ui/layers/toast.tsx';
import { type News, NewsItem } from './news-item.tsx';
import { markRead } from './unread-news.ts';

/** @param props.page the first page of the list */
export function AccountNews({ page }: { page: Page<News> }) {
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
    <section id="notifications" tabIndex={-1} aria-label={t`News`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h1 ref={heading} tabIndex={-1} className="text-26">
          <Trans>News</Trans>
        </h1>
        {shown.some(({ isRead }) => !isRead) && (
          <button type="button" className="link noscript:hidden" onClick={() => void markAll()}>
            <Trans>Mark all as read</Trans>
          </button>
        )}
      </div>
      {shown.length === 0 ? (
        <p className="mt-4 text-muted">
          <Trans>
            No news yet. New audios of your favorite creators, replies to your comments and payments appear here.
          </Trans>
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
  );
}
