import { formatCapped } from '#formats/numbers.ts';
import { Chip } from '../../ui/chip.tsx';
import { ListLink } from './list-link.tsx';

type StateChipsProps = {
  /** Accessible name of the group. */
  label: string;
  /** Name of the parameter in the address. */
  name?: string;
  value: string | undefined;
  /**
   * The first option has no value and shows all. Options with a count of zero are omitted unless selected; `isMore`:
   * there are more than that; no count: unknown.
   */
  options: readonly { value: string | undefined; label: string; count?: number | undefined; isMore?: boolean }[];
};

/** One link per state, with its count under the other filters where that is not slow. */
export function StateChips({ label, name = 'state', value, options }: StateChipsProps) {
  return (
    <nav className="chips chips--scroll mb-3.5" aria-label={label}>
      {options
        .filter((option) => option.count !== 0 || option.value === undefined || option.value === value)
        .map((option) => (
          <Chip
            key={option.label}
            render={
              <ListLink changes={{ [name]: option.value }} aria-current={option.value === value ? 'true' : undefined} />
            }
          >
            {option.label}
            {option.count !== undefined && (
              <>
                {' '}
                <b>{formatCapped({ count: option.count, isMore: option.isMore === true })}</b>
              </>
            )}
          </Chip>
        ))}
    </nav>
  );
}
