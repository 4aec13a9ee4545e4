import { plural, t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import type { RefusedContent } from '#domain/admin/site/refused-content.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { type Column, Table } from '#web/workshop/lists/table.tsx';
import { titled } from '#web/workshop/titled.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/refused-words';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { found: await site.admin.site.listRefusedContent(viewer) };
}

export const meta = titled(() => t`Refused words`);

const kinds: Record<RefusedContent['kind'], () => string> = {
  audio: () => t`Audio`,
  tag: () => t`Tag`,
  user: () => t`User`,
  comment: () => t`Comment`,
  series: () => t`Series`,
  'user-playlist': () => t`User playlist`,
};

/** Content that is older than the refusal of its words. */
export default function RefusedWords({ loaderData: { found } }: Route.ComponentProps) {
  return (
    <>
      <WorkshopHead
        title={t`Refused words`}
        back={{ to: `${href('/admin/settings')}#words`, label: t`Settings` }}
        facts={t`What had these words before they were refused. Nothing of it was changed.`}
      />
      {found.length === 0 ? (
        <EmptyState title={t`Nothing has a refused word`} />
      ) : (
        <>
          <Table
            caption={t`Refused words`}
            rows={found}
            columns={columns()}
            keyOf={({ kind, id }) => `${kind} ${id}`}
          />
          <p className="mt-3 text-13 text-muted">
            {plural({ count: found.length }, { one: '# found', other: '# found' })}
          </p>
        </>
      )}
    </>
  );
}

const columns = (): Column<RefusedContent>[] => [
  {
    head: t`Text`,
    kind: 'name',
    cell: (content) => (
      <Link className="line-clamp-2 wrap-anywhere" dir="auto" to={addressOf(content)}>
        {content.text}
      </Link>
    ),
  },
  { head: t`Kind`, cell: ({ kind }) => kinds[kind]() },
  { head: t`Words`, cell: ({ words }) => <span dir="auto">{words.join(', ')}</span> },
];

function addressOf({ kind, id, slug, text }: RefusedContent): string {
  if (kind === 'audio') return `${href('/admin/audios')}?q=${encodeURIComponent(text)}`;
  if (kind === 'tag') return `${href('/admin/tags')}?q=${encodeURIComponent(text)}`;
  if (kind === 'user') return href('/admin/users/:id', { id });
  if (kind === 'comment') return `${href('/audio/:slug', { slug: slug ?? '' })}?comment=${id}`;
  if (kind === 'series') return href('/series/:slug', { slug: slug ?? '' });
  return href('/users-playlists/:id', { id });
}
