import { plural, t } from '@lingui/core/macro';
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { useRootData } from '#web/root-data.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { useMinWidth } from '#web/ui/use-media-query.ts';
import { usePendingSearch, useReadPendingSearch } from '../../use-pending-search.ts';
import { FilterFacets } from './filter-facets.tsx';
import { type Choice, withChoice, withoutFilters } from './filter-query.ts';
import { facetsOf } from './filter-words.ts';
import type { ListFilters } from './load-filters.ts';
import { SaveMix } from './filter-parts.tsx';
import type { SaveMixProps } from './save-mix.tsx';
import { useCounts } from './use-counts.ts';
import './filter-panel.css';

type FilterPanelProps = {
  filters: ListFilters | undefined;
  /** As of `FilteredList`. */
  place: string;
  counts: string | undefined;
  onClose: () => void;
  /** Saves the filters. */
  mix: SaveMixProps | undefined;
};

/** Beside the list on a wide window, which stays usable; else a sheet above it. */
export function FilterPanel({ filters, place, counts: path, onClose, mix }: FilterPanelProps) {
  const isWide = useMinWidth(1024);
  const heading = useRef<HTMLHeadingElement>(null);
  const { counts, hasFailed, retry } = useCounts(filters?.counts, place, path);
  const names = useRootData()?.languageNames;
  const search = usePendingSearch();
  const readSearch = useReadPendingSearch();
  const navigate = useNavigate();
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  function choose(choice: Choice, isOn: boolean): void {
    const pending = readSearch();
    if (pending !== undefined) void navigate(withChoice(pending, choice, isOn), { preventScrollReset: true });
  }

  const clear = filters && filters.chosen.length > 0 && (
    <Link className="btn btn--ghost btn--small" to={withoutFilters(search)} rel="nofollow" preventScrollReset>
      {t`Clear all`}
    </Link>
  );
  const body = counts ? (
    <FilterFacets facets={facetsOf(counts, names)} search={search} onChoose={choose} />
  ) : hasFailed ? (
    <p role="alert" className="facet__failed">
      {t`The filters could not be loaded.`} <Button onClick={retry}>{t`Try again`}</Button>
    </p>
  ) : (
    <Skeleton />
  );
  if (isWide)
    return (
      <aside className="filter-panel" aria-label={t`Filters`} data-filters>
        <div className="filter-panel__head">
          <h2 ref={heading} tabIndex={-1}>{t`Filters`}</h2>
          {clear}
          <IconButton icon={X} label={t`Close filters`} onClick={onClose} />
        </div>
        <div className="filter-panel__body">{body}</div>
      </aside>
    );
  const total = counts?.total;
  return (
    <DialogWindow open onClose={onClose} title={t`Filters`} initialFocus={(popup) => popup}>
      <div className="filter-sheet" data-filters>
        {clear}
        {body}
        <div className="filter-sheet__foot">
          <Button variant="primary" width="full" onClick={onClose}>
            {total === undefined ? t`Show audios` : t`Show ${plural(total, { one: '# audio', other: '# audios' })}`}
          </Button>
          {mix && <SaveMix {...mix} />}
        </div>
      </div>
    </DialogWindow>
  );
}

function Skeleton() {
  return (
    <div className="facet-skeleton" aria-busy="true" aria-label={t`Loading`}>
      {Array.from({ length: 6 }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}
