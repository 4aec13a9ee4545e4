import ListFilter from 'lucide-react/icons/list-filter';
import { useEffect, useRef } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { withQuery } from '#web/catalogue/list-links.ts';
import { useReadPendingSearch } from '../use-pending-search.ts';
import { Icon } from '../ui/images/icon.tsx';
import { filterLength } from './library-tabs.ts';

/** Debounce in milliseconds, as for the search (spec §9). */
const settle = 200;

/** Filters the list while the user types. The filter is in the address, so Back restores it. */
export function FilterField({ label, filter }: { label: string; filter: string }) {
  const navigate = useNavigate();
  const { state } = useNavigation();
  const readSearch = useReadPendingSearch();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The address was changed by something other than typing: Back, or another order.
  useEffect(() => {
    if (field.current !== null && document.activeElement !== field.current) field.current.value = filter;
  }, [filter]);

  function narrow(typed: string): void {
    // An order may have been chosen since the last letter, and its list may still be loading.
    const pending = readSearch();
    if (pending === undefined) return;
    void navigate(withQuery(pending, { filter: typed.trim() === '' ? undefined : typed.trim() }), {
      replace: true,
      preventScrollReset: true,
    });
  }

  return (
    <search className="noscript:hidden min-w-40 flex-1 md:max-w-72">
      <label className="input input--pill min-h-11 text-14">
        <Icon of={ListFilter} size={18} className="text-muted" />
        <span className="sr-only">{label}</span>
        <input
          ref={field}
          className="input__field"
          type="search"
          placeholder={label}
          maxLength={filterLength}
          autoComplete="off"
          enterKeyHint="search"
          defaultValue={filter}
          aria-busy={state === 'loading' || undefined}
          onChange={({ target }) => {
            clearTimeout(timer.current);
            timer.current = setTimeout(() => narrow(target.value), settle);
          }}
        />
      </label>
    </search>
  );
}
