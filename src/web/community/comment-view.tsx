import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { foreign } from '#web/catalogue/foreign-language.tsx';
import Heart from 'lucide-react/icons/heart';
import Pin from 'lucide-react/icons/pin';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { WriterReason } from '#domain/community/rules.ts';
import { formatAgo } from '#formats/times.ts';
import { Avatar } from '../ui/images/avatar.tsx';
import { Cover } from '../ui/images/cover.tsx';
import { Icon } from '../ui/images/icon.tsx';
import type { CommentView as CommentOf } from './threads.ts';

type CommentViewProps = {
  comment: CommentOf;
  voice: AudioItem['voice'];
  /** The server’s time. */
  now: number;
  acts?: ReactNode;
  children?: ReactNode;
};

const gone = { deleted: () => t`This comment was deleted.`, removed: () => t`This comment was removed.` };

/** Why only its writer sees a comment. @param name of the creator, who has to read it */
const heldTexts: Record<WriterReason, (name: string) => string> = {
  link: (name) => t`Has a link: only you see it until ${name} has read it.`,
  wording: (name) => t`Held because of its wording: only you see it until ${name} has read it.`,
  all: (name) => t`New comments are read first: only you see it until ${name} has read it.`,
  site: () => t`Only you see it until the operator of this site has read it.`,
};

export function CommentView({ comment, voice, now, acts, children }: CommentViewProps) {
  const { id, state, text, user, isCreator, isSending = false, isLinked, createdAt, parentId, heldFor } = comment;
  const { name } = voice;
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
            {comment.isPinned && (
              <p className="flex items-center gap-2 text-13 text-muted">
                <Icon of={Pin} size={16} />
                {t`Pinned by ${name}`}
              </p>
            )}
            <p className="comment__head">
              <Link to={href('/account/:id', { id: user.id })}>{user.username}</Link>
              {isCreator && (
                <span className="tag">
                  <Trans>Creator</Trans>
                </span>
              )}
              <time dateTime={createdAt}>{isSending ? t`Sending…` : formatAgo(createdAt, now)}</time>
              {comment.isEdited && (
                <span className="text-13 text-muted">{t({ message: 'edited', context: 'comment' })}</span>
              )}
            </p>
            <p className="comment__text" lang={foreign(comment.language)}>
              {text}
            </p>
            {heldFor && <p className="hint mt-1">{heldTexts[heldFor](name)}</p>}
            {comment.isHearted && (
              <p className="mt-2 flex items-center gap-2 text-13 text-muted">
                <Cover imageUrl={voice.imageUrl} shape="circle" size={36} className="w-6" />
                <Icon of={Heart} size={16} className="text-accent-text" />
                {t`${name} likes this`}
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
