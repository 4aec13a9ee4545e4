import { plural, t } from '@lingui/core/macro';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { WaitingReview } from '#domain/admin/desk/reviews.ts';
import { Icon } from '#web/ui/images/icon.tsx';

/** Icons, and one sentence in words. */
export function ReviewChecks({ review: { hasText, watchedWords } }: { review: WaitingReview }) {
  const words = watchedWords.length;
  const faults = [
    !hasText && t`No text`,
    words > 0 && plural({ count: words }, { one: '# watched word', other: '# watched words' }),
  ].filter((fault) => fault !== false);
  return (
    <span className="flex items-center gap-2.5">
      <span className="inline-flex gap-1" aria-hidden="true">
        {[hasText, words === 0].map((isGood, index) => (
          <Icon
            // oxlint-disable-next-line react/no-array-index-key -- two fixed checks
            key={index}
            of={isGood ? CircleCheck : TriangleAlert}
            size={16}
            className={isGood ? 'text-success' : 'text-accent-text'}
          />
        ))}
      </span>
      <span className="text-13 text-muted">{faults.length === 0 ? t`All in order` : faults.join(', ')}</span>
    </span>
  );
}
