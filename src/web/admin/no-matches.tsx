import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Count } from '#formats/numbers.ts';
import { cappedCountOf } from '#formats/numbers.ts';
import { Button } from '../ui/button.tsx';

type NoMatchesProps = {
  /** How many there are without the filters. */
  all: Count;
  /** The search and the filters; those that are empty, off or undefined do not count. */
  filters: readonly unknown[];
  one: string;
  many?: string;
  /** For a list that is empty without them too. */
  children?: ReactNode;
};

/** In place of a list without rows. */
export function NoMatches({ all, filters, one, many, children }: NoMatchesProps) {
  if (all.count === 0 && children !== undefined) return children;
  const count = filters.filter(Boolean).length;
  return (
    <div className="pane">
      <p className="font-semibold">No results found</p>
      {count > 0 && (
        <p className="text-14 mt-1 text-muted">
          {cappedCountOf(all, one, many)} without {count === 1 ? 'this filter' : `these ${count} filters`}.
        </p>
      )}
      <Button className="mt-3.5" render={<Link to="?" />}>
        Remove filters
      </Button>
    </div>
  );
}
