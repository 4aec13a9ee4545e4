import { plural, t } from '@lingui/core/macro';
import { href } from 'react-router';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useConfirm } from '#web/admin/consequence-dialog.tsx';
import { FacetForm } from '#web/admin/content/facet-form.tsx';
import { FacetTags } from '#web/admin/content/facet-tags.tsx';
import { TranslationsLink } from '#web/admin/texts/translations-link.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { titled } from '#web/workshop/titled.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/facet';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const facets = await site.admin.content.listFacets(viewer);
  const others = facets.filter(({ id }) => id !== params.id).map(({ id, label }) => ({ id, label }));
  return { facet: orNotFound(facets.find(({ id }) => id === params.id)), others };
}

export const meta = titled(({ facet }: Route.ComponentProps['loaderData']) => facet.label);

export default function AdminFacet({ loaderData: { facet, others } }: Route.ComponentProps) {
  const { call } = useCall();
  const { confirm, dialog } = useConfirm();
  const { id, label: name, tags } = facet;
  const askToDelete = () =>
    confirm({
      title: t`Delete ${{ name }}`,
      consequences: plural(
        { tags: tags.length },
        {
          one: 'This cannot be undone. Its # tag stays, in no facet.',
          other: 'This cannot be undone. Its # tags stay, in no facet.',
        },
      ),
      verb: t`Delete facet`,
      onConfirm: () =>
        call('delete', () => api.admin.facets[':id'].$delete({ param: { id } }), {
          done: t`${{ name }} is deleted`,
          leavesTo: href('/admin/facets'),
        }),
    });

  return (
    <>
      <WorkshopHead
        title={name}
        back={{ to: href('/admin/facets'), label: t`Facets` }}
        facts={plural({ count: tags.length }, { one: '# tag', other: '# tags' })}
      >
        <TranslationsLink kind="facet" subject={id} />
        <Button onClick={askToDelete}>{t`Delete`}</Button>
      </WorkshopHead>
      <div className="main-and-aside">
        <FacetTags key={id} facet={facet} others={others} />
        <aside className="stack" aria-label={t`About the facet`}>
          <FacetForm facet={facet} />
        </aside>
      </div>
      {dialog}
    </>
  );
}
