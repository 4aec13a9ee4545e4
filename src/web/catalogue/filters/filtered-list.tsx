import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { type ReactNode, lazy, Suspense, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { formatCount } from '#formats/numbers.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { useLateLayer } from '#web/ui/layers/use-late-layer.ts';
import type { AudioSort } from '#domain/catalogue/forms.ts';
import { lazyParts } from '../lazy-part.ts';
import { withQuery } from '../list-links.ts';
import { SortMenu } from '../sort-menu.tsx';
import type { ListFilters } from './load-filters.ts';
import './filtered-list.css';

const sortLabels = (): Record<AudioSort, string> => ({
  popular: t`Most played`,
  recent: t`Newest`,
  oldest: t`Oldest`,
  shortest: t`Shortest`,
  longest: t`Longest`,
  title: t`A–Z`,
});

/** Parts of a filtered list alone: other lists have no code for them. The panel, in which most filters are chosen, has. */
const part = lazyParts(() => import('./filter-parts.tsx'));
const parts = {
  ChosenFilters: part('ChosenFilters'),
  Found: part('Found'),
  NoneLeft: part('NoneLeft'),
  SaveMix: part('SaveMix'),
};

/** Rendered by the server alone. */
const FilterForm =
  import.meta.env.SSR && lazy(async () => ({ default: (await import('./filter-form.tsx')).FilterForm }));

const loadPanel = () => import('./filter-panel.tsx');

type FilteredListProps = {
  filters?: ListFilters | undefined;
  /** Query of the call that counts what the filters of this list would find, such as `category=sonnets`. */
  place: string;
  /** List of the API that has that call; default: `audios`. */
  counts?: string;
  /** Without a filter there would be nothing to filter or sort. */
  isEmpty: boolean;
  /** Order of this list when the address has none; absent: it has one order. */
  defaultSort?: AudioSort;
  /** Name of the category or creator under which mixes are saved, empty for all audios; absent: no mixes. */
  placeName?: string;
  /** Before and behind the button. */
  start?: ReactNode;
  end?: ReactNode;
  children: ReactNode;
};

/**
 * A list with its filters, which are in the address, each change an entry of the history. Crawlers follow none of their
 * links (http/feeds/sitemap.ts). The panel loads when it is opened; without JavaScript the server writes it as a form.
 */
export function FilteredList(props: FilteredListProps) {
  const { filters, place, counts, isEmpty, defaultSort, placeName, start, end, children } = props;
  const { search } = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  const asksForForm = search.includes('filters=');
  const [isOpen, setIsOpen] = useState(asksForForm);
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  const panel = useLateLayer(loadPanel, isOpen, close);
  const chosen = filters?.chosen ?? [];
  if (isEmpty && chosen.length === 0) return children;
  const label = (
    <>
      <Icon of={SlidersHorizontal} size={18} />
      <Trans>Filters</Trans>
      {chosen.length > 0 && <span className="filter-count">{formatCount(chosen.length)}</span>}
    </>
  );
  const saves = filters && placeName !== undefined && (chosen.length > 0 || filters.mix);
  const mix = saves && defaultSort && { filters, place, placeName, defaultSort };
  return (
    <div className="filtered" data-open={(isOpen && panel !== undefined) || undefined}>
      <div className="min-w-0">
        <div className="list-filters">
          {start}
          {/* In the browser, React leaves out what is in it, so that no code is needed for it. */}
          <noscript>
            {import.meta.env.SSR && (
              <Link
                className="btn btn--secondary btn--small"
                to={`${withQuery(search, { filters: 'open' })}#filters`}
                rel="nofollow"
              >
                {label}
              </Link>
            )}
          </noscript>
          <button
            ref={button}
            type="button"
            className="btn btn--secondary btn--small noscript:hidden"
            data-filters-button
            aria-expanded={isOpen}
            aria-keyshortcuts="Shift+F"
            onClick={() => setIsOpen(!isOpen)}
          >
            {label}
          </button>
          <Suspense>
            {filters && <parts.ChosenFilters chosen={chosen} />}
            {mix && (
              <div className="list-filters__end">
                <parts.SaveMix {...mix} />
              </div>
            )}
          </Suspense>
          <div className="list-filters__end">
            {end}
            {defaultSort && <SortMenu labels={sortLabels()} defaultSort={defaultSort} />}
          </div>
        </div>
        <noscript>{FilterForm && filters && asksForForm && <FilterForm filters={filters} search={search} />}</noscript>
        <output className="filter-found">
          <Suspense>{filters && <parts.Found {...filters.counts} />}</Suspense>
        </output>
        {isEmpty && filters && chosen.length > 0 ? (
          <Suspense>
            <parts.NoneLeft {...filters} />
          </Suspense>
        ) : (
          children
        )}
      </div>
      {panel && isOpen && <panel.FilterPanel {...{ filters, place, counts }} mix={mix || undefined} onClose={close} />}
    </div>
  );
}
