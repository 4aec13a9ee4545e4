import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { formatAgo } from '#web/format.ts';
import { Avatar } from '../ui/avatar.tsx';
import { classNames } from '../ui/class-names.ts';
import type { CommentView as CommentOf } from './threads.ts';

type CommentViewProps = {
  comment: CommentOf;
  /** As the server had it. */
  now: number;
  /** What can be done with it. */
  acts?: ReactNode;
  /** Its replies. */
  children?: ReactNode;
};

const gone = { deleted: 'This comment was deleted.', removed: 'This comment was removed.' };

export function CommentView({ comment, now, acts, children }: CommentViewProps) {
  const { id, state, text, user, isCreator, isSending = false, createdAt, parentId } = comment;
  return (
    <li className={classNames('cm', isSending && 'is-sending')} data-comment={id} aria-busy={isSending || undefined}>
      <Avatar name={user?.icon ?? user?.username ?? '–'} color={user?.color} size={parentId === null ? 40 : 36} />
      <div>
        {state === 'shown' && user !== null ? (
          <>
            <p className="cm__h">
              <Link to={href('/account/:id', { id: user.id })}>{user.username}</Link>
              {isCreator && <span className="tag">Creator</span>}
              <time dateTime={createdAt}>{isSending ? 'Sending…' : formatAgo(createdAt, now)}</time>
            </p>
            <p className="cm__t">{text}</p>
            {acts !== undefined && !isSending && <div className="cm__a script">{acts}</div>}
          </>
        ) : (
          <p className="cm__t cm__t--gone">{state === 'shown' ? gone.deleted : gone[state]}</p>
        )}
        {children}
      </div>
    </li>
  );
}
