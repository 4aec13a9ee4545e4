import { useState } from 'react';
import { href, Link, useLocation, useNavigate } from 'react-router';
import type { ListedArticle } from '#domain/admin/texts/article-list.ts';
import { articleLengths, articleSorts, articleStates } from '#domain/admin/rules.ts';
import type { ArticleSort, ArticleState } from '#domain/admin/rules.ts';
import { AdminHead } from '../../admin/admin-head.tsx';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { NoMatches } from '../../admin/no-matches.tsx';
import { ArticleStateMark } from '../../admin/texts/article-state.tsx';
import { ListPager } from '../../admin/list-pager.tsx';
import { ListSearch } from '../../admin/list-search.tsx';
import { TextDialog } from '../../admin/text-dialog.tsx';
import { useAdminCall } from '../../admin/use-admin-call.ts';
import { answerOf, api } from '../../api.ts';
import { countOf } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Cover } from '../../ui/images/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SortField, SortHead } from '../../workshop/lists/sorting.tsx';
import type { SortOption } from '../../workshop/lists/sorting.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import type { Route } from './+types/articles';

const pageSize = 50;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const search = new URL(request.url).searchParams;
  const topics = site.editorial.listTopics();
  const query = {
    q: (search.get('q') ?? '').slice(0, 100),
    state: articleStates.find((state) => state === search.get('state')),
    topic: topics.find(({ slug }) => slug === search.get('topic'))?.slug,
    sort: articleSorts.find((sort) => sort === search.get('sort')) ?? 'changed',
  };
  const cursor = search.get('cursor') ?? undefined;
  const page = await orBadRequest(site.words.listArticles(viewer, { ...query, cursor, limit: pageSize }));
  const all = await site.admin.countAll(viewer, 'articles', page);
  return { ...query, topics, page, all };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Articles', description: 'Articles of the blog', index: 'no' });
}

const stateLabels: Record<ArticleState, string> = {
  published: 'Published',
  scheduled: 'Scheduled',
  draft: 'Drafts',
  deleted: 'Deleted',
};

const sorts = {
  changed: { value: 'changed', label: 'Last changed', direction: 'descending' },
  published: { value: 'published', label: 'Published last', direction: 'descending' },
  title: { value: 'title', label: 'Title', direction: 'ascending' },
} as const satisfies Record<ArticleSort, SortOption<ArticleSort>>;

/** The same list with another filter, from its first page. */
function useFilterAddress() {
  const { search } = useLocation();
  return (changes: Record<string, string | undefined>) => {
    const parameters = new URLSearchParams(search);
    parameters.delete('cursor');
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) parameters.delete(name);
      else parameters.set(name, value);
    }
    return `?${parameters}`;
  };
}

