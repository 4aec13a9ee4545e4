import { plural, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { type Count, formatCount } from '#formats/numbers.ts';
import { OlderLinks } from '../../workshop/lists/older-links.tsx';

type CommentPagerProps = {
  /** The number of the page's comments, and of all; absent: not shown. */
  part?: { shown: number; of: Count } | undefined;
  isContinued: boolean;
  nextCursor: string | undefined;
};

/** Number of comments, and links to the pages beside this one. */
export function CommentPager({ part, isContinued, nextCursor }: CommentPagerProps) {
  return (
    <div className="pager">
      {part !== undefined && <span className="tabular-nums">{partText(part.shown, part.of)}</span>}
      <OlderLinks isContinued={isContinued} nextCursor={nextCursor} />
    </div>
  );
}

function partText(shown: number, { count, isMore }: Count): string {
  const part = formatCount(shown);
  return isMore
    ? t`${part} of over ${plural(count, { one: '# comment', other: '# comments' })}`
    : t`${part} of ${plural(count, { one: '# comment', other: '# comments' })}`;
}

/** Shortcuts of a list of comments. */
export function CommentKeys({ keys }: { keys: readonly (readonly [key: string, does: string])[] }): ReactNode {
  return (
    <p className="hint flex justify-start flex-wrap gap-y-1.5 gap-x-4.5 max-md:hidden mt-3">
      <span>
        <kbd className="kbd">J</kbd> <kbd className="kbd">K</kbd> {t`next and previous`}
      </span>
      {keys.map(([key, does]) => (
        <span key={key}>
          <kbd className="kbd">{key}</kbd> {does}
        </span>
      ))}
    </p>
  );
}
