import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { href, Link } from 'react-router';
import { answerOf, api } from '../api.ts';
import { useToast } from '../ui/layers/toast.tsx';
import { type News, NewsItem } from './news-item.tsx';
import { markRead } from './unread-news.ts';

const shown = 8;

type Listed = { state: 'loading' } | { state: 'failed'; message: string } | { state: 'here'; items: News[] };

/** The newest news, below the bell. */
export function NewsPopover() {
  const showToast = useToast();
  const [listed, setListed] = useState<Listed>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const items = listed.state === 'here' ? listed.items : [];

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const query = { limit: String(shown) };
    void answerOf(api.user.notifications.$get({ query }, { init: { signal } })).then((answer) => {
      if (signal.aborted) return;
      setListed(answer.ok ? { state: 'here', items: answer.data.items } : { state: 'failed', message: answer.message });
    });
    return () => controller.abort();
  }, [attempt]);

  const setRead = (isThis: (id: string) => boolean, isRead: boolean) =>
    setListed((before) =>
      before.state === 'here'
        ? { ...before, items: before.items.map((one) => (isThis(one.id) ? { ...one, isRead } : one)) }
        : before,
    );

  async function markAll(): Promise<void> {
    const unread = new Set(items.flatMap(({ id, isRead }) => (isRead ? [] : [id])));
    setRead((id) => unread.has(id), true);
    const problem = await markRead();
    if (problem === undefined) return;
    setRead((id) => unread.has(id), false);
    showToast({ text: problem });
  }

  return (
    <div className="w-[min(376px,calc(100vw-48px))]">
      <div className="flex min-h-11 items-center justify-between gap-3 px-3">
        <h2 className="text-18">
          <Trans>News</Trans>
        </h2>
        {items.some(({ isRead }) => !isRead) && (
          <button type="button" className="link text-14" onClick={() => void markAll()}>
            <Trans>Mark all as read</Trans>
          </button>
        )}
      </div>
      {listed.state === 'loading' && (
        <p className="px-3 py-4 text-muted">
          <Trans>Loading…</Trans>
        </p>
      )}
      {listed.state === 'failed' && (
        <div role="alert" className="flex flex-wrap items-center gap-3 px-3 py-4 text-muted">
          {listed.message}
          <button type="button" className="link" onClick={() => setAttempt(attempt + 1)}>
            <Trans>Try again</Trans>
          </button>
        </div>
      )}
      {listed.state === 'here' && items.length === 0 && (
        <p className="px-3 py-4 text-muted">
          <Trans>No news yet. New audios of your favorite creators appear here.</Trans>
        </p>
      )}
      {items.length > 0 && (
        <ul className="max-h-[min(480px,55vh)] overflow-y-auto">
          {items.map((news) => (
            <li key={news.id}>
              <NewsItem news={news} onOpen={() => void (news.isRead || markRead([news.id]))} />
            </li>
          ))}
        </ul>
      )}
      <Link
        className="flex min-h-11 items-center justify-center rounded-cover text-14 font-semibold text-accent hover:bg-surface"
        to={href('/account/notifications')}
      >
        {t`All news and settings`}
      </Link>
    </div>
  );
}