export default function AdminArticles({ loaderData }: Route.ComponentProps) {
  const { q, state, topic, sort, topics, page, all } = loaderData;
  const navigate = useNavigate();
  const addressOf = useFilterAddress();
  const { busy, call } = useAdminCall();
  const [isCreating, setIsCreating] = useState(false);
  const kept = { ...(state && { state }), ...(topic && { topic }), ...(sort !== 'changed' && { sort }) };

  async function restore({ id, title }: ListedArticle): Promise<void> {
    await call(id, () => answerOf(api.admin.articles[':id'].restore.$post({ param: { id } })), {
      done: `${title} is restored`,
      about: id,
    });
  }

  return (
    <>
      <AdminHead title="Articles" facts="The blog: what is written, when it is published, and its topics">
        <Button render={<Link to={href('/admin/articles/topics')} />}>Topics</Button>
        <Button variant="primary" onClick={() => setIsCreating(true)}>
          New article
        </Button>
      </AdminHead>
      <nav className="chips chips--scroll mb-3.5" aria-label="State">
        {[undefined, ...articleStates].map((one) => (
          <Chip
            key={one ?? 'all'}
            aria-current={one === state ? 'true' : undefined}
            render={<Link to={addressOf({ state: one })} preventScrollReset />}
          >
            {one === undefined ? 'All' : stateLabels[one]}
          </Chip>
        ))}
      </nav>
      <nav className="chips chips--scroll mb-3.5" aria-label="Topic">
        {[undefined, ...topics].map((one) => (
          <Chip
            key={one?.slug ?? ''}
            aria-current={one?.slug === topic ? 'true' : undefined}
            render={<Link to={addressOf({ topic: one?.slug })} preventScrollReset />}
          >
            {one === undefined ? 'All topics' : one.label}
          </Chip>
        ))}
      </nav>
      <div className="flex flex-wrap items-start gap-x-3 [&>search]:w-70 [&>search]:max-md:w-full">
        <ListSearch label="Find an article" q={q} keep={kept} />
        <SortField options={Object.values(sorts)} current={sort} />
      </div>
      {all !== undefined ? (
        <NoMatches all={all} filters={[q, state, topic]} one="article">
          <EmptyState title="No articles yet" text="Articles appear on the blog once published." />
        </NoMatches>
      ) : (
        <table className="tbl tbl--cards" {...tableRoles.table}>
          <caption className="sr-only">Articles</caption>
          <thead {...tableRoles.group}>
            <tr {...tableRoles.row}>
              <SortHead option={sorts.title} current={sort}>
                Article
              </SortHead>
              <th {...tableRoles.head}>Topic</th>
              <SortHead option={sorts.published} current={sort}>
                State
              </SortHead>
              <SortHead option={sorts.changed} current={sort} className="r">
                Changed
              </SortHead>
              {state === 'deleted' && (
                <th {...tableRoles.head} className="s">
                  <span className="sr-only">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody {...tableRoles.group}>
            {page.items.map((article) => (
              <tr key={article.id} {...tableRoles.row}>
                <td {...tableRoles.cell} className="main">
                  <div className="cell">
                    <Cover imageUrl={article.imageUrl} size={40} />
                    <div className="min-w-0">
                      {article.state === 'deleted' ? (
                        <b className="wrap-anywhere">{article.title}</b>
                      ) : (
                        <Link className="wrap-anywhere" to={href('/admin/articles/:id', { id: article.id })}>
                          {article.title}
                        </Link>
                      )}
                      <small>{article.readTime}</small>
                    </div>
                  </div>
                </td>
                <td {...tableRoles.cell} data-l="Topic">
                  {topics.find(({ slug }) => slug === article.topic)?.label ?? article.topic}
                </td>
                <td {...tableRoles.cell} className="w2 max-md:order-last">
                  <ArticleStateMark article={article} />
                </td>
                <td {...tableRoles.cell} className="r tabular-nums text-muted" data-l="Changed">
                  {formatDate(article.changedAt)}
                </td>
                {state === 'deleted' && (
                  <td {...tableRoles.cell} className="s">
                    <Button
                      size="sm"
                      aria-label={`Restore ${article.title}`}
                      busy={busy === article.id ? 'Restoring…' : undefined}
                      onClick={() => void restore(article)}
                    >
                      Restore
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {state === 'deleted' && page.items.length > 0 && (
        <p className="text-13 mt-3 text-muted">Deleted articles are removed permanently after 30 days.</p>
      )}
      <ListPager shown={`${countOf(page.items.length, 'article')} shown`} nextCursor={page.nextCursor} />
      {isCreating && (
        <TextDialog
          title="New article"
          verb="Create article"
          nameLabel="Title"
          max={{ name: articleLengths.title }}
          isBusy={busy !== undefined}
          onClose={() => setIsCreating(false)}
          onSave={async ({ name }) => {
            const made = await call('create', () => answerOf(api.admin.articles.$post({ json: { title: name } })));
            if (made !== undefined) await navigate(href('/admin/articles/:id', { id: made.data.id }));
            return made !== undefined;
          }}
        />
      )}
    </>
  );
}
