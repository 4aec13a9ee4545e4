import EyeOff from 'lucide-react/icons/eye-off';
import { useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { AdminHead } from '../../admin/admin-head.tsx';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { DeletedList } from '../../admin/content/deleted-list.tsx';
import { NoMatches } from '../../admin/no-matches.tsx';
import { ListPager } from '../../admin/list-pager.tsx';
import { ListSearch } from '../../admin/list-search.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import { useAdminCall } from '../../admin/use-admin-call.ts';
import { NewVoiceForm } from '../../admin/people/voice-form.tsx';
import { answerOf, api, onManyAudios } from '../../api.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/images/cover.tsx';
import { DialogWindow } from '../../ui/layers/dialog-window.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import type { Route } from './+types/voices';

const pageSize = 25;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { searchParams } = new URL(request.url);
  const q = (searchParams.get('q') ?? '').slice(0, 100);
  const hidden = searchParams.get('show') === 'hidden';
  const cursor = searchParams.get('cursor') ?? undefined;
  const [page, categories, deleted] = await Promise.all([
    orBadRequest(site.content.listVoices(viewer, { q, hidden, cursor, limit: pageSize })),
    site.content.listCategoryChoices(viewer),
    site.content.listDeletedVoices(viewer),
  ]);
  const all = await site.admin.countAll(viewer, 'voices', page);
  return { q, hidden, page, all, categories, deleted };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Creators', description: 'Creators of the site', index: 'no' });
}

export default function AdminVoices({ loaderData }: Route.ComponentProps) {
  const { q, hidden, page, all, categories, deleted } = loaderData;
  const navigate = useNavigate();
  const { busy, call } = useAdminCall();
  const [isCreating, setIsCreating] = useState(false);
  const here = href('/admin/voices');
  return (
    <>
      <AdminHead title="Creators" facts="The creators of the audios, and who manages them">
        <nav className="seg" aria-label="Show">
          <Link to={here} aria-current={hidden ? undefined : 'page'}>
            All
          </Link>
          <Link to={`${here}?show=hidden`} aria-current={hidden ? 'page' : undefined}>
            Hidden
          </Link>
        </nav>
        <Button variant="primary" onClick={() => setIsCreating(true)}>
          New creator
        </Button>
      </AdminHead>
      <ListSearch label="Find a creator" q={q} keep={hidden ? { show: 'hidden' } : {}} />
      {all !== undefined ? (
        <NoMatches all={all} filters={[q, hidden]} one="creator">
          <EmptyState title="No creators yet" />
        </NoMatches>
      ) : (
        <table className="tbl tbl--cards" {...tableRoles.table}>
          <thead>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head}>Creator</th>
              <th {...tableRoles.head} className="r">
                Audios
              </th>
              <th {...tableRoles.head} className="r">
                Series
              </th>
              <th {...tableRoles.head} className="r">
                People
              </th>
              <th {...tableRoles.head} className="r">
                Favorites
              </th>
            </tr>
          </thead>
          <tbody>
            {page.items.map((voice) => (
              <tr key={voice.id} {...tableRoles.row}>
                <td {...tableRoles.cell} className="w2">
                  <div className="cell">
                    <Cover imageUrl={voice.imageUrl} shape="circle" size={40} />
                    <div>
                      <Link className="wrap-anywhere" to={href('/admin/voices/:id', { id: voice.id })}>
                        {voice.name}
                      </Link>
                      <small>
                        {voice.voiceTypeLabel}
                        {voice.isHidden && (
                          <span className="st ml-2">
                            <Icon of={EyeOff} size={16} />
                            Hidden
                          </span>
                        )}
                      </small>
                    </div>
                  </div>
                </td>
                <td {...tableRoles.cell} className="r" data-l="Audios">
                  {formatCount(voice.audios)}
                </td>
                <td {...tableRoles.cell} className="r" data-l="Series">
                  {formatCount(voice.series)}
                </td>
                <td {...tableRoles.cell} className="r" data-l="People">
                  {formatCount(voice.owners)}
                </td>
                <td {...tableRoles.cell} className="r" data-l="Favorites">
                  {formatCount(voice.favorites)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <ListPager shown={`${countOf(page.items.length, 'creator')} shown`} nextCursor={page.nextCursor} />
      <DeletedList
        items={deleted}
        restore={(id) => answerOf(api.admin.voices[':id'].restore.$post({ param: { id } }, onManyAudios))}
      />
      <DialogWindow
        open={isCreating}
        onClose={() => setIsCreating(false)}
        title="New creator"
        description="Portrait, address and series are set on the creator’s page of the Studio."
        dismissedBy="button"
      >
        {isCreating && (
          <NewVoiceForm
            categories={categories}
            isBusy={busy !== undefined}
            onSave={async (json) => {
              const made = await call('create', () => answerOf(api.admin.voices.$post({ json })));
              if (made !== undefined) await navigate(href('/admin/voices/:id', { id: made.data.id }));
            }}
          />
        )}
      </DialogWindow>
    </>
  );
}
