import { href, Link } from 'react-router';
import type { ArticleCard as Article } from '#domain/editorial/articles.ts';
import { Cover } from '#web/ui/cover.tsx';
import { ArticleFacts } from './article-facts.tsx';

type ArticleCardProps = {
  article: Article;
  /** Its rank among the headings around it. */
  heading?: 'h2' | 'h3';
  priority?: 'high' | 'low';
};

export function ArticleCard({ article, heading: Heading = 'h3', priority = 'low' }: ArticleCardProps) {
  return (
    <Link className="card post" to={href('/blog/:slug', { slug: article.slug })}>
      <Cover
        imageUrl={article.imageUrl}
        width={411}
        sizes="(max-width: 767px) 90vw, (max-width: 1280px) 30vw, 411px"
        priority={priority}
        className="post__cov"
      />
      <ArticleFacts article={article} className="mt-4" />
      <Heading className="post__t">{article.title}</Heading>
      <p className="post__d c2">{article.description}</p>
    </Link>
  );
}

/** The first of the list, large. */
export function LeadArticle({ article }: { article: Article }) {
  return (
    <Link className="lead card" to={href('/blog/:slug', { slug: article.slug })}>
      <Cover
        imageUrl={article.imageUrl}
        width={708}
        sizes="(max-width: 767px) 90vw, (max-width: 1280px) 55vw, 708px"
        priority="high"
        className="lead__cov"
      />
      <div className="min-w-0">
        <ArticleFacts article={article} withDate />
        <h2 className="t-44 mt-3">{article.title}</h2>
        <p className="lead__d">{article.description}</p>
      </div>
    </Link>
  );
}
