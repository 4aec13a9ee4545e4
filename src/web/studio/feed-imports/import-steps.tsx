import { t } from '@lingui/core/macro';
import Check from 'lucide-react/icons/check';
import type { FeedImportState } from '#domain/studio/feed-imports/rules.ts';
import { Icon } from '../../ui/images/icon.tsx';

const places: Record<FeedImportState, number> = {
  reading: 0,
  asking: 0,
  failed: 0,
  planned: 1,
  running: 2,
  stopped: 2,
  done: 3,
};

/** How far an import is. */
export function ImportSteps({ state }: { state: FeedImportState | undefined }) {
  const now = state === undefined ? 0 : places[state];
  return (
    <ol className="text-14 mb-5 flex flex-wrap gap-x-6 gap-y-2" aria-label={t`Steps`}>
      {[t`Address`, t({ message: 'Plan', context: 'an import' }), t`Import`, t`Result`].map((name, at) => (
        <li
          key={name}
          className={at === now ? 'flex items-center gap-2 font-semibold' : 'flex items-center gap-2 text-muted'}
          aria-current={at === now ? 'step' : undefined}
        >
          <span
            className="grid size-6 place-items-center rounded-full border border-line text-13 tabular-nums"
            aria-hidden="true"
          >
            {at < now ? <Icon of={Check} size={16} /> : at + 1}
          </span>
          {name}
          {at < now && <span className="sr-only">{t`done`}</span>}
        </li>
      ))}
    </ol>
  );
}
