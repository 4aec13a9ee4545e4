import Search from 'lucide-react/icons/search';
import { useEffect, useRef } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { Icon } from '../../ui/images/icon.tsx';
import { useSlashKey } from '../use-slash-key.ts';
import { withParameters } from './list-address.ts';
import { usePendingSearch, useReadPendingSearch } from '../../use-pending-search.ts';

/** Debounce in milliseconds (spec §9). */
const settle = 200;

type SearchFieldProps = { label: string; placeholder: string; value: string };

/** Filters a list while the user types; without scripts, Enter does. The words are in the address, as `q`. */
export function SearchField({ label, placeholder, value }: SearchFieldProps) {
  const navigate = useNavigate();
  const { state } = useNavigation();
  const search = usePendingSearch();
  const readSearch = useReadPendingSearch();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The address changed by something other than typing.
  useEffect(() => {
    if (field.current !== null && document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  useSlashKey((event) => {
    event.preventDefault();
    field.current?.focus();
  });

  function narrow(): void {
    clearTimeout(timer.current);
    // A filter may have changed since the last letter, and its list may still be loading.
    const pending = readSearch();
    if (pending === undefined) return;
    const typed = field.current?.value.trim() ?? '';
    void navigate(withParameters(pending, { q: typed === '' ? undefined : typed }), {
      replace: true,
      preventScrollReset: true,
    });
  }

  const kept = [...new URLSearchParams(search)].filter(([name]) => !['q', 'after', 'before', 'cursor'].includes(name));
  return (
    <search className="contents">
      <form
        className="filter-bar__search"
        onSubmit={(event) => {
          event.preventDefault();
          narrow();
        }}
      >
        {kept.map(([name, one]) => (
          <input key={name} type="hidden" name={name} value={one} />
        ))}
        <label>
          <span className="sr-only">{label}</span>
          <Icon of={Search} size={18} />
          <input
            ref={field}
            className="input input--dense"
            type="search"
            name="q"
            maxLength={100}
            autoComplete="off"
            enterKeyHint="search"
            placeholder={placeholder}
            defaultValue={value}
            aria-busy={state === 'loading' || undefined}
            onChange={() => {
              clearTimeout(timer.current);
              timer.current = setTimeout(narrow, settle);
            }}
          />
        </label>
        <span className="kbd max-lg:hidden" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  );
}
