import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleAlert from 'lucide-react/icons/circle-alert';
import EyeOff from 'lucide-react/icons/eye-off';
import FileAudio from 'lucide-react/icons/file-headphone';
import Pencil from 'lucide-react/icons/pencil';
import Reply from 'lucide-react/icons/reply';
import Upload from 'lucide-react/icons/upload';
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { DayFigures } from '#domain/studio/figure-history.ts';
import type { BestAudio } from '#domain/studio/figures.ts';
import type { StudioOverview as Overview } from '#domain/studio/overview.ts';
import { formatAgo, formatCount, formatCountOf, formatTime } from '#web/format.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import { useGreeting } from '#web/shell/greeting.ts';
import { fromText } from '#web/studio/audio-figures.tsx';
import { failureTexts } from '#web/workshop/upload-failure-texts.ts';
import { managedVoice } from '#web/studio/managed-voice.ts';
import { useCommentActs } from '#web/studio/use-comment-acts.ts';
import { useStudio } from '#web/studio/use-studio.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import {
  countText,
  daysText,
  deltaOf,
  hoursText,
  pointsOf,
  shareOf,
  shareText,
  underTen,
} from '#web/workshop/figure-text.ts';
import { Sparkline } from '#web/workshop/sparkline.tsx';
import { Change, StatTile, StatTiles } from '#web/workshop/stat-tiles.tsx';
import type { Route } from './+types/studio-overview';
import { countOf } from '#domain/kernel/rules.ts';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const overview = orNotFound(await site.studio.findOverview(viewer, voice.id));
  return { overview, now: Date.now() };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Overview', description: 'How your voice does, and what waits for you', index: 'no' });
}

export default function StudioOverview({ loaderData: { overview, now } }: Route.ComponentProps) {
  const { voice } = useStudio();
  const greeting = useGreeting();
  const { period, scheduled, drafts, failed } = overview;
  const at = { voice: voice.slug };
  return (
    <>
      <div className="ph">
        <div className="ph__t">
          <h1 tabIndex={-1}>
            {greeting}, {voice.name.split(' ')[0]}
          </h1>
          <p className="ph__s">
            {countOf(period.days, 'day')} to {daysText(period.to, period.to)}, against the {countOf(period.days, 'day')}{' '}
            before
          </p>
        </div>
        <div className="ph__a">
          <Button variant="primary" render={<Link to={href('/studio/:voice/upload', at)} />}>
            <Icon of={Upload} size={18} />
            Upload
          </Button>
        </div>
      </div>
      <Tiles overview={overview} />
      <div className="c21 mt-8">
        <div>
          <BestAudios overview={overview} />
          <NewestComments comments={overview.comments} now={now} />
        </div>
        <aside className="gap24">
          {failed.length > 0 && <NeedsAttention failed={failed} />}
          <section className="pn" aria-labelledby="scheduled">
            <h2 className="h22 mb-1.5" id="scheduled">
              Scheduled
            </h2>
            {scheduled.length === 0 && <p className="text-muted t14">Nothing is scheduled.</p>}
            <ul className="todo">
              {scheduled.map(({ id, title, imageUrl, publishedAt }) => (
                <li key={id} className="todo--cover">
                  <Cover imageUrl={imageUrl} size={40} />
                  <Facts title={title}>{timeText(publishedAt)}</Facts>
                  <Edit id={id} title={title} />
                </li>
              ))}
            </ul>
          </section>
          <section className="pn" aria-labelledby="drafts">
            <div className="pn__h mb-1.5">
              <h2 className="h22" id="drafts">
                Drafts
              </h2>
              <span className="text-muted t13">{formatCount(drafts.total)}</span>
            </div>
            {drafts.total === 0 && (
              <p className="text-muted t14">No drafts. New uploads wait here until you publish them.</p>
            )}
            <ul className="todo">
              {drafts.items.map(({ id, title, durationMs, needs }) => (
                <li key={id}>
                  <span className="todo__i">
                    <Icon of={FileAudio} size={18} />
                  </span>
                  <Facts title={title}>
                    {formatTime(durationMs / 1000)}
                    <span className="dot">{needs === undefined ? 'Ready to publish' : `Needs a ${needs}`}</span>
                  </Facts>
                  <Edit id={id} title={title} />
                </li>
              ))}
            </ul>
            {drafts.total > drafts.items.length && (
              <Link className="more mt-2" to={href('/studio/:voice/audios', at)}>
                All audios
                <Icon of={ChevronRight} size={16} />
              </Link>
            )}
          </section>
        </aside>
      </div>
    </>
  );
}

