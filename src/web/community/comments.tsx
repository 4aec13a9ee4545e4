import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { canWriteComment } from '#domain/community/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { useListener } from '../listening/player-provider.tsx';
import { useLateLayer } from '../ui/layers/use-late-layer.ts';
import { CommentGuidelines } from './comment-guidelines.tsx';
import { CommentsSwitch } from './comments-switch.tsx';
import { MoreComments } from './more-comments.tsx';
import { Thread } from './thread.tsx';
import type { CommentView } from './threads.ts';
import type { FirstComments } from './use-comments.ts';
import { useComments } from './use-comments.ts';
import { WriteComment } from './write-comment.tsx';

const loadDialogs = () => import('./comment-dialogs.tsx');

type CommentsProps = {
  audio: AudioItem;
  /** Comments in the page’s data. */
  first: FirstComments;
  /** The viewer owns the voice and may turn comments off. */
  canSwitch: boolean;
  now: number;
};

/** Comments on an audio. Everyone can read them; writing needs an account, and a subscription where the creator says so. */
export function Comments({ audio, first, canSwitch, now }: CommentsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { threads, total, pages, write, remove, loadReplies } = useComments(audio.id, first);
  const [deleting, setDeleting] = useState<CommentView>();
  const [reporting, setReporting] = useState<CommentView>();
  const viewer = useListener();
  const dialogs = useLateLayer(loadDialogs, deleting !== undefined || reporting !== undefined, () => {
    setDeleting(undefined);
    setReporting(undefined);
  });
  const { hash, key } = useLocation();
  useEffect(() => {
    // The browser and the router scroll to it.
    if (hash.startsWith('#comment-')) document.getElementById(hash.slice(1))?.focus({ preventScroll: true });
  }, [hash, key]);
  const isOff = first.commentsDisabled;
  const { commenters } = first;
  // Visitors, and users without a username, are asked for an account or a name when they start to write.
  const mayWrite = commenters !== 'subscribers' || canWriteComment(viewer, { commenters, voiceId: audio.voice.id });
  return (
    <section aria-label="Comments">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="text-26 focus-visible:[--ring:none]">
          Comments{' '}
          {!isOff && (
            <span className="tabular-nums font-ui text-16 tracking-normal text-muted">{formatCount(total)}</span>
          )}
        </h2>
        {canSwitch && <CommentsSwitch audioId={audio.id} isOn={!isOff} />}
      </div>
      {isOff ? (
        <p className="mt-5 text-muted">This creator has turned off their comments.</p>
      ) : (
        <>
          <CommentGuidelines className="mt-5" />
          <WriteComment audio={audio} write={mayWrite ? write : undefined} />
          {threads.length === 0 ? (
            <p className="mt-8 text-muted">No comments</p>
          ) : (
            <ul className="mt-4">
              {threads.map((thread) => (
                <Thread
                  key={thread.id}
                  thread={thread}
                  now={now}
                  write={mayWrite ? write : undefined}
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
      {dialogs && (
        <>
          <dialogs.DeleteComment
            comment={deleting}
            onClose={() => setDeleting(undefined)}
            remove={remove}
            onGone={() => heading.current?.focus({ preventScroll: true })}
          />
          <dialogs.ReportComment comment={reporting} onClose={() => setReporting(undefined)} />
        </>
      )}
    </section>
  );
}
