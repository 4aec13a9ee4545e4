import { t } from '@lingui/core/macro';
import { Link, useLocation } from 'react-router';
import { formatCount } from '#formats/numbers.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { withChoice, withoutFilters } from './filter-query.ts';
import type { ListFilters } from './load-filters.ts';

/** In place of a list without audios: the filters whose removal finds most. */
export function NoneLeft({ wider }: Pick<ListFilters, 'wider'>) {
  const { search } = useLocation();
  return (
    <EmptyState
      title={t`No audios`}
      text={
        wider.length > 0
          ? t`Nothing has all of these. Without one of them there would be some:`
          : t`Nothing has all of these.`
      }
    >
      {wider.map(({ text, remove, audios }) => (
        <Chip
          key={text}
          render={
            <Link
              to={remove.reduce((query, choice) => withChoice(query, choice, false), search)}
              rel="nofollow"
              preventScrollReset
            />
          }
        >
          {text} {audios !== undefined && <b className="tabular-nums text-muted">{formatCount(audios)}</b>}
        </Chip>
      ))}
      <span className="w-full" />
      <Button variant="outline" render={<Link to={withoutFilters(search)} rel="nofollow" preventScrollReset />}>
        {t`Clear all filters`}
      </Button>
    </EmptyState>
  );
}
