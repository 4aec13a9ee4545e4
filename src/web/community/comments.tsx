import { useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import { withQuery } from '#web/catalogue/list-links.ts';
import { formatCount } from '#web/format.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useSignInPrompt } from '../shell/sign-in-prompt.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { onPlainPress } from '../ui/plain-press.ts';
import { CommentGuidelines } from './comment-guidelines.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentsSwitch } from './comments-switch.tsx';
import { DeleteComment } from './delete-comment.tsx';
import { ReportComment } from './report-comment.tsx';
import { Thread } from './thread.tsx';
import type { CommentView } from './threads.ts';
import type { FirstComments } from './use-comments.ts';
import { useComments } from './use-comments.ts';

type CommentsProps = {
  audio: Audio;
  /** As the page was made with it. */
  first: FirstComments;
  /** Owns the voice: may turn them off. */
  canSwitch: boolean;
  now: number;
};

/** What listeners said about an audio. Reading is for all, writing needs an account. */
export function Comments({ audio, first, canSwitch, now }: CommentsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { threads, total, pages, write, remove, loadReplies } = useComments(audio.id, first);
  const [deleting, setDeleting] = useState<CommentView>();
  const [reporting, setReporting] = useState<CommentView>();
  const isOff = first.commentsDisabled;
  return (
    <section aria-label="Comments">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="t-26 focus-visible:[--ring:none]">
          Comments{' '}
          {!isOff && <span className="num font-ui text-16 tracking-normal text-muted">{formatCount(total)}</span>}
        </h2>
        {canSwitch && <CommentsSwitch audioId={audio.id} isOn={!isOff} />}
      </div>
      {isOff ? (
        <p className="mt-5 text-muted">This creator has turned off their comments.</p>
      ) : (
        <>
          {/* Beside the comments where there is room. */}
          <CommentGuidelines className="mt-5 lg:hidden" />
          <WriteComment audio={audio} write={write} />
          {threads.length === 0 ? (
            <p className="mt-8 text-muted">No comments</p>
          ) : (
            <ul className="mt-4">
              {threads.map((thread) => (
                <Thread
                  key={thread.id}
                  thread={thread}
                  now={now}
                  write={write}
                  loadReplies={loadReplies}
                  onDelete={setDeleting}
                  onReport={setReporting}
                />
              ))}
            </ul>
          )}
          <MoreComments {...pages} shown={threads.length} />
        </>
      )}
      <DeleteComment
        comment={deleting}
        onClose={() => setDeleting(undefined)}
        remove={remove}
        onGone={() => heading.current?.focus({ preventScroll: true })}
      />
      <ReportComment comment={reporting} onClose={() => setReporting(undefined)} />
    </section>
  );
}

type WriteCommentProps = { audio: Audio; write: ReturnType<typeof useComments>['write'] };

function WriteComment({ audio, write }: WriteCommentProps) {
  const askToSignIn = useSignInPrompt();
  const { user } = useSession();
  const box = useRef<HTMLDivElement>(null);
  const ask = { to: `comment on “${audio.title}”`, imageUrl: audio.imageUrl };

  /** It stands there by the time they are in. */
  function focusField(): void {
    box.current?.querySelector('textarea')?.focus();
  }

  return (
    <div ref={box} className="script mt-5 flex items-start gap-3.5">
      <Avatar name={user?.icon ?? user?.username} color={user?.color} size={40} />
      {user === null ? (
        <div className="grow">
          <button
            type="button"
            className="in min-h-13! text-muted!"
            onClick={() => askToSignIn({ ...ask, act: focusField })}
          >
            Say something kind…
          </button>
          <p className="mt-2 text-13 text-muted">Your username is shown with your comment.</p>
        </div>
      ) : (
        <CommentForm
          label="Comment"
          placeholder="Say something kind…"
          submit="Comment"
          onSubmit={async (text) => {
            if (user.username !== null) return write(text, null);
            // Named with it, they need a name first; what was written waits in the field.
            askToSignIn({ ...ask, act: focusField });
            return false;
          }}
        />
      )}
    </div>
  );
}

type MoreCommentsProps = {
  nextCursor: string | undefined;
  state: 'idle' | 'loading' | 'failed';
  loadMore: () => Promise<void>;
  shown: number;
};

/** By a press, since the page goes on below; by a link where there is no script. */
function MoreComments({ nextCursor, state, loadMore, shown }: MoreCommentsProps) {
  const { search, pathname } = useLocation();
  const isPart = new URLSearchParams(search).has('cursor');
  return (
    <>
      <output className="vh">{state === 'loading' ? 'Loading more' : shown > 0 && `${shown} shown`}</output>
      {(nextCursor !== undefined || isPart) && (
        <div className="mt-6 flex flex-wrap items-center gap-3">
          {isPart && (
            <Button variant="ghost" size="sm" render={<Link to={pathname + withQuery(search, {})} />}>
              Newest comments
            </Button>
          )}
          {state === 'failed' && (
            <span role="alert" className="text-14 text-muted">
              The rest of the comments could not be loaded.
            </span>
          )}
          {nextCursor !== undefined && (
            <Button
              variant="outline"
              size="sm"
              busy={state === 'loading' ? 'Loading' : undefined}
              render={
                <Link to={`${pathname}${withQuery(search, {})}&cursor=${encodeURIComponent(nextCursor)}`} rel="next" />
              }
              onClick={onPlainPress(() => void loadMore())}
            >
              {state === 'failed' ? 'Try again' : 'Show more comments'}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
