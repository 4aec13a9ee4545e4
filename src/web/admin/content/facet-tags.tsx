import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Ellipsis from 'lucide-react/icons/ellipsis';
import FolderInput from 'lucide-react/icons/folder-input';
import Tag from 'lucide-react/icons/tag';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { AdminFacet } from '#domain/admin/content/facets.ts';
import { nameLengths } from '#domain/admin/forms.ts';
import { formatCount } from '#formats/numbers.ts';
import { api } from '#web/api.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { MenuItem } from '#web/ui/layers/menu-items.tsx';
import { Menu } from '#web/ui/layers/menu.tsx';
import { HandOrder, moved } from '#web/workshop/forms/hand-order.tsx';
import { searchPauseMs, TokenField } from '#web/workshop/forms/token-field.tsx';
import { findTags } from '../found-fields.tsx';
import { useCall } from '../use-call.ts';

type FacetTag = AdminFacet['tags'][number];
type FacetTagsProps = { facet: AdminFacet; others: { id: string; label: string }[] };

/** The tags of a facet in its order; each change is saved at once. */
export function FacetTags({ facet, others }: FacetTagsProps) {
  const { call } = useCall();
  const [changed, setChanged] = useState<FacetTag[]>();
  const tags = changed ?? facet.tags;
  const { label: name } = facet;

  async function put(next: FacetTag[], done?: string): Promise<void> {
    setChanged(next);
    const json = { tagIds: next.map(({ id }) => id), before: facet.tags.map(({ id }) => id) };
    await call('tags', () => api.admin.facets[':id'].tags.$put({ param: { id: facet.id }, json }), { done });
    setChanged(undefined);
  }

  const add = (to: { id: string; label: string }, label: string) =>
    call('add', () => api.admin.facets[':id'].tags.$post({ param: { id: to.id }, json: { label } }), {
      done: t`${{ tag: label }} is in ${{ facet: to.label }} now`,
    });

  return (
    <div>
      <TokenField
        label={t`Add a tag`}
        placeholder={t`Name of an existing or new tag`}
        tokens={[]}
        max={1}
        suggest={findTags}
        pauseMs={searchPauseMs}
        create={(text) => {
          const label = [...text].slice(0, nameLengths.tag).join('').trim();
          return label === '' ? undefined : { value: label, label };
        }}
        onChange={([token]) => {
          if (token !== undefined) void add(facet, token.label);
        }}
      />
      <div className="mt-4">
        {tags.length === 0 ? (
          <EmptyState title={t`No tags yet`} text={t`Add existing tags or new ones above.`} />
        ) : (
          <HandOrder
            label={t`Tags of ${{ name }}`}
            items={tags}
            nameOf={({ label }) => label}
            onMove={(from, to) => void put(moved(tags, from, to))}
            onRemove={(tag) =>
              void put(
                tags.filter(({ id }) => id !== tag.id),
                t`${{ tag: tag.label }} is in no facet now`,
              )
            }
            renderItem={({ slug, label, audios }) => (
              <>
                <Icon of={Tag} size={18} className="m-auto text-muted" />
                <span className="min-w-0 py-3">
                  <Link
                    className="tap block font-semibold"
                    to={`${href('/admin/tags')}?q=${encodeURIComponent(label)}`}
                  >
                    <span className="block truncate">{label}</span>
                  </Link>
                  <small className="text-13 block truncate text-muted">{slug}</small>
                </span>
                <span className="time-cell text-end text-muted" title={t`Audios`}>
                  {formatCount(audios)}
                  <span className="sr-only">
                    {' '}
                    <Trans>audios</Trans>
                  </span>
                </span>
              </>
            )}
            renderActs={(tag) =>
              others.length > 0 && (
                <Menu trigger={<IconButton label={t`More for ${{ name: tag.label }}`} icon={Ellipsis} iconSize={18} />}>
                  {others.map((other) => (
                    <MenuItem key={other.id} icon={FolderInput} onSelect={() => void add(other, tag.label)}>
                      {t`Move to ${{ facet: other.label }}`}
                    </MenuItem>
                  ))}
                </Menu>
              )
            }
          />
        )}
      </div>
    </div>
  );
}
