import { Link } from 'react-router';
import type { Count } from '#formats/numbers.ts';
import { cappedCountOf } from '#formats/numbers.ts';
import { Button } from '../ui/button.tsx';

type NoMatchesProps = {
  /** How many there are without the filters. */
  all: Count;
  /** How many filters there are, the search included; none behind the last page. */
  filters: number;
  one: string;
  many?: string;
};

/** In place of a list whose filters leave nothing. */
export function NoMatches({ all, filters, one, many }: NoMatchesProps) {
  return (
    <div className="pn">
      <p className="b6">No results found</p>
      {filters > 0 && (
        <p className="t14 mt-1 text-muted">
          {cappedCountOf(all, one, many)} without {filters === 1 ? 'this filter' : `these ${filters} filters`}.
        </p>
      )}
      <Button className="mt-3.5" render={<Link to="?" />}>
        Remove filters
      </Button>
    </div>
  );
}
