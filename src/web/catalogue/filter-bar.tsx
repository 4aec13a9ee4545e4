import { t } from '@lingui/core/macro';
import { Link, useLocation } from 'react-router';
import type { AudioSort } from '#domain/catalogue/forms.ts';
import { Chip } from '#web/ui/chip.tsx';
import { usePendingSearch } from '../use-pending-search.ts';
import { withQuery } from './list-links.ts';
import { SortMenu } from './sort-menu.tsx';

const sortLabels = (): Record<AudioSort, string> => ({
  popular: t`Most played`,
  recent: t`Newest`,
  oldest: t`Oldest`,
  shortest: t`Shortest`,
  longest: t`Longest`,
  title: t`A–Z`,
});

type FilterBarProps = {
  voiceTypes: { value: string; label: string }[];
  tags: { slug: string; label: string }[];
  /** Order of this list when the address has none. */
  defaultSort: AudioSort;
  /** Without a filter there would be nothing to filter or sort. */
  isEmpty: boolean;
};

/**
 * Plain links to the same list with one filter added or removed; chips of one kind replace each other. Crawlers follow
 * none (http/feeds/sitemap.ts).
 */
export function FilterBar({ voiceTypes, tags, defaultSort, isEmpty }: FilterBarProps) {
  const { search } = useLocation();
  const pending = usePendingSearch();
  const query = new URLSearchParams(search);
  const chips = [
    { name: 'free', value: 'true', label: t`Free` },
    { name: 'shorterThan', value: '600', label: t`Under ten minutes` },
    { name: 'syntheticVoice', value: 'none', label: t`No synthetic voice` },
    ...voiceTypes.map((choice) => ({ name: 'voiceType', ...choice })),
    ...tags.map((tag) => ({ name: 'tag', value: tag.slug, label: capitalized(tag.label) })),
  ];
  const none = {
    shorterThan: undefined,
    voiceType: undefined,
    tag: undefined,
    free: undefined,
    syntheticVoice: undefined,
  };
  const isFiltered = Object.keys(none).some((name) => query.has(name));
  if (isEmpty && !isFiltered) return null;
  return (
    <div className="mt-7 mb-2 flex items-center gap-2 max-md:flex-wrap max-md:justify-end">
      <nav
        className="chips chips--scroll min-w-0 flex-1 max-md:shrink-0 max-md:basis-[calc(100%+2*var(--gutter))]"
        aria-label={t`Filter`}
      >
        <Chip
          aria-current={isFiltered ? undefined : 'true'}
          render={<Link to={withQuery(pending, none)} rel="nofollow" preventScrollReset />}
        >
          {t`All`}
        </Chip>
        {chips.map(({ name, value, label }) => {
          const isOn = query.get(name) === value;
          return (
            <Chip
              key={name + value}
              aria-current={isOn ? 'true' : undefined}
              render={
                <Link to={withQuery(pending, { [name]: isOn ? undefined : value })} rel="nofollow" preventScrollReset />
              }
            >
              {label}
            </Chip>
          );
        })}
      </nav>
      <SortMenu labels={sortLabels()} defaultSort={defaultSort} />
    </div>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
