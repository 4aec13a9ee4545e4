import { plural, t } from '@lingui/core/macro';
import { useRef } from 'react';
import { href } from 'react-router';
import { topicLength } from '#domain/admin/rules.ts';
import { maxTopics } from '#domain/editorial/rules.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { titled } from '#web/workshop/titled.ts';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { HandOrder, moved as inOrder } from '#web/workshop/forms/hand-order.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import type { Route } from './+types/topics';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return site.admin.texts.findTopics(viewer);
}

export const meta = titled(() => t`Topics`);

type Row = { id: string; slug: string | null; label: string; articles: number };
type Values = { rows: Row[]; moved: Record<string, string> };

export default function AdminTopics({ loaderData: { revision, topics } }: Route.ComponentProps) {
  const added = useRef(0);
  const edited = useEdited<Values>({
    key: 'topics',
    subject: { type: 'settings', id: 'blog-topics' },
    saved: { rows: topics.map((topic) => ({ id: topic.slug, ...topic })), moved: {} },
    send: ({ rows, moved }) =>
      answerOf(
        api.admin['blog-topics'].$put({
          json: { revision, topics: rows.map(({ slug, label }) => ({ slug, label })), moved },
        }),
      ),
  });
  const { rows, moved } = edited.values;
  const gone = topics.filter(({ slug }) => !rows.some((row) => row.slug === slug));
  const kept = rows.flatMap(({ slug, label }) => (slug === null ? [] : [{ slug, label }]));

  const setRows = (next: Row[]) => edited.change({ rows: next });

  return (
    <>
      <WorkshopHead
        title={t`Topics`}
        back={{ to: href('/admin/articles'), label: t`Articles` }}
        facts={t`In this order on the blog. Renaming a topic keeps its address.`}
      >
        <Button
          variant="primary"
          disabled={rows.length >= maxTopics}
          onClick={() => {
            added.current += 1;
            setRows([...rows, { id: `new-${added.current}`, slug: null, label: '', articles: 0 }]);
          }}
        >
          {t`Add topic`}
        </Button>
      </WorkshopHead>
      <HandOrder
        label={t`Topics`}
        items={rows}
        nameOf={({ label }) => label || t`New topic`}
        onMove={(from, to) => setRows(inOrder(rows, from, to))}
        onRemove={({ id }) => setRows(rows.filter((one) => one.id !== id))}
        canRemove={rows.length > 1}
        renderItem={(row) => (
          <>
            <input
              className="input input--dense col-span-2 min-w-0"
              aria-label={nameLabelOf(topics.find(({ slug }) => slug === row.slug)?.label)}
              value={row.label}
              maxLength={topicLength}
              onChange={(event) =>
                setRows(rows.map((one) => (one.id === row.id ? { ...one, label: event.target.value } : one)))
              }
            />
            <span className="time-cell text-end whitespace-nowrap text-muted">
              {plural({ count: row.articles }, { one: '# article', other: '# articles' })}
            </span>
          </>
        )}
      />
      {gone.length > 0 && (
        <Pane title={t`Removed`} className="mt-6">
          <div className="field-list">
            {gone.map(({ slug, label, articles }) =>
              articles === 0 ? (
                <p key={slug}>{t`${label} has no articles.`}</p>
              ) : (
                <ChoiceField
                  key={slug}
                  label={plural(articles, {
                    one: `# article of ${label} moves to`,
                    other: `# articles of ${label} move to`,
                  })}
                  none={t`Choose a topic`}
                  value={moved[slug] ?? ''}
                  options={kept.map((topic) => ({ value: topic.slug, label: topic.label }))}
                  onChoose={(into) => edited.change({ moved: { ...moved, [slug]: into } })}
                />
              ),
            )}
          </div>
        </Pane>
      )}
      <EditedBar edited={edited} />
    </>
  );
}

const nameLabelOf = (topic: string | undefined) =>
  topic === undefined ? t`Name of the new topic` : t`Name of ${topic}`;
