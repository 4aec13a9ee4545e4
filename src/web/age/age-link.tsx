import { t } from '@lingui/core/macro';
import Play from 'lucide-react/icons/play';
import { useLocation } from 'react-router';
import { ownPrefix, useRootData } from '../root-data.ts';
import { Icon } from '../ui/images/icon.tsx';

/** Without JavaScript, Play leads to the question as a page, and back. Rendered by the server alone. */
export function AgeLink() {
  const { pathname, search } = useLocation();
  const prefix = ownPrefix(useRootData());
  const to = encodeURIComponent(prefix + pathname + search);
  return (
    <a className="btn btn--primary mt-4" href={`${prefix}/age/statement?to=${to}`}>
      <Icon of={Play} filled />
      {t`Play`}
    </a>
  );
}
