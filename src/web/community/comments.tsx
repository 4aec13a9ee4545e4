import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import Heart from 'lucide-react/icons/heart';
import MessageCircle from 'lucide-react/icons/message-circle';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useRevalidator } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { type CommentOrder, commentOrderCookie, commentOrders } from '#domain/catalogue/rules.ts';
import { canWriteComment } from '#domain/community/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { withQuery } from '#web/catalogue/list-links.ts';
import { answerOf, api } from '../api.ts';
import { keepCookie } from '../identity/preference-cookie.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useListener } from '../listening/player-provider.tsx';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { useLateLayer } from '../ui/layers/use-late-layer.ts';
import { onPlainPress } from '../ui/plain-press.ts';
import { Thread } from './thread.tsx';
import type { CommentView } from './threads.ts';
import { type FirstComments, useComments } from './use-comments.ts';
import { WriteComment } from './write-comment.tsx';

const loadDialogs = () => import('./comment-dialogs.tsx');

type CommentsProps = {
  audio: AudioItem;
  first: FirstComments;
  /** The viewer owns the voice and may turn comments off. */
  canSwitch: boolean;
  now: number;
};

/** Comments on an audio. Everyone can read them; writing needs an account, and a subscription where the creator says so. */
export function Comments({ audio, first, canSwitch, now }: CommentsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { threads, total, pages, write, edit, remove, loadReplies } = useComments(audio.id, first);
  const [deleting, setDeleting] = useState<CommentView>();
  const [editing, setEditing] = useState<CommentView>();
  const [reporting, setReporting] = useState<CommentView>();
  const userId = useSession().user?.id;
  const viewer = useListener();
  const isAsked = [deleting, editing, reporting].some((comment) => comment !== undefined);
  const dialogs = useLateLayer(loadDialogs, isAsked, () => {
    setEditing(undefined);
    setDeleting(undefined);
    setReporting(undefined);
  });
  const { hash, key } = useLocation();
  useEffect(() => {
    // The browser and the router scroll to it.
    if (hash.startsWith('#comment-')) document.getElementById(hash.slice(1))?.focus({ preventScroll: true });
  }, [hash, key]);
  const isOff = first.commentsDisabled;
  const { commenters, pausedUntil } = first;
  // Visitors, and users without a username, are asked for an account or a name when they start to write.
  const mayWrite =
    (commenters !== 'subscribers' && pausedUntil === null) ||
    canWriteComment(viewer, { commenters, pausedUntil, voiceId: audio.voice.id });
  return (
    <section aria-label={t`Comments`}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="text-26 focus-visible:[--ring:none]">
          <Trans>Comments</Trans>{' '}
          {!isOff && (
            <span className="tabular-nums font-ui text-16 tracking-normal text-muted">{formatCount(total)}</span>
          )}
        </h2>
        {canSwitch && <CommentsSwitch audioId={audio.id} isOn={!isOff} />}
      </div>
      {isOff ? (
        <p className="mt-5 text-muted">
          <Trans>This creator has turned off their comments.</Trans>
        </p>
      ) : (
        <>
          <CommentGuidelines />
          <WriteComment audio={audio} write={mayWrite ? write : undefined} pausedUntil={pausedUntil} />
          {total > 1 && <OrderLinks order={first.order} />}
          {threads.length === 0 ? (
            <p className="mt-8 text-muted">
              <Trans>No comments</Trans>
            </p>
          ) : (
            <ul className="mt-4">
              {threads.map((thread) => (
                <Thread
                  key={thread.id}
                  thread={thread}
                  voice={audio.voice}
                  now={now}
                  write={mayWrite ? write : undefined}
                  loadReplies={loadReplies}
                  onDelete={setDeleting}
                  onEdit={setEditing}
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
          <dialogs.EditComment comment={editing} userId={userId} onClose={() => setEditing(undefined)} edit={edit} />
          <dialogs.ReportComment comment={reporting} onClose={() => setReporting(undefined)} />
        </>
      )}
    </section>
  );
}

const orders: Record<CommentOrder, () => string> = {
  newest: () => t`Newest`,
  oldest: () => t`Oldest`,
  answered: () => t`Most answered`,
};

/** Links, which work without JavaScript; with it, the browser keeps the choice for all audios. */
function OrderLinks({ order }: { order: CommentOrder }) {
  const { search, pathname } = useLocation();
  return (
    <nav className="chips mt-8" aria-label={t`Order of comments`}>
      {commentOrders.map((one) => (
        <Chip
          key={one}
          size="sm"
          aria-current={one === order ? 'true' : undefined}
          render={
            <Link
              to={pathname + withQuery(search, { sort: one, comment: undefined })}
              preventScrollReset
              replace
              onClick={() => keepCookie(commentOrderCookie, one)}
            />
          }
        >
          {orders[one]()}
        </Chip>
      ))}
    </nav>
  );
}

const guidelines = (): { icon: LucideIcon; text: string }[] => [
  { icon: Heart, text: t`Be warm. A person read this aloud for you.` },
  { icon: MessageCircle, text: t`Talk about the performance, not the performer’s body or private life.` },
  {
    icon: ShieldCheck,
    text: t`No slurs, threats, contact details or links. We remove them and may close the account.`,
  },
];

function CommentGuidelines() {
  return (
    <aside className="panel mt-5 text-14 leading-[1.55] text-soft" aria-label={t`Comment guidelines`}>
      <h3 className="font-ui text-18 font-semibold tracking-normal">
        <Trans>Comment guidelines</Trans>
      </h3>
      <ul>
        {guidelines().map(({ icon, text }) => (
          <li key={text} className="mt-3 flex gap-2.5">
            <Icon of={icon} size={18} className="mt-0.5 text-accent-text" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** Lets the voice’s owner turn comments on this audio on and off. */
function CommentsSwitch({ audioId, isOn }: { audioId: string; isOn: boolean }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [chosen, setChosen] = useState<boolean>();
  const shown = chosen ?? isOn;

  async function toggle(): Promise<void> {
    if (chosen !== undefined) return;
    setChosen(!isOn);
    const answer = await answerOf(
      api.audios[':id']['comments-disabled'].$put({ param: { id: audioId }, json: { commentsDisabled: isOn } }),
    );
    if (answer.ok) await revalidate();
    setChosen(undefined);
    showToast({ text: answer.ok ? (isOn ? t`Comments are off` : t`Comments are on`) : answer.message });
  }

  return (
    <button
      type="button"
      role="switch"
      aria-checked={shown}
      className="noscript:hidden flex min-h-11 items-center gap-3 rounded-cover text-14 text-soft"
      onClick={() => void toggle()}
    >
      <Trans>Allow comments</Trans>
      <span className="switch" />
    </button>
  );
}

type MoreCommentsProps = {
  nextCursor: string | undefined;
  state: 'idle' | 'loading' | 'failed';
  loadMore: () => Promise<void>;
  shown: number;
};

/** Loads more on a press, not on scroll, because content follows below; a link without JavaScript. */
function MoreComments({ nextCursor, state, loadMore, shown }: MoreCommentsProps) {
  const { search, pathname } = useLocation();
  const isPart = new URLSearchParams(search).has('cursor');
  return (
    <>
      <output className="sr-only">{state === 'loading' ? t`Loading more` : shown > 0 && t`${shown} shown`}</output>
      {(nextCursor !== undefined || isPart) && (
        <div className="mt-6 flex flex-wrap items-center gap-3">
          {isPart && (
            <Button variant="ghost" size="sm" render={<Link to={pathname + withQuery(search, {})} />}>
              {t`Newest comments`}
            </Button>
          )}
          {state === 'failed' && (
            <span role="alert" className="text-14 text-muted">
              <Trans>The rest of the comments could not be loaded.</Trans>
            </span>
          )}
          {nextCursor !== undefined && (
            <Button
              variant="outline"
              size="sm"
              busy={state === 'loading' ? t`Loading…` : undefined}
              render={<Link to={pathname + withQuery(search, { cursor: nextCursor })} rel="next" />}
              onClick={onPlainPress(() => void loadMore())}
            >
              {state === 'failed' ? t`Try again` : t`Show more comments`}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
