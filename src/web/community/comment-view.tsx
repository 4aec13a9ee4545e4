import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { foreign } from '#web/catalogue/foreign-language.tsx';
import { formatAgo } from '#formats/times.ts';
import { Avatar } from '../ui/images/avatar.tsx';
import type { CommentView as CommentOf } from './threads.ts';

type CommentViewProps = {
  comment: CommentOf;
  /** The server’s time. */
  now: number;
  acts?: ReactNode;
  children?: ReactNode;
};

const gone = { deleted: () => t`This comment was deleted.`, removed: () => t`This comment was removed.` };

export function CommentView({ comment, now, acts, children }: CommentViewProps) {
  const { id, state, text, user, isCreator, isSending = false, isLinked, createdAt, parentId } = comment;
  const avatar = (
    <Avatar name={user?.icon ?? user?.username ?? '–'} color={user?.color} size={parentId === null ? 40 : 36} />
  );
  return (
    <li
      id={`comment-${id}`}
      className="comment"
      aria-busy={isSending || undefined}
      aria-current={isLinked}
      tabIndex={isLinked && -1}
    >
      {user === null ? (
        avatar
      ) : (
        // The name beside it is the same link, so the keyboard stops only once for both.
        <Link
          className="self-start rounded-full"
          to={href('/account/:id', { id: user.id })}
          tabIndex={-1}
          aria-hidden="true"
        >
          {avatar}
        </Link>
      )}
      <div>
        {state === 'shown' && user !== null ? (
          <>
            <p className="comment__head">
              <Link to={href('/account/:id', { id: user.id })}>{user.username}</Link>
              {isCreator && (
                <span className="tag">
                  <Trans>Creator</Trans>
                </span>
              )}
              <time dateTime={createdAt}>{isSending ? t`Sending…` : formatAgo(createdAt, now)}</time>
            </p>
            <p className="comment__text" lang={foreign(comment.language)}>
              {text}
            </p>
            {comment.waitsForCreator && (
              <p className="hint mt-1">
                <Trans>Waits for approval. Only you see it.</Trans>
              </p>
            )}
            {acts !== undefined && !isSending && <div className="comment__acts noscript:hidden">{acts}</div>}
          </>
        ) : (
          <p className="comment__text text-muted italic">{gone[state === 'shown' ? 'deleted' : state]()}</p>
        )}
        {children}
      </div>
    </li>
  );
}
