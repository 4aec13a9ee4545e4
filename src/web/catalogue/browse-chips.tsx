import { t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import type { CategoryItem } from '#web/list-items.ts';
import { Chip } from '#web/ui/chip.tsx';
import { CategoryLink } from './content-link.tsx';

/** Links into the catalogue, on the home page of logged-in users. */
export function BrowseChips({ categories }: { categories: CategoryItem[] }) {
  return (
    <nav className="chips chips--scroll" aria-label={t`Browse`}>
      <Chip render={<Link to={href('/')} aria-current="page" />}>{t`For you`}</Chip>
      <Chip render={<Link to={href('/audios')} />}>{t`New`}</Chip>
      {categories.map((category) => (
        <Chip key={category.id} render={<CategoryLink category={category} source="homepage" />}>
          {category.label}
        </Chip>
      ))}
      <Chip render={<Link to={`${href('/audios')}?shorterThan=600`} />}>{t`Under ten minutes`}</Chip>
    </nav>
  );
}