function Tiles({ overview: { figures, period } }: { overview: Overview }) {
  const { now, before, days, daysBefore } = figures;
  const line = (label: string, read: (day: DayFigures) => number | null) => (
    <Sparkline
      values={days.map(read)}
      before={daysBefore.map(read)}
      label={`${label} per day for ${countOf(period.days, 'day')}, dashed the days before`}
    />
  );
  return (
    <StatTiles label="Figures">
      <StatTile
        label="Plays"
        value={countText(now.plays)}
        delta={deltaOf(now.plays, before.plays)}
        detail={fromText(before.plays)}
      >
        {line('Plays', ({ plays }) => plays)}
      </StatTile>
      <StatTile
        label="Listeners"
        value={countText(now.listeners)}
        delta={deltaOf(now.listeners, before.listeners)}
        detail={fromText(before.listeners)}
      >
        {line('Listeners', ({ listeners }) => listeners)}
      </StatTile>
      <StatTile
        label="Hours heard"
        value={hoursText(now.heardMs)}
        delta={deltaOf(now.heardMs, before.heardMs)}
        detail={fromText(before.heardMs, hoursText(before.heardMs))}
      >
        {line('Hours heard', ({ heardMs }) => heardMs)}
      </StatTile>
      <StatTile
        label="Heard to the end"
        value={shareText(now.ends, now.memberPlays)}
        delta={pointsOf(shareOf(now.ends, now.memberPlays), shareOf(before.ends, before.memberPlays))}
        detail={fromText(before.ends, shareText(before.ends, before.memberPlays))}
      >
        {line('Share heard to the end', ({ ends, memberPlays }) => shareOf(ends, memberPlays))}
      </StatTile>
    </StatTiles>
  );
}

