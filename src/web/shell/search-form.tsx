import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { logEvent } from '../analytics/log-event.ts';
import type { Combobox, ComboboxLook } from '../search/search-combobox.tsx';
import { tidyTerm } from '../search/tidy-term.ts';
import { Icon } from '../ui/images/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { PageForm } from '../search/page-form.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useReadEntries } from '../use-pending-search.ts';

type SearchFormProps = {
  /** In the header’s bar, or in the row below it that opens on a phone. */
  place: 'bar' | 'row';
  /** Called by Escape in the empty field. */
  onLeave?: () => void;
};

const loadCombobox = () => import('../search/search-combobox.tsx');

const closed: ComboboxLook = { isExpanded: false, activeId: undefined };

/**
 * A plain form that also works without JavaScript. Its combobox is loaded when the pointer or the focus reaches it.
 * Submitting an empty term does nothing.
 */
export function SearchForm({ place, onLeave }: SearchFormProps) {
  const isRow = place === 'row';
  const { key } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const combobox = useRef<Combobox>(null);
  const submitted = useRef<string>(undefined);
  const listId = `site-search-${place}`;
  const [look, setLook] = useState(closed);
  const [isNear, setIsNear] = useState(false);
  const loaded = useLoaded(loadCombobox, isNear);
  const reach = () => setIsNear(true);
  useEffect(() => {
    // Pressed before the scripts were there.
    if (document.activeElement === field.current) setIsNear(true);
  }, []);

  function empty(): void {
    if (field.current !== null) field.current.value = '';
  }
  const readEntries = useReadEntries();
  // The page whose loading was in progress at the last letter.
  const typedFor = useRef<string>(undefined);
  const [isKept] = useState(() => () => typedFor.current !== undefined && typedFor.current === readEntries().current);
  // A new page starts with an empty field, even before the combobox is loaded; what was typed while it loaded stays.
  useEffect(
    () => () => {
      if (!isKept()) empty();
    },
    [key, isKept],
  );

  return (
    <search
      className={isRow ? 'me-5 flex-1' : 'group/search relative min-w-0 max-md:hidden'}
      onPointerEnter={reach}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) combobox.current?.close();
      }}
    >
      <PageForm
        action="/search"
        onSubmit={(event) => {
          const typed = tidyTerm(field.current?.value ?? '');
          if (typed === '') return event.preventDefault();
          logEvent('global_search_click', { source: 'search', properties: { kind: 'all' } });
          if (combobox.current === null) submitted.current = typed;
          else combobox.current.settle(typed);
        }}
      >
        <div className={isRow ? 'input input--pill' : 'header__search group-focus-within/search:w-[min(560px,48vw)]'}>
          <label htmlFor={`${listId}-field`}>
            <Icon of={Search} size={18} />
            <span className="sr-only">
              <Trans>Search</Trans>
            </span>
          </label>
          <input
            id={`${listId}-field`}
            ref={(element) => {
              field.current = element;
              // Opening the row focuses its field.
              if (isRow) element?.focus();
            }}
            className="input__field"
            type="search"
            name="search"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={look.isExpanded}
            aria-controls={look.isExpanded ? listId : undefined}
            aria-activedescendant={look.activeId}
            placeholder={t`Search`}
            maxLength={100}
            autoComplete="off"
            enterKeyHint="search"
            data-site-search={place}
            onFocus={() => {
              reach();
              combobox.current?.open();
            }}
            onClick={() => combobox.current?.show()}
            onInput={(event) => {
              typedFor.current = readEntries().next;
              combobox.current?.input(event.currentTarget.value);
            }}
            onKeyDown={(event) => combobox.current?.press(event)}
          />
          <IconButton
            className="input__clear"
            icon={X}
            iconSize={18}
            size={40}
            label={t`Clear`}
            onClick={() => {
              combobox.current?.leave();
              empty();
              field.current?.focus();
            }}
          />
          {!isRow && (
            <span className="kbd" aria-hidden="true">
              /
            </span>
          )}
        </div>
      </PageForm>
      {loaded && (
        <loaded.SearchCombobox
          ref={combobox}
          field={field}
          listId={listId}
          onLook={setLook}
          submitted={submitted}
          isKept={isKept}
          onEmpty={empty}
          onLeave={onLeave}
        />
      )}
    </search>
  );
}
