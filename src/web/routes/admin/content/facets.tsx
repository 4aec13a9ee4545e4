import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ListTree from 'lucide-react/icons/list-tree';
import { useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import type { AdminFacet } from '#domain/admin/content/facets.ts';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import { formatCount } from '#formats/numbers.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useOrder } from '#web/admin/content/use-order.ts';
import { TextDialog } from '#web/admin/text-dialog.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { HandOrder } from '#web/workshop/forms/hand-order.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import type { Route } from './+types/facets';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { facets: await site.admin.content.listFacets(viewer) };
}

export default function AdminFacets({ loaderData: { facets } }: Route.ComponentProps) {
  const { call, isBusy } = useCall();
  const navigate = useNavigate();
  const [isNew, setIsNew] = useState(false);
  const { items, move, edited, names } = useOrder(
    'facet',
    facets,
    ({ label }) => label,
    (json) => answerOf(api.admin.facets.order.$put({ json })),
  );
  const addPresets = () =>
    call('presets', () => api.admin.facets.presets.$post(), {
      done: ({ facets: count }) =>
        count === 0 ? t`They are all here` : plural(count, { one: '# facet added', other: '# facets added' }),
    });

  return (
    <ListPage
      title={t`Facets`}
      facts={t`Groups of tags, such as moods, in this order in forms and filters`}
      actions={
        <>
          {facets.length > 0 && (
            <Button disabled={isBusy} onClick={() => void addPresets()}>
              {t`Add presets`}
            </Button>
          )}
          <Button variant="primary" onClick={() => setIsNew(true)}>
            {t`New facet`}
          </Button>
        </>
      }
      list={{ page: { items } }}
      empty={{
        title: t`No facets yet`,
        text: t`Facets group tags, so that creators choose and listeners filter by them. Start with five: who to whom, kind, mood, intensity and content notes. Tags that exist move in.`,
        children: (
          <Button variant="primary" disabled={isBusy} onClick={() => void addPresets()}>
            {t`Add presets`}
          </Button>
        ),
      }}
      rows={
        <HandOrder
          label={t`Facets`}
          items={items}
          nameOf={({ label }) => label}
          onMove={move}
          renderItem={(facet) => (
            <>
              <Icon of={ListTree} size={20} className="m-auto text-muted" />
              <span className="min-w-0 py-3">
                <Link className="tap block font-semibold" to={href('/admin/facets/:id', { id: facet.id })}>
                  <span className="block truncate">{facet.label}</span>
                </Link>
                <small className="text-13 block truncate text-muted">{factsOf(facet)}</small>
              </span>
              <span className="time-cell text-end text-muted" title={t`Tags`}>
                {formatCount(facet.tags.length)}
                <span className="sr-only">
                  {' '}
                  <Trans>tags</Trans>
                </span>
              </span>
            </>
          )}
        />
      }
    >
      <EditedBar edited={edited} valueNames={names} />
      {isNew && (
        <TextDialog
          title={t`New facet`}
          verb={t`Create facet`}
          nameLabel={t`Name`}
          textLabel={t`Explanation`}
          max={{ name: nameLengths.facet, text: textLengths.facet }}
          onClose={() => setIsNew(false)}
          onSave={async ({ name, text }) => {
            const made = await call(
              'create',
              () => api.admin.facets.$post({ json: { label: name, explanation: text } }),
              { done: t`${name} is created` },
            );
            if (made !== undefined) await navigate(href('/admin/facets/:id', { id: made.data.id }));
            return made;
          }}
        />
      )}
    </ListPage>
  );
}

/** `One of each audio, required. F4M, M4F, F4F` */
function factsOf({ chooses, isRequired, hasContentNotes, tags }: AdminFacet): string {
  const facts = [
    chooses === 'one' ? t`One of each audio` : t`Several of each audio`,
    ...(isRequired ? [t`required`] : []),
    ...(hasContentNotes ? [t`content notes`] : []),
  ].join(', ');
  return tags.length === 0 ? facts : `${facts} · ${tags.map(({ label }) => label).join(', ')}`;
}
