import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronRight from 'lucide-react/icons/chevron-right';
import EyeOff from 'lucide-react/icons/eye-off';
import Reply from 'lucide-react/icons/reply';
import { href, Link } from 'react-router';
import type { StudioOverview as Overview } from '#domain/studio/figures/overview.ts';
import { formatAgo } from '#formats/times.ts';
import { formatCapped } from '#formats/numbers.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useCommentActs } from './use-comment-acts.ts';
import { useStudio } from '../use-studio.ts';

/** Newest unanswered comments. */
export function NewestComments({ comments, now }: { comments: Overview['comments']; now: number }) {
  const { voice, counts } = useStudio();
  const { setHidden } = useCommentActs(voice);
  const to = href('/studio/:voice/comments', { voice: voice.slug });
  return (
    <section className="mt-10 max-md:mt-8" aria-labelledby="comments">
      <div className="workshop-section__head">
        <h2 id="comments">
          <Trans>Newest comments</Trans>
        </h2>
        <Link className="more" to={to}>
          {counts.unansweredComments.count === 0
            ? t`All comments`
            : t`${{ count: formatCapped(counts.unansweredComments) }} unanswered`}
          <Icon of={ChevronRight} size={16} />
        </Link>
      </div>
      {comments.length === 0 && (
        <p className="text-muted">
          <Trans>All comments are answered.</Trans>
        </p>
      )}
      {comments.length > 0 && (
        <div className="border-t border-line">
          {comments.map(({ id, text, createdAt, author, audio }) => (
            <article className="studio-comment" key={id}>
              <Avatar name={author.icon ?? author.username} color={author.color} size={40} />
              <div>
                <p className="studio-comment__head">
                  <b>{author.username}</b>
                  <time dateTime={createdAt.toISOString()}>{formatAgo(createdAt.toISOString(), now)}</time>
                </p>
                <Link
                  className="studio-comment__audio"
                  to={href('/studio/:voice/audios/:id', { voice: voice.slug, id: audio.id })}
                >
                  <span className="truncate">{audio.title}</span>
                </Link>
                <p className="studio-comment__body">{text}</p>
                <p className="studio-comment__acts">
                  <Button
                    variant="ghost"
                    render={<Link to={to} aria-label={t`Reply to ${{ name: author.username }}`} />}
                  >
                    <Icon of={Reply} size={16} />
                    <Trans>Reply</Trans>
                  </Button>
                  <Button
                    variant="ghost"
                    aria-label={t`Hide the comment by ${{ name: author.username }}`}
                    onClick={() => void setHidden({ id }, true)}
                  >
                    <Icon of={EyeOff} size={16} />
                    <Trans>Hide</Trans>
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
