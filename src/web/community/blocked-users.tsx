import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import type { AvatarColor } from '#domain/identity/rules.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { usePages } from '#web/catalogue/lists/use-pages.ts';
import { formatDate } from '#formats/times.ts';
import { Avatar } from '../ui/images/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { useBlock } from './use-block.ts';

export type BlockedUserView = {
  id: string;
  username: string;
  icon: string | null;
  color: AvatarColor;
  /** ISO 8601. */
  blockedAt: string;
};

/** Blocked users, newest first. @param props.page first page, from the account page’s data */
export function BlockedUsers({ page }: { page: Page<BlockedUserView> }) {
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);
  const { items, nextCursor, state, loadMore } = usePages(page, { path: '/v1/api/user/blocks', under: 'items' });
  const { busy, setBlocked } = useBlock(async () => {
    await revalidate();
    heading.current?.focus({ preventScroll: true });
  });
  return (
    <section id="blocked" tabIndex={-1} aria-label={t`Blocked users`}>
      <h1 ref={heading} tabIndex={-1} className="text-26">
        <Trans>Blocked users</Trans>
      </h1>
      <p className="mt-2 text-soft">
        <Trans>
          You do not see their comments and playlists. They are not notified. To block someone, open their profile.
        </Trans>
      </p>
      {items.length === 0 ? (
        <p className="mt-4 text-muted">
          <Trans>No blocked users</Trans>
        </p>
      ) : (
        <ul className="details">
          {items.map((user) => (
            <li key={user.id} className="details__row details__row--wide">
              <span className="flex min-w-0 items-center gap-3">
                <Avatar name={user.icon ?? user.username} color={user.color} />
                <span className="min-w-0">
                  <Link
                    className="block font-semibold [overflow-wrap:anywhere] hover:underline"
                    to={href('/account/:id', { id: user.id })}
                  >
                    {user.username}
                  </Link>
                  <span className="text-13 text-muted">{t`Blocked on ${{ date: formatDate(user.blockedAt) }}`}</span>
                </span>
              </span>
              <button
                type="button"
                className="link"
                aria-label={t`Unblock ${{ username: user.username }}`}
                aria-disabled={busy === user.id || undefined}
                onClick={() => void setBlocked(user, false)}
              >
                <Trans>Unblock</Trans>
              </button>
            </li>
          ))}
        </ul>
      )}
      {nextCursor !== undefined && (
        <Button
          className="mt-4"
          size="sm"
          busy={state === 'loading' ? t`Loading…` : undefined}
          onClick={() => void loadMore()}
        >
          {state === 'failed' ? t`Try again` : t`Show more`}
        </Button>
      )}
    </section>
  );
}
