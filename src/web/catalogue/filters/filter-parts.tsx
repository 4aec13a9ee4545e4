import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Ban from 'lucide-react/icons/ban';
import X from 'lucide-react/icons/x';
import { Link } from 'react-router';
import { formatCount } from '#formats/numbers.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { usePendingSearch } from '../../use-pending-search.ts';
import { withChoice } from './filter-query.ts';
import type { ListFilters } from './load-filters.ts';

export { NoneLeft } from './none-left.tsx';
export { SaveMix } from './save-mix.tsx';

export function ChosenFilters({ chosen }: Pick<ListFilters, 'chosen'>) {
  return chosen.map((one) => <ChosenFilter key={one.name + one.value} {...one} />);
}

function ChosenFilter({ name, value, text }: ListFilters['chosen'][number]) {
  const pending = usePendingSearch();
  return (
    <span className="chosen-filter" data-left-out={name === 'not' || undefined}>
      {name === 'not' && <Icon of={Ban} size={16} />}
      {text}
      <Link
        aria-label={t`Remove ${{ name: text }}`}
        to={withChoice(pending, { name, value }, false)}
        rel="nofollow"
        preventScrollReset
      >
        <Icon of={X} size={16} />
      </Link>
    </span>
  );
}

export function Found({ total: count, of: total }: ListFilters['counts']) {
  if (count === undefined || total === undefined) return null;
  const [found, all] = [formatCount(count), plural(total, { one: '# audio', other: '# audios' })];
  return (
    <Trans>
      <b>{found}</b> of {all}
    </Trans>
  );
}
