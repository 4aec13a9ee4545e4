import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { useRootData } from '#web/root-data.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterFacets } from './filter-facets.tsx';
import stylesheet from './filter-panel.css?url';
import { filterNames } from '#domain/catalogue/filters/rules.ts';
import { withoutFilters } from './filter-query.ts';
import { facetsOf } from './filter-words.ts';
import type { ListFilters } from './load-filters.ts';

type FilterFormProps = { filters: ListFilters; search: string };

/** The filters without JavaScript, rendered by the server alone; its loader sends on what the form sends (list-query.ts). */
export function FilterForm({ filters, search }: FilterFormProps) {
  const languageNames = useRootData()?.languageNames;
  const dropped: string[] = [...filterNames, 'filters', 'cursor', 'page'];
  const others = [...new URLSearchParams(search)].filter(([name]) => !dropped.includes(name));
  return (
    <form id="filters" className="filter-panel" aria-label={t`Filters`}>
      <link rel="stylesheet" href={stylesheet} />
      <div className="filter-panel__head">
        <h2>{t`Filters`}</h2>
        {filters.chosen.length > 0 && (
          <Link className="btn btn--ghost btn--small" to={withoutFilters(search)} rel="nofollow">
            {t`Clear all`}
          </Link>
        )}
      </div>
      <div className="filter-panel__body">
        <FilterFacets facets={facetsOf(filters.counts, languageNames)} search={search} />
      </div>
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="filter-panel__foot">
        <Button type="submit" variant="primary" name="filters" value="set">
          {t`Show audios`}
        </Button>
      </div>
    </form>
  );
}
