/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- Escape anywhere in the open filters closes them */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { ListLink } from './list-link.tsx';
import { usePendingSearch, useReadPendingSearch } from '../../use-pending-search.ts';
import { Field } from '../../ui/fields/field.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';
import { followDetails } from '../../ui/layers/open-layers.ts';

/** An active filter: its parameter in the address, its name, and its value as text. */
export type FilterToken = { name: string; label: string; text: string };

/** The active filters; each can be removed. */
export function FilterTokens({ tokens }: { tokens: FilterToken[] }) {
  return tokens.map(({ name, label, text }) => (
    <span key={name} className="filter-token">
      <span>{label}:</span> {text}
      <ListLink changes={{ [name]: undefined }} aria-label={t`Remove the filter ${label}`}>
        <Icon of={X} size={16} />
      </ListLink>
    </span>
  ));
}

/** Parameters of a list that are not filters; they stay when filters change. */
const keptParameters = ['q', 'state', 'sort'];

function keptOf(search: string): [string, string][] {
  return [...new URLSearchParams(search)].filter(([name]) => keptParameters.includes(name));
}

/** Moves the open form back when it would go beyond the edge of the page. On a phone it is as wide as the page. */
function fitIn(box: HTMLDetailsElement): void {
  const form = box.querySelector('form');
  if (!box.open || form === null) return;
  const { left, right } = box.getBoundingClientRect();
  const isMirrored = getComputedStyle(box).direction === 'rtl';
  const room = isMirrored ? right : document.documentElement.clientWidth - left;
  box.style.setProperty('--filters-start', `${-Math.max(0, form.offsetWidth + 16 - room)}px`);
}

/** A form with the fields of a list's filters, behind a button. Works without script. */
export function FilterMenu({ submit, children }: { submit: string; children: ReactNode }) {
  const navigate = useNavigate();
  const search = usePendingSearch();
  const readSearch = useReadPendingSearch();
  const box = useRef<HTMLDetailsElement>(null);
  const shownFor = useRef(search);
  // Closes after a choice and on Escape; not at first, when it may have been opened before the scripts were there.
  useEffect(() => {
    if (box.current !== null && shownFor.current !== search) box.current.open = false;
    shownFor.current = search;
  }, [search]);
  useEffect(() => (box.current === null ? undefined : followDetails(box.current)), []);
  const kept = keptOf(search);
  return (
    <details
      ref={box}
      className="md:relative"
      onToggle={({ currentTarget }) => fitIn(currentTarget)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event) || box.current === null) return;
        box.current.open = false;
        box.current.querySelector('summary')?.focus();
      }}
    >
      <summary className="inline-flex items-center gap-1.5 min-h-10 pe-3.5 ps-3 rounded-full border border-dashed border-control-line text-13 font-semibold text-soft whitespace-nowrap hover:[border-style:solid] hover:text-text max-lg:min-h-11 list-none">
        <Icon of={Plus} size={16} />
        <Trans>Filter</Trans>
      </summary>
      <form
        className="pane field-list z-20 bg-overlay max-md:fixed max-md:inset-x-4 max-md:top-18 max-h-[70dvh] overflow-y-auto max-md:max-h-[calc(100dvh-10.5rem)] md:absolute md:mt-2 md:top-full md:start-(--filters-start) md:w-80"
        aria-label={t`Filters`}
        onSubmit={(event) => {
          event.preventDefault();
          const pending = readSearch();
          if (pending === undefined) return;
          const fields = new URLSearchParams(keptOf(pending));
          for (const [name, value] of new FormData(event.currentTarget))
            if (typeof value === 'string' && value.trim() !== '' && !keptParameters.includes(name))
              fields.set(name, value.trim());
          if (box.current !== null) box.current.open = false;
          void navigate(`?${fields}`, { preventScrollReset: true });
        }}
      >
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
        <Button type="submit" variant="primary">
          {submit}
        </Button>
      </form>
    </details>
  );
}

type FilterSelectProps = { label: string; name: string; value: string | undefined; choices: [string, string][] };

export function FilterSelect({ label, name, value = '', choices }: FilterSelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select key={value} id={id} className="input" name={name} defaultValue={value}>
        <option value="">
          <Trans>Any</Trans>
        </option>
        {value !== '' && !choices.some(([one]) => one === value) && <option value={value}>{value}</option>}
        {choices.map(([one, text]) => (
          <option key={one} value={one}>
            {text.charAt(0).toUpperCase() + text.slice(1)}
          </option>
        ))}
      </select>
    </div>
  );
}

type FilterTextProps = {
  label: string;
  name: string;
  value: string | undefined;
  placeholder: string;
  maxLength: number;
};

export function FilterText({ value = '', ...field }: FilterTextProps) {
  return <Field key={value} {...field} defaultValue={value} autoComplete="off" spellCheck={false} />;
}

type FoundFilterProps = { label: string; name: string; slug: string | undefined; children: ReactNode };

/** A filter by something that is found by typing in `children`. Without script its address is typed, and wins. */
export function FoundFilter({ label, name, slug, children }: FoundFilterProps) {
  return (
    <>
      {slug !== undefined && <input type="hidden" name={name} value={slug} />}
      <div className="noscript:hidden">{children}</div>
      <noscript>
        <FilterText label={label} name={name} value={slug} maxLength={120} placeholder={t`Its address`} />
      </noscript>
    </>
  );
}
