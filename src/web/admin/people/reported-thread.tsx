import Flag from 'lucide-react/icons/flag';
import { href, Link } from 'react-router';
import type { ReportDetail, ThreadComment } from '#domain/admin/people/report-queue.ts';
import { formatAgo } from '#formats/times.ts';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';

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
    <section aria-label="The comment in context">
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
              aria-label="The reported comment"
            >
              <div className="grid grid-cols-[40px_minmax(0,1fr)] gap-3.5">
                <Face comment={comment} />
                <div>
                  <p className="studio-comment__head">
                    <b>{comment.username}</b>
                    <time dateTime={comment.at}>{formatAgo(comment.at, now)}</time>
                    <span className="state-mark tone-bad">
                      <Icon of={Flag} size={16} />
                      {comment.state === 'held' ? 'Reported, hidden' : 'Reported, still shown'}
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
                  <b>{comment.username ?? 'A deleted account'}</b>
                  <time dateTime={comment.at}>{formatAgo(comment.at, now)}</time>
                </p>
                <p className="studio-comment__body wrap-anywhere whitespace-pre-line">
                  {comment.text ?? 'This comment was deleted.'}
                  {comment.state === 'removed' && ' (removed)'}
                  {comment.state === 'held' && ' (hidden until decided)'}
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
