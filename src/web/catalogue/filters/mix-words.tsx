import { t } from '@lingui/core/macro';
import Ban from 'lucide-react/icons/ban';
import { Icon } from '#web/ui/images/icon.tsx';
import type { inWords } from './filter-words.ts';
import './mixes.css';

export type MixWords = ReturnType<typeof inWords>;

/** The filters of a mix. */
export function MixWordList({ words }: { words: MixWords }) {
  if (words.length === 0) return null;
  return (
    <ul className="mix-words" aria-label={t`Filters`}>
      {words.map(({ text, isLeftOut }) => (
        <li key={text}>
          {isLeftOut && <Icon of={Ban} size={16} />}
          {text}
        </li>
      ))}
    </ul>
  );
}
