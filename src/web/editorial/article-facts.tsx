import type { ArticleCard } from '#domain/editorial/articles.ts';
import { formatReadTime } from '#domain/editorial/rules.ts';
import { formatDate } from '#formats/times.ts';
import { classNames } from '#web/ui/class-names.ts';

type ArticleFactsProps = {
  article: Pick<ArticleCard, 'topicLabel' | 'readTime' | 'publishedAt'>;
  withDate?: boolean;
  className?: string;
};

/** `Wellness · 7 min read · 14 Nov 2026` */
export function ArticleFacts({ article, withDate = false, className }: ArticleFactsProps) {
  return (
    <p className={classNames('eyebrow', className)}>
      {article.topicLabel}
      <span className="dot">{formatReadTime(article.readTime)}</span>
      {withDate && (
        <span className="dot">
          <time dateTime={article.publishedAt}>{formatDate(article.publishedAt)}</time>
        </span>
      )}
    </p>
  );
}