function BestAudios({ overview: { best, period } }: { overview: Overview }) {
  const { voice } = useStudio();
  const at = { voice: voice.slug };
  const most = best.items[0]?.now.plays ?? 0;
  return (
    <section className="pn pn--0" aria-labelledby="best">
      <div className="pn__h">
        <h2 className="h22" id="best">
          Best audios
        </h2>
        <Link className="more" to={href('/studio/:voice/figures', at)}>
          All figures
          <Icon of={ChevronRight} size={16} />
        </Link>
      </div>
      {best.items.length === 0 ? (
        <p className="px-6 pb-6 text-muted">
          No audio has had ten listeners in these {countOf(period.days, 'day')}. Figures are shown from ten on.
        </p>
      ) : (
        <table className="tbl tbl--cards">
          <thead>
            <tr>
              <th scope="col">Audio</th>
              <th scope="col" className="r">
                Plays
              </th>
              <th scope="col" className="r">
                Change
              </th>
              <th scope="col" className="r">
                Listeners
              </th>
              <th scope="col" className="r">
                To the end
              </th>
            </tr>
          </thead>
          <tbody>
            {best.items.map((audio) => (
              <BestRow key={audio.id} audio={audio} most={most ?? 0} />
            ))}
            {best.others !== undefined && (
              <tr>
                <td className="w2 text-muted">{formatCountOf(best.others.count, 'other audio')}</td>
                <td className="r" data-l="Plays">
                  {countText(best.others.plays)}
                </td>
                <td className="hide-m" colSpan={3}>
                  <span className="sr-only">not told for several audios</span>
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}

function BestRow({ audio: { slug, title, imageUrl, now, before }, most }: { audio: BestAudio; most: number }) {
  const { voice } = useStudio();
  const change = deltaOf(now.plays, before.plays);
  const to = `${href('/studio/:voice/figures', { voice: voice.slug })}?${new URLSearchParams({ audio: slug })}`;
  return (
    <tr>
      <td className="w2">
        <div className="cell">
          <Cover imageUrl={imageUrl} size={40} />
          <div className="min-w-0">
            <Link className="block max-w-72 truncate" to={to}>
              {title}
            </Link>
            <span className="mini mt-1.5 w-45" aria-hidden="true">
              <i style={{ width: `${most === 0 ? 0 : ((now.plays ?? 0) / most) * 100}%` }} />
            </span>
          </div>
        </div>
      </td>
      <td className="r" data-l="Plays">
        {countText(now.plays)}
      </td>
      <td className="r" data-l="Change">
        {change === undefined ? <span className="text-muted">{underTen} before</span> : <Change of={change} />}
      </td>
      <td className="r" data-l="Listeners">
        {countText(now.listeners)}
      </td>
      <td className="r" data-l="To the end">
        {shareText(now.ends, now.memberPlays)}
      </td>
    </tr>
  );
}

function NewestComments({ comments, now }: { comments: Overview['comments']; now: number }) {
  const { voice, counts } = useStudio();
  const { setHidden } = useCommentActs(voice);
  const to = href('/studio/:voice/comments', { voice: voice.slug });
  return (
    <section className="wsec" aria-labelledby="comments">
      <div className="wsec__h">
        <h2 id="comments">Newest comments</h2>
        <Link className="more" to={to}>
          {counts.unansweredComments === 0 ? 'All comments' : `${formatCount(counts.unansweredComments)} unanswered`}
          <Icon of={ChevronRight} size={16} />
        </Link>
      </div>
      {comments.length === 0 && <p className="text-muted">All comments are answered.</p>}
      {comments.length > 0 && (
        <div className="border-t border-line">
          {comments.map(({ id, text, createdAt, author, audio }) => (
            <article className="cmt" key={id}>
              <Avatar name={author.icon ?? author.username} color={author.color} size={40} />
              <div>
                <p className="cmt__h">
                  <b>{author.username}</b>
                  <time dateTime={createdAt.toISOString()}>{formatAgo(createdAt.toISOString(), now)}</time>
                </p>
                <Link className="cmt__on" to={editorOf(voice.slug, audio.id)}>
                  <span className="truncate">{audio.title}</span>
                </Link>
                <p className="cmt__b">{text}</p>
                <p className="cmt__a">
                  <Button variant="ghost" render={<Link to={to} aria-label={`Reply to ${author.username}`} />}>
                    <Icon of={Reply} size={16} />
                    Reply
                  </Button>
                  <Button
                    variant="ghost"
                    aria-label={`Hide the comment by ${author.username}`}
                    onClick={() => void setHidden(id, true)}
                  >
                    <Icon of={EyeOff} size={16} />
                    Hide
                  </Button>
                </p>
              </div>
            </article>
          ))}
        </div>
      )}
    </section>
  );
}

function NeedsAttention({ failed }: { failed: Overview['failed'] }) {
  const { voice } = useStudio();
  const upload = href('/studio/:voice/upload', { voice: voice.slug });
  return (
    <section className="pn pn--bad" aria-labelledby="attention">
      <h2 className="h22 mb-1.5" id="attention">
        Needs attention
      </h2>
      <ul className="todo">
        {failed.map(({ id, title, failure, replaces }) => (
          <li key={id}>
            <span className="todo__i todo__i--bad">
              <Icon of={CircleAlert} size={18} />
            </span>
            <Facts title={title}>{failureTexts[failure]}</Facts>
            <Button
              size="sm"
              render={
                <Link
                  to={replaces === null ? upload : `${upload}?replaces=${replaces}`}
                  aria-label={`Replace ${title}`}
                />
              }
            >
              Replace
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <b className="block truncate">{title}</b>
      <small className="tabular-nums">{children}</small>
    </div>
  );
}

function Edit({ id, title }: { id: string; title: string }) {
  const { voice } = useStudio();
  return <IconButton size={40} icon={Pencil} label={`Edit ${title}`} render={<Link to={editorOf(voice.slug, id)} />} />;
}

/** The editor of an audio. */
function editorOf(voice: string, id: string): string {
  return `${href('/studio/:voice/audios', { voice })}/${id}`;
}

const times = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `Tue 24 Nov, 22:00 UTC` */
function timeText(at: Date): string {
  return `${times.format(at).replace(/^(\w+),/, '$1')} UTC`;
}
