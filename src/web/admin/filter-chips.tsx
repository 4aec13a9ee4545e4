import { Chip } from '#web/ui/chip.tsx';
import { ListLink } from '#web/workshop/lists/list-link.tsx';

type FilterChipsProps = {
  /** Accessible name of the group. */
  label: string;
  /** Name of the parameter in the address. */
  name?: string;
  value: string | undefined;
  /** The first chip has no value and shows all. */
  options: readonly { value: string | undefined; label: string }[];
};

/** One link per value of a filter. Without counts, which are slow over a million rows. */
export function FilterChips({ label, name = 'state', value, options }: FilterChipsProps) {
  return (
    <nav className="chips chips--scroll mb-3.5" aria-label={label}>
      {options.map((option) => (
        <Chip
          key={option.label}
          render={
            <ListLink changes={{ [name]: option.value }} aria-current={option.value === value ? 'true' : undefined} />
          }
        >
          {option.label}
        </Chip>
      ))}
    </nav>
  );
}
