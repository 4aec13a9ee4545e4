import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Flag from 'lucide-react/icons/flag';
import { href, Link } from 'react-router';
import type { ReportDetail, ThreadComment, GivenReason, PastDecision } from '#domain/admin/people/report-queue.ts';
import { formatAgo, formatDate } from '#formats/times.ts';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import MicVocal from 'lucide-react/icons/mic-vocal';
import User from 'lucide-react/icons/user';
import { formatCount } from '#formats/numbers.ts';
import { Pane } from '#web/workshop/pane.tsx';
import { reasonWords, verbWords } from './report-decisions.ts';
import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import ChevronRight from 'lucide-react/icons/chevron-right';
import EyeOff from 'lucide-react/icons/eye-off';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { DecisionVerb } from '#domain/community/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { type Moment, Fact, Facts, Timeline } from '#web/workshop/facts.tsx';

/** The comment among its neighbours. */
export function ReportedThread({ report, now }: { report: ReportDetail; now: number }) {
  const { audio, voice, thread } = report;
  const about = (
    <>
      <Cover imageUrl={audio.imageUrl} size={40} />
      <span className="min-w-0">
        <b className="block text-text">{audio.title}</b>
        <span className="text-muted">{voice.name}</span>
      </span>
    </>
  );
  return (
    <section aria-label={t`The comment in context`}>
      {audio.isPublished ? (
        <Link className="studio-comment__audio" to={href('/audio/:slug', { slug: audio.slug })}>
          {about}
        </Link>
      ) : (
        <span className="studio-comment__audio">{about}</span>
      )}
      <div className="mt-1.5">
        {thread.map((comment) =>
          comment.id === report.id ? (
            <article
              key={comment.id}
              className="forced-colors:border forced-colors:border-[CanvasText] rounded-card bg-danger-soft [box-shadow:inset_0_0_0_1px_color-mix(in_srgb,var(--danger)_55%,transparent)] py-4 px-4.5 my-3.5"
              aria-label={t`The reported comment`}
            >
              <div className="grid grid-cols-[40px_minmax(0,1fr)] gap-3.5">
                <Face comment={comment} />
                <div>
                  <p className="studio-comment__head">
                    <b>{comment.username}</b>
                    <time dateTime={comment.at}>{formatAgo(comment.at, now)}</time>
                    <span className="state-mark tone-bad">
                      <Icon of={Flag} size={16} />
                      {comment.state === 'shown' ? t`Reported, still shown` : t`Reported, hidden`}
                    </span>
                  </p>
                  <p className="mt-1 text-18 leading-[1.55] wrap-anywhere whitespace-pre-line">{comment.text}</p>
                </div>
              </div>
            </article>
          ) : (
            <article
              key={comment.id}
              className={comment.state === 'shown' ? 'studio-comment' : 'studio-comment studio-comment--off'}
            >
              <Face comment={comment} />
              <div>
                <p className="studio-comment__head">
                  <b>{comment.username ?? t`A deleted account`}</b>
                  <time dateTime={comment.at}>{formatAgo(comment.at, now)}</time>
                </p>
                <p className="studio-comment__body wrap-anywhere whitespace-pre-line">
                  {comment.text ?? t`This comment was deleted.`}
                  {comment.state === 'removed' && ` ${t`(removed)`}`}
                  {comment.state === 'held' && ` ${t`(hidden until decided)`}`}
                  {comment.state === 'waiting' && ` ${t`(held)`}`}
                  {comment.state === 'hidden' && ` ${t`(hidden by the creator)`}`}
                </p>
              </div>
            </article>
          ),
        )}
      </div>
    </section>
  );
}

function Face({ comment }: { comment: ThreadComment }) {
  return <Avatar name={comment.icon ?? comment.username} color={comment.color} size={40} />;
}

/** Reasons of a report, without the listeners' names: only the outcome of their earlier reports counts. */
export function ReportReasons({ report, now }: { report: ReportDetail; now: number }) {
  const { given, voice, reports } = report;
  const more = reports - given.length;
  return (
    <Pane title={t`Reasons given`} gap="mb-2">
      <ul className="todo">
        {given.map((one, index) => (
          <li key={index}>
            {one.ofVoice && voice.imageUrl !== null ? (
              <Cover imageUrl={voice.imageUrl} shape="circle" size={36} />
            ) : (
              <span className="todo__icon">
                <Icon of={one.ofVoice ? MicVocal : User} size={18} />
              </span>
            )}
            <div>
              <b>{reasonWords()[one.reason]}</b>
              <small className="wrap-anywhere">{givenBy(one, voice.name, now)}</small>
            </div>
            <span className="text-13 text-muted">{recordOf(one)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="text-13 mt-2 text-muted">
          {plural(more, { one: 'And # more report.', other: 'And # more reports.' })}
        </p>
      )}
    </Pane>
  );
}

function givenBy({ ofVoice, at, details }: GivenReason, voice: string, now: number): string {
  const who = ofVoice ? t`${voice}, owner of the audio` : t`A listener`;
  const ago = formatAgo(at, now);
  return details === null ? `${who}, ${ago}` : t`${who}, ${ago}: “${details}”`;
}

function recordOf({ decided, upheld }: GivenReason): string {
  if (decided === 0) return t`First report`;
  return t`${plural(decided, { one: '# report', other: '# reports' })}, ${upheld} upheld`;
}

const marks = {
  keep: { icon: Check, tone: 'tone-ok' },
  remove: { icon: EyeOff },
  warn: { icon: TriangleAlert, tone: 'tone-accent' },
  suspend: { icon: Ban, tone: 'tone-bad' },
} satisfies Record<DecisionVerb, Pick<Moment, 'icon' | 'tone'>>;

function momentOf({ id, verb, text, audioTitle, by, at, undoneAt, note }: PastDecision): Moment {
  const decision = verbWords()[verb];
  const quote = text.length > 160 ? `${text.slice(0, 159)}…` : text;
  const sentences = [
    t`“${quote}”`,
    audioTitle !== null && t`Under ${audioTitle}.`,
    by === null ? t`From the command line.` : t`By ${by}.`,
    note !== null && t`Note: ${note}`,
  ];
  return {
    ...marks[verb],
    key: id,
    at,
    title: undoneAt === null ? decision : t`${decision}, undone`,
    note: <span className="wrap-anywhere">{sentences.filter(Boolean).join(' ')}</span>,
  };
}

/** The author, with earlier decisions on their comments. */
export function ReportedAuthor({ author, mayOpen }: { author: ReportDetail['author']; mayOpen: boolean }) {
  const states = [
    formatDate(author.joinedAt),
    author.isAdmin ? t`admin` : mayOpen && author.isSubscribed && t`subscriber`,
    author.isSuspended && t`suspended`,
  ];
  const [comments, decided] = [formatCount(author.comments), formatCount(author.reportedBefore)];
  return (
    <Pane
      title={<span className="block min-w-0 truncate">{author.username}</span>}
      end={
        mayOpen && (
          <Button variant="ghost" size="sm" render={<Link to={href('/admin/users/:id', { id: author.id })} />}>
            <Trans>Open user</Trans>
            <Icon of={ChevronRight} size={16} />
          </Button>
        )
      }
    >
      <Facts className="mb-4">
        <Fact name={t`Joined`}>{states.filter(Boolean).join(', ')}</Fact>
        <Fact name={t`Comments`}>{t`${comments}, of which ${decided} decided before`}</Fact>
      </Facts>
      {author.history.length > 0 && <Timeline label={t`Earlier decisions`} moments={author.history.map(momentOf)} />}
    </Pane>
  );
}
