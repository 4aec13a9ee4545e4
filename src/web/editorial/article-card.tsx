import { href, Link } from 'react-router';
import type { ArticleCard as Article } from '#domain/editorial/articles.ts';
import { formatReadTime, topicText } from '#domain/editorial/rules.ts';
import { formatDate } from '#formats/times.ts';
import { foreign } from '#web/catalogue/foreign-language.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Cover } from '#web/ui/images/cover.tsx';

/** Class of a list of `ArticleCard`s. */
export const articleGrid = 'grid grid-cols-1 gap-9 md:grid-cols-2 md:gap-x-6 md:gap-y-12 lg:grid-cols-3';

type ArticleCardProps = {
  article: Article;
  heading?: 'h2' | 'h3';
  priority?: 'high' | 'low';
};

export function ArticleCard({ article, heading: Heading = 'h3', priority = 'low' }: ArticleCardProps) {
  const lang = foreign(article.language);
  return (
    <Link className="card" to={href('/blog/:slug', { slug: article.slug })}>
      <Cover
        imageUrl={article.imageUrl}
        width={411}
        sizes="(max-width: 767px) 90vw, (max-width: 1280px) 30vw, 411px"
        priority={priority}
        className="aspect-[16/10] rounded-card"
      />
      <ArticleFacts article={article} className="mt-4" />
      <Heading className="mt-1.5 text-22 leading-[1.22]" lang={lang}>
        {article.title}
      </Heading>
      <p className="mt-2 line-clamp-2 text-15 leading-normal wrap-anywhere text-muted" lang={lang}>
        {article.description}
      </p>
    </Link>
  );
}

export function LeadArticle({ article }: { article: Article }) {
  const lang = foreign(article.language);
  return (
    <Link
      className="card mt-5 grid items-center gap-5 rounded-modal md:mt-7 md:grid-cols-[1.35fr_1fr] md:gap-12"
      to={href('/blog/:slug', { slug: article.slug })}
    >
      <Cover
        imageUrl={article.imageUrl}
        width={708}
        sizes="(max-width: 767px) 90vw, (max-width: 1280px) 55vw, 708px"
        priority="high"
        className="aspect-[16/10] rounded-modal"
      />
      <div className="min-w-0">
        <ArticleFacts article={article} withDate />
        <h2 className="mt-3 text-44" lang={lang}>
          {article.title}
        </h2>
        <p dir="auto" lang={lang} className="mt-4 text-[1.0625rem] leading-[1.6] text-pretty wrap-anywhere text-soft">
          {article.description}
        </p>
      </div>
    </Link>
  );
}

type ArticleFactsProps = {
  article: Pick<Article, 'topic' | 'topicLabel' | 'readTime' | 'publishedAt'>;
  withDate?: boolean;
  className?: string;
};

/** `Wellness · 7 min read · 14 Nov 2026` */
export function ArticleFacts({ article, withDate = false, className }: ArticleFactsProps) {
  return (
    <p className={classNames('eyebrow', className)}>
      {topicText(article.topic, article.topicLabel)}
      <span className="dot">{formatReadTime(article.readTime)}</span>
      {withDate && (
        <span className="dot">
          <time dateTime={article.publishedAt}>{formatDate(article.publishedAt)}</time>
        </span>
      )}
    </p>
  );
}
