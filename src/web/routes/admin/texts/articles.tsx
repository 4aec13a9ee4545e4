import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import type { ListedArticle } from '#domain/admin/texts/article-list.ts';
import {
  articleLengths,
  articleSorts,
  articleStates,
  type ArticleSort,
  type ArticleState,
} from '#domain/admin/rules.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { TextDialog } from '#web/admin/text-dialog.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { formatDate } from '#formats/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { type SortOption, SortField } from '#web/workshop/lists/sorting.tsx';
import { type Column, RowName } from '#web/workshop/lists/table.tsx';
import { StateChips } from '#web/workshop/lists/state-chips.tsx';
import { PublicationMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/articles';

export async function loader(args: Route.LoaderArgs) {
  const { site } = adminViewer(args.context);
  const { searchParams } = args.url;
  const topics = site.editorial.listTopics();
  const topic = topics.find(({ slug }) => slug === searchParams.get('topic'))?.slug;
  const sort = articleSorts.find((one) => one === searchParams.get('sort')) ?? 'changed';
  const list = await loadList(args, {
    name: 'articles',
    states: articleStates,
    limit: 50,
    read: ({ admin }, viewer, query, page) => admin.texts.listArticles(viewer, { ...query, topic, sort, ...page }),
  });
  return { list, topics, topic, sort };
}

const stateLabels: Record<ArticleState, () => string> = {
  published: () => t({ message: 'Published', context: 'several' }),
  scheduled: () => t({ message: 'Scheduled', context: 'several' }),
  draft: () => t`Drafts`,
  deleted: () => t({ message: 'Deleted', context: 'several' }),
};

const sortsOf = () =>
  ({
    changed: { value: 'changed', label: t`Last changed`, direction: 'descending' },
    published: { value: 'published', label: t`Published last`, direction: 'descending' },
    title: { value: 'title', label: t`Title`, direction: 'ascending' },
  }) as const satisfies Record<ArticleSort, SortOption<ArticleSort>>;

export default function AdminArticles({ loaderData }: Route.ComponentProps) {
  const { list, topics, topic, sort } = loaderData;
  const { state } = list;
  const sorts = sortsOf();
  const navigate = useNavigate();
  const { busy, call } = useCall();
  const [isCreating, setIsCreating] = useState(false);

  async function restore({ id, title }: ListedArticle): Promise<void> {
    await call(id, () => api.admin.articles[':id'].restore.$post({ param: { id } }), {
      done: t`${{ name: title }} is restored`,
      about: id,
    });
  }

  const columns: Column<ListedArticle>[] = [
    {
      head: t`Article`,
      kind: 'name',
      sort: sorts.title,
      cell: ({ id, title, imageUrl, readTime, state: of }) => (
        <RowName
          picture={<Cover imageUrl={imageUrl} size={40} />}
          to={of === 'deleted' ? undefined : href('/admin/articles/:id', { id })}
          name={title}
          note={readTime}
        />
      ),
    },
    { head: t`Topic`, cell: (article) => topics.find(({ slug }) => slug === article.topic)?.label ?? article.topic },
    {
      head: t`State`,
      isBare: true,
      isWide: true,
      sort: sorts.published,
      className: 'max-md:order-last',
      cell: (article) => <PublicationMark of={article} isDated />,
    },
    {
      head: t`Changed`,
      kind: 'number',
      sort: sorts.changed,
      className: 'text-muted',
      cell: ({ changedAt }) => formatDate(changedAt),
    },
  ];
  const restoring: Column<ListedArticle> = {
    head: t`Actions`,
    kind: 'actions',
    cell: (article) => (
      <Button
        size="sm"
        aria-label={t`Restore ${{ name: article.title }}`}
        busy={busy === article.id ? t`Restoring…` : undefined}
        onClick={() => void restore(article)}
      >
        {t`Restore`}
      </Button>
    ),
  };

  return (
    <ListPage
      title={t`Articles`}
      facts={t`The blog: what is written, when it is published, and its topics`}
      actions={
        <>
          <Button render={<Link to={href('/admin/articles/topics')} />}>{t`Topics`}</Button>
          <Button variant="primary" onClick={() => setIsCreating(true)}>
            {t`New article`}
          </Button>
        </>
      }
      list={list}
      search={{ label: t`Search articles`, placeholder: t`Title` }}
      states={{ label: t`State`, options: articleStates.map((one) => [one, stateLabels[one]()]) }}
      filters={{
        values: [topic],
        fields: (
          <>
            <SortField options={Object.values(sorts)} current={sort} />
            <StateChips
              label={t`Topic`}
              name="topic"
              value={topic}
              options={[
                { value: undefined, label: t`All topics` },
                ...topics.map(({ slug, label }) => ({ value: slug, label })),
              ]}
            />
          </>
        ),
      }}
      empty={{ title: t`No articles yet`, text: t`Articles appear on the blog once published.` }}
      keyOf={({ id }) => id}
      sort={sort}
      columns={state === 'deleted' ? [...columns, restoring] : columns}
    >
      {state === 'deleted' && list.page.items.length > 0 && (
        <p className="text-13 mt-3 text-muted">
          <Trans>Deleted articles are removed permanently after 30 days.</Trans>
        </p>
      )}
      {isCreating && (
        <TextDialog
          title={t`New article`}
          verb={t`Create article`}
          nameLabel={t`Title`}
          max={{ name: articleLengths.title }}
          onClose={() => setIsCreating(false)}
          onSave={async ({ name }) => {
            const created = await call('create', () => api.admin.articles.$post({ json: { title: name } }));
            if (created !== undefined) await navigate(href('/admin/articles/:id', { id: created.data.id }));
            return created;
          }}
        />
      )}
    </ListPage>
  );
}
