import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import {
  blogAddress,
  chosenTopics,
  readBlogQuery,
  type BlogSort,
  type BlogQuery,
  type Topic,
} from '#domain/editorial/rules.ts';
import { LoadMore } from '../../catalogue/load-more.tsx';
import { SortLinks } from '../../catalogue/sort-menu.tsx';
import { usePages } from '../../catalogue/lists/use-pages.ts';
import { siteContext } from '../../context.ts';
import { ArticleCard, articleGrid, LeadArticle } from '../../editorial/article-card.tsx';
import { sourceOf, toPage } from '../../editorial/articles.ts';
import { formatNames } from '#formats/names.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/blog';
import '../../styles/editorial.css';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { editorial, isOn } = context.get(siteContext);
  orNotFound(isOn('blog') || undefined);
  const topics = editorial.listTopics();
  const query = readBlogQuery(new URL(request.url).searchParams, topics);
  return { query, topics, first: toPage(await editorial.listArticles(query)) };
}

export const meta = metaOf(({ query, topics, first }: Route.ComponentProps['loaderData']) => {
  const names = topics.filter(({ slug }) => query.topics.includes(slug)).map(({ label }) => label);
  const list = formatNames(names, names.length, 4);
  const number = query.page + 1;
  const title = names.length === 0 ? t`Blog` : t`Blog: ${list}`;
  return {
    title: query.page === 0 ? title : t`${title}, page ${number}`,
    description: t`On listening, reading aloud, and the people who do it.`,
    path: blogAddress(query),
    feed: { title: t`Blog`, path: '/blog/feed.xml' },
    ...(first.items.length === 0 && query.page > 0 && { index: 'no' }),
    structuredData: [
      (siteUrl) => ({
        '@type': 'Blog',
        name: t`Blog`,
        url: siteUrl + href('/blog'),
        blogPost: first.items.map((article) => ({
          '@type': 'BlogPosting',
          headline: article.title,
          url: siteUrl + href('/blog/:slug', { slug: article.slug }),
          datePublished: article.publishedAt,
        })),
      }),
    ],
  };
});

export default function Blog({ loaderData }: Route.ComponentProps) {
  const { query, topics, first } = loaderData;
  const { items, ...pages } = usePages(first, sourceOf(query));
  const [lead, ...others] = items;
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6">
        <Trans>Blog</Trans>
      </h1>
      {lead !== undefined && <LeadArticle article={lead} />}
      {(lead !== undefined || query.topics.length > 0 || query.page > 0) && <BlogBar query={query} topics={topics} />}
      {lead === undefined ? (
        <EmptyState
          title={query.page > 0 ? t`No more articles` : t`No articles yet`}
          text={query.page > 0 ? t`The list ends before this page.` : undefined}
        >
          <Button variant="primary" render={<Link to={href('/audios')} />}>
            {t`Browse audios`}
          </Button>
        </EmptyState>
      ) : (
        <ul className={articleGrid} data-more={pages.nextCursor === undefined ? undefined : 'articles'}>
          {others.map((article, index) => (
            <li key={article.id} className="min-w-0">
              <ArticleCard article={article} heading="h2" priority={index < 3 ? 'high' : 'low'} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore
        {...pages}
        shown={items.length}
        parts={{
          isPart: query.page > 0,
          to: (page = '0') => blogAddress({ ...query, page: Number(page) }),
        }}
        label={t`Load more`}
        variant="outline"
        className="mt-12"
      />
    </div>
  );
}

const sortLabels = (): Record<BlogSort, string> => ({
  oldest: t`Oldest`,
  recent: t`Recent`,
  shortest: t`Shortest`,
  longest: t`Longest`,
  'a-z': t`A-Z`,
  'z-a': t`Z-A`,
});

/** Plain links that add or remove a topic or change the order; each leads to the first page. */
function BlogBar({ query, topics }: { query: BlogQuery; topics: Topic[] }) {
  const { topics: chosen } = query;
  const isAll = chosen.length === 0;
  return (
    <div className="mt-10 mb-5 flex justify-between gap-4 max-md:flex-col md:mt-14 md:mb-7 md:items-center">
      <nav className="chips chips--scroll min-w-0 flex-1" aria-label={t`Topics`}>
        <Chip
          aria-current={isAll ? 'true' : undefined}
          render={<Link to={blogAddress({ ...query, topics: [], page: 0 })} rel="nofollow" preventScrollReset />}
        >
          {t`All`}
        </Chip>
        {topics.map(({ slug, label }) => {
          const isOn = chosen.includes(slug);
          return (
            <Chip
              key={slug}
              aria-current={isOn ? 'true' : undefined}
              render={
                <Link
                  to={blogAddress({ ...query, topics: toggled(topics, chosen, slug), page: 0 })}
                  rel="nofollow"
                  preventScrollReset
                />
              }
            >
              {label}
            </Chip>
          );
        })}
      </nav>
      <SortLinks
        labels={sortLabels()}
        current={query.sortBy}
        to={(sortBy) => blogAddress({ ...query, sortBy, page: 0 })}
        look="btn--secondary"
        className="max-md:self-start"
        menu="w-40 max-md:start-0 max-md:end-auto"
      />
    </div>
  );
}

function toggled(topics: Topic[], chosen: string[], slug: string): string[] {
  return chosenTopics(topics, chosen.includes(slug) ? chosen.filter((one) => one !== slug) : [...chosen, slug]);
}
