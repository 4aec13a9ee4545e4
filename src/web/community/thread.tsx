import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { canDeleteComment, canReportComment } from '#domain/community/rules.ts';
import { useListener } from '#web/listening/player-provider.tsx';
import { useSession } from '../identity/session-provider.tsx';
import { useSignInPrompt } from '../identity/prompts.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { CommentView } from './comment-view.tsx';
import type { CommentView as CommentOf, ThreadView } from './threads.ts';
import type { useComments } from './use-comments.ts';
import { useSendOnReturn } from './use-send-on-return.ts';

const loadForm = () => import('./comment-form.tsx');

type Writing = ReturnType<typeof useComments>;

type ThreadProps = {
  thread: ThreadView;
  voice: AudioItem['voice'];
  now: number;
  onDelete: (comment: CommentOf) => void;
  onEdit: (comment: CommentOf) => void;
  onReport: (comment: CommentOf) => void;
  /** Absent: this viewer may not reply. */
  write: Writing['write'] | undefined;
} & Pick<Writing, 'loadReplies'>;

/** A comment and its replies, one level deep. */
export function Thread({ thread, voice, now, write, loadReplies, onDelete, onEdit, onReport }: ThreadProps) {
  const askToSignIn = useSignInPrompt();
  const userId = useSession().user?.id;
  const box = useRef<HTMLDivElement>(null);
  const { id, user, replies, totalReplies, state } = thread;
  const [isReplying, setIsReplying] = useState(false);
  const [writerId, setWriterId] = useState(userId);
  // The field comes back for its writer after a log-in, and not for another user.
  if (userId !== undefined && userId !== writerId) {
    setWriterId(userId);
    if (writerId !== undefined) setIsReplying(false);
  }
  const hasField = isReplying && userId !== undefined && write !== undefined && state === 'shown';
  const form = useLoaded(loadForm, hasField);
  const sendOnReturn = useSendOnReturn(box, hasField && form !== undefined);
  const [cursor, setCursor] = useState<string>();
  const [isLoading, setIsLoading] = useState(false);
  const hidden = totalReplies - replies.length;
  const name = user?.username ?? '';
  const title = t`Sign in to reply to ${name}`;

  async function showReplies(): Promise<void> {
    if (isLoading) return;
    setIsLoading(true);
    setCursor(await loadReplies(id, cursor));
    setIsLoading(false);
  }

  const acts = (comment: CommentOf) => <CommentActs comment={comment} {...{ onDelete, onEdit, onReport }} />;
  return (
    <CommentView
      comment={thread}
      voice={voice}
      now={now}
      acts={
        <>
          {write && (
            <button
              type="button"
              aria-label={t`Reply to ${name}`}
              aria-expanded={hasField}
              onClick={() => askToSignIn({ title, act: () => setIsReplying(true) })}
            >
              {t({ message: 'Reply', context: 'verb' })}
            </button>
          )}
          {acts(thread)}
        </>
      }
    >
      {(replies.length > 0 || hidden > 0 || hasField) && (
        <div className="comment__replies">
          {replies.length > 0 && (
            <ul aria-label={state === 'shown' ? t`Replies to ${name}` : t`Replies`}>
              {replies.map((reply) => (
                <CommentView key={reply.id} comment={reply} voice={voice} now={now} acts={acts(reply)} />
              ))}
            </ul>
          )}
          {hidden > 0 && (
            <button
              type="button"
              className="link noscript:hidden text-13"
              aria-disabled={isLoading || undefined}
              onClick={() => void showReplies()}
            >
              {isLoading ? t`Loading…` : plural(hidden, { one: 'Show # more reply', other: 'Show # more replies' })}
            </button>
          )}
          {form && hasField && (
            <div ref={box} className="mt-2 flex">
              <form.CommentForm
                key={userId}
                userId={userId}
                subjectId={id}
                label={t`Reply to ${name}`}
                placeholder={t`Your reply…`}
                submit={t({ message: 'Reply', context: 'verb' })}
                takesFocus
                onCancel={() => setIsReplying(false)}
                onSubmit={async (text) => {
                  const outcome = await write(text, id);
                  if (outcome === 'sent') setIsReplying(false);
                  if (outcome === 'logged-out') askToSignIn({ title, act: sendOnReturn });
                  return outcome === 'sent';
                }}
              />
            </div>
          )}
        </div>
      )}
    </CommentView>
  );
}

type CommentActsProps = Pick<ThreadProps, 'onDelete' | 'onEdit' | 'onReport'> & { comment: CommentOf };

function CommentActs({ comment, onDelete, onEdit, onReport }: CommentActsProps) {
  const viewer = useListener();
  const name = comment.user?.username ?? '';
  if (canDeleteComment(viewer, comment)) {
    return (
      <>
        <button type="button" aria-label={t`Edit your comment`} onClick={() => onEdit(comment)}>
          <Trans>Edit</Trans>
        </button>
        <button type="button" aria-label={t`Delete your comment`} onClick={() => onDelete(comment)}>
          <Trans>Delete</Trans>
        </button>
      </>
    );
  }
  const words = { 'aria-label': t`Report the comment by ${name}`, children: t({ message: 'Report', context: 'verb' }) };
  // Listeners have the short form, which three of them hide a comment with; the long one needs no account.
  if (viewer.kind !== 'user') return <Link {...words} to={`/report?about=comment/${comment.id}`} />;
  if (!canReportComment(viewer, comment)) return null;
  return <button type="button" {...words} onClick={() => onReport(comment)} />;
}
