import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import Ban from 'lucide-react/icons/ban';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Flag from 'lucide-react/icons/flag';
import Glasses from 'lucide-react/icons/glasses';
import Hand from 'lucide-react/icons/hand';
import Heart from 'lucide-react/icons/heart';
import Link2 from 'lucide-react/icons/link-2';
import Pin from 'lucide-react/icons/pin';
import PinOff from 'lucide-react/icons/pin-off';
import Reply from 'lucide-react/icons/reply';
import TextSearch from 'lucide-react/icons/text-search';
import { type ComponentProps, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import { isVoiceRole } from '#domain/kernel/rules.ts';
import type { HeldReason } from '#domain/community/rules.ts';
import type { VoiceComment } from '#domain/community/voice-comments.ts';
import type { ManagedVoice } from '#domain/studio/voices.ts';
import { CommentForm } from '../../community/comment-form.tsx';
import { ReportForm } from '../../community/report-form.tsx';
import { formatAgo } from '#formats/times.ts';
import { useSession } from '../../identity/session-provider.tsx';
import { Avatar } from '../../ui/images/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Cover } from '../../ui/images/cover.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { StateMark } from '../../workshop/state-mark.tsx';
import { withMarks } from '../../workshop/with-marks.tsx';
import { type CommentActs, canShow } from './use-comment-acts.ts';
import '../../styles/community.css';

/** Times are ISO 8601. */
type CommentView = Omit<VoiceComment, 'createdAt' | 'editedAt'> & { createdAt: string; editedAt: string | null };

type Times = { createdAt: Date; editedAt: Date | null };

/** Times as strings, as in the API. */
export function withIsoTimes<Of extends Times & { replies: Times[] }>(thread: Of) {
  type Reply = Of['replies'][number];
  return {
    ...thread,
    ...isoTimesOf(thread),
    replies: thread.replies.map((reply: Reply) => ({ ...reply, ...isoTimesOf(reply) })),
  };
}

const isoTimesOf = ({ createdAt, editedAt }: Times) => ({
  createdAt: createdAt.toISOString(),
  editedAt: editedAt?.toISOString() ?? null,
});

type StudioThreadProps = {
  thread: CommentView & { replies: CommentView[] };
  voice: Pick<ManagedVoice, 'name' | 'role'>;
  acts: CommentActs;
  /** The server’s time. */
  now: number;
};

/** A comment with its audio, its replies and what the creator can do. */
export function StudioThread({ thread, voice, acts, now }: StudioThreadProps) {
  const { user } = useSession();
  const [isReplying, setIsReplying] = useState(false);
  const row = useRef<HTMLElement>(null);
  // Operators reply under their own name, on the audio's page.
  const isOwn = isVoiceRole(voice.role);
  const hiddenReplies = thread.totalReplies - thread.replies.length;

  function endReply(): void {
    setIsReplying(false);
    row.current?.focus();
  }
  return (
    <article
      ref={row}
      className={classNames('studio-comment', thread.state !== 'shown' && 'studio-comment--off')}
      data-thread={thread.id}
      tabIndex={-1}
      aria-label={t`Comment by ${{ name: thread.user.username }}`}
    >
      <Avatar name={thread.user.icon ?? thread.user.username} color={thread.user.color} size={40} />
      <div>
        <CommentHead comment={thread} now={now} />
        <Link className="studio-comment__audio" to={href('/audio/:slug', { slug: thread.audio.slug })}>
          <Cover imageUrl={thread.audio.imageUrl} size={36} className="w-6 rounded-[5px]" />
          <span className="truncate">{thread.audio.title}</span>
        </Link>
        {thread.answers !== null && (
          <p className="truncate text-13 text-muted">
            {t`Answers ${{ name: thread.answers.username }}: “${{ text: thread.answers.text }}”`}
          </p>
        )}
        <CommentText comment={thread} />
        <Acts
          comment={thread}
          acts={acts}
          isOwn={isOwn}
          onReply={isOwn && thread.canReply && !isReplying ? () => setIsReplying(true) : undefined}
        />
        {hiddenReplies > 0 && (
          <p className="mt-2 text-13 text-muted">
            {plural(
              { count: hiddenReplies },
              {
                one: '# earlier reply on the audio’s page',
                other: '# earlier replies on the audio’s page',
              },
            )}
          </p>
        )}
        {thread.replies.map((reply) => (
          <div
            key={reply.id}
            className={classNames(
              'mt-2.5 pt-3 pb-0.5 ps-4 border-s-2 border-line',
              reply.state !== 'shown' && 'studio-comment--off',
            )}
          >
            <CommentHead comment={reply} now={now} />
            <CommentText comment={reply} />
            <Acts comment={reply} acts={acts} isOwn={isOwn} isReply />
          </div>
        ))}
        {isReplying && user !== null && (
          <div className="mt-4">
            <p className="field-label">{t`Reply as ${{ name: voice.name }}`}</p>
            <CommentForm
              key={user.id}
              userId={user.id}
              subjectId={thread.id}
              label={t`Reply to ${{ name: thread.user.username }}`}
              placeholder={t`Answer ${{ name: thread.user.username }}`}
              submit={t`Reply`}
              takesFocus
              onCancel={endReply}
              onSubmit={async (text) => {
                const isAccepted = await acts.reply(thread, text);
                if (isAccepted) endReply();
                return isAccepted;
              }}
            />
          </div>
        )}
      </div>
    </article>
  );
}

function CommentHead({ comment, now }: { comment: CommentView; now: number }) {
  return (
    <p className="studio-comment__head">
      <b>{comment.user.username}</b>
      {comment.isCreator && (
        <span className="tag">
          <Trans>Creator</Trans>
        </span>
      )}
      <time dateTime={comment.createdAt}>{formatAgo(comment.createdAt, now)}</time>
      {comment.isPinned && <StateMark icon={Pin}>{t({ message: 'Pinned', context: 'comment' })}</StateMark>}
      {comment.isHearted && <StateMark icon={Heart}>{t`Has your heart`}</StateMark>}
      {comment.isForDesk ? (
        <StateMark icon={Glasses} tone="accent">{t`Has a watched word, waits for the operator`}</StateMark>
      ) : (
        comment.state !== 'shown' && <StateMark {...stateMarks[comment.state](comment)} />
      )}
      {comment.isBlocked && <StateMark icon={Ban}>{t`Blocked`}</StateMark>}
    </p>
  );
}

type Mark = ComponentProps<typeof StateMark>;

/** Why a comment waits for its creator. */
export const heldWords: Record<HeldReason, { icon: LucideIcon; text: (word: string) => string }> = {
  link: { icon: Link2, text: () => t`Has a link` },
  word: { icon: TextSearch, text: (word) => t`Your word “${word}”` },
  unkind: { icon: Hand, text: () => t`Likely unkind` },
  all: { icon: Hand, text: () => t`Like all new comments` },
};

const stateMarks: Record<Exclude<VoiceComment['state'], 'shown'>, (comment: CommentView) => Mark> = {
  reported: () => ({ icon: Flag, tone: 'accent', children: t`Reported, not decided` }),
  waiting({ heldFor, heldWord }) {
    const { icon, text } = heldWords[heldFor ?? 'link'];
    return { icon, tone: 'accent', children: text(heldWord ?? '') };
  },
  hidden: () => ({ icon: EyeOff, children: t`Hidden` }),
};

function CommentText({ comment }: { comment: CommentView }) {
  return (
    <>
      <p className="studio-comment__body whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
        {comment.state === 'waiting' ? withMarks(comment.text, comment.marks) : comment.text}
      </p>
      {comment.isHeld && (
        <p className="mt-1 text-13 text-muted">
          <Trans>Hidden from everyone until an operator decides.</Trans>
        </p>
      )}
    </>
  );
}

type ActsProps = {
  comment: CommentView;
  acts: CommentActs;
  /** The viewer is of the voice, and no operator. */
  isOwn: boolean;
  isReply?: boolean;
  onReply?: (() => void) | undefined;
};

function Acts({ comment, acts, isOwn, isReply = false, onReply }: ActsProps) {
  const showToast = useToast();
  const [isReporting, setIsReporting] = useState(false);
  const { id, user, state, isPinned, isHearted } = comment;
  const isHidden = state === 'hidden';
  const isShown = state === 'shown' && !comment.isHeld;
  const waits = state === 'waiting';
  const canPin = !isReply && comment.answers === null && (isShown || isPinned);
  if (comment.isCreator && onReply === undefined && !canPin) return null;
  const isOthers = !comment.isCreator;
  const buttons: [isOffered: boolean, icon: LucideIcon, label: string, act: () => unknown][] = [
    [canShow(comment), Eye, t`Show it`, () => acts.setHidden(comment, false, { waited: true })],
    [
      isOthers && isOwn && (isShown || isHearted),
      Heart,
      isHearted ? t`Take the heart back` : t({ message: 'Heart', context: 'verb' }),
      () => acts.setHearted(comment, !isHearted),
    ],
    [
      canPin,
      isPinned ? PinOff : Pin,
      isPinned ? t`Unpin` : t({ message: 'Pin', context: 'verb' }),
      () => acts.setPinned(comment, !isPinned),
    ],
    [
      isOthers && !comment.isHeld,
      isHidden ? Eye : EyeOff,
      isHidden ? t`Show again` : waits ? t`Keep hidden` : t`Hide`,
      () => acts.setHidden(comment, !isHidden, { waited: waits }),
    ],
    [isOthers && state !== 'reported', Flag, t({ message: 'Report', context: 'verb' }), () => setIsReporting(true)],
    [
      isOthers,
      Ban,
      comment.isBlocked ? t`Unblock ${{ name: user.username }}` : t`Block ${{ name: user.username }}`,
      () => acts.setBlocked(user, !comment.isBlocked),
    ],
  ];
  return (
    <div className="studio-comment__acts">
      {onReply !== undefined && (
        <Button variant="ghost" data-reply="" onClick={onReply}>
          <Icon of={Reply} size={16} />
          <Trans>Reply</Trans>
        </Button>
      )}
      {buttons.map(
        ([isOffered, icon, label, act]) =>
          isOffered && (
            <Button key={label} variant="ghost" onClick={() => void act()}>
              <Icon of={icon} size={16} />
              {label}
            </Button>
          ),
      )}
      <Dialog
        open={isReporting}
        onClose={() => setIsReporting(false)}
        dismissedBy="button"
        title={t`Report this comment`}
        description={t`The operators of this site decide. It stays in your list until then.`}
      >
        <ReportForm
          commentId={id}
          onCancel={() => setIsReporting(false)}
          onDone={() => {
            setIsReporting(false);
            showToast({ text: t`Reported to the operators` });
            void acts.refresh();
          }}
        />
      </Dialog>
    </div>
  );
}
