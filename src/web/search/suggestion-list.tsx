import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select or a datalist has no pictures and no links */
import History from 'lucide-react/icons/history';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect } from 'react';
import { href, Link } from 'react-router';
import type { SearchResponse } from '#domain/search/search.ts';
import { logEvent } from '../analytics/log-event.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/images/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { type Suggestion, suggestionsOf } from './suggestion-rows.tsx';

export type SuggestionListProps = {
  /** Id of the list; options are `<id>-0` and so on. */
  id: string;
  /** Index of the option highlighted by keyboard; -1 for none. */
  active: number;
  /** Called with the search term when an option is chosen. */
  onChoose: (term: string) => void;
  shown: Found | Recent | Failed;
};

type Found = { kind: 'found'; term: string; answer: SearchResponse };
/** The request failed; the search page may show more. */
type Failed = { kind: 'failed'; term: string };
type Recent = { kind: 'recent'; terms: string[]; clear: (term: string) => void; clearAll: () => void };

export const searchIsAway = () => t`Search is not available right now. Try again in a moment.`;

export function countOptions(shown: SuggestionListProps['shown']): number {
  if (shown.kind === 'recent') return shown.terms.length;
  if (shown.kind === 'failed') return 1;
  return suggestionsOf(shown.answer).reduce((sum, { suggestions }) => sum + suggestions.length, 1);
}

export function SuggestionList({ id, active, onChoose, shown }: SuggestionListProps) {
  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const optionAt = (index: number) => ({ id: `${id}-${index}`, isActive: index === active });
  return (
    // Keeps the focus in the field while an option is pressed.
    <div className="suggestions" onPointerDown={(event) => event.pointerType === 'mouse' && event.preventDefault()}>
      {shown.kind === 'failed' && <p className={heading}>{searchIsAway()}</p>}
      <div id={id} role="listbox" aria-label={shown.kind === 'recent' ? t`Recent searches` : t`Search suggestions`}>
        {shown.kind === 'recent' ? (
          <RecentOptions id={id} shown={shown} optionAt={optionAt} onChoose={onChoose} />
        ) : shown.kind === 'failed' ? (
          <SearchOption {...optionAt(0)} term={shown.term} onChoose={onChoose} />
        ) : (
          <FoundOptions id={id} shown={shown} optionAt={optionAt} onChoose={onChoose} />
        )}
      </div>
      {shown.kind === 'recent' && (
        <button
          type="button"
          className="mx-3 mt-1 min-h-11 rounded-tag text-13 font-semibold text-muted hover:text-text"
          onClick={shown.clearAll}
        >
          <Trans>Clear recent searches</Trans>
        </button>
      )}
    </div>
  );
}

const heading = 'block px-3 pt-2.5 pb-2 text-13 leading-none font-semibold text-muted md:pt-3.5';

type OptionsProps<Shown> = Pick<SuggestionListProps, 'id' | 'onChoose'> & {
  shown: Shown;
  optionAt: (index: number) => { id: string; isActive: boolean };
};

function FoundOptions({ id, shown, optionAt, onChoose }: OptionsProps<Found>) {
  const groups = suggestionsOf(shown.answer);
  const all = groups.flatMap(({ suggestions }) => suggestions);
  function choose(suggestion: Suggestion, place: number): void {
    const { id: subjectId, kind, event } = suggestion;
    logEvent('global_search_click', { source: 'search', subjectId, properties: { kind, place } });
    if (event !== undefined) logEvent(event, { source: 'search', subjectId });
    onChoose(shown.term);
  }
  return (
    <>
      {groups.map(({ kind, label, suggestions }) => (
        <Group key={kind} id={`${id}-${kind}`} label={label}>
          {suggestions.map((suggestion, index) => (
            <Option
              key={suggestion.id}
              {...optionAt(all.indexOf(suggestion))}
              to={suggestion.to}
              label={suggestion.label}
              onClick={() => choose(suggestion, index + 1)}
            >
              {suggestion.content}
            </Option>
          ))}
        </Group>
      ))}
      <div
        className="sticky -bottom-1 mt-2 border-t border-line pt-2 pb-1 [background:inherit] md:-bottom-3"
        role="presentation"
      >
        <SearchOption {...optionAt(all.length)} term={shown.term} onChoose={onChoose} />
      </div>
    </>
  );
}

type SearchOptionProps = { id: string; isActive: boolean; term: string; onChoose: (term: string) => void };

/** Links to the page of all results (spec §2, “Search dropdown”). */
function SearchOption({ term, onChoose, ...option }: SearchOptionProps) {
  return (
    <Option
      {...option}
      to={searchAddress(term)}
      className="font-semibold text-accent-text"
      onClick={() => {
        logEvent('global_search_click', { source: 'search', properties: { kind: 'all' } });
        onChoose(term);
      }}
    >
      <Icon of={Search} />
      <span className="truncate">{t`Search for ${term}`}</span>
    </Option>
  );
}

function RecentOptions({ id, shown, optionAt, onChoose }: OptionsProps<Recent>) {
  function choose(term: string, place: number): void {
    logEvent('global_search_click', { source: 'search', properties: { kind: 'recent', place } });
    onChoose(term);
  }
  return (
    <Group id={`${id}-recent`} label={t`Recent searches`}>
      {shown.terms.map((term, index) => (
        <div key={term} className="flex items-center" role="presentation">
          <Option
            {...optionAt(index)}
            className="min-w-0 flex-1"
            to={searchAddress(term)}
            keys="Delete"
            onClick={() => choose(term, index + 1)}
          >
            <Icon of={History} className="text-muted" />
            <span className="min-w-0 flex-1 truncate">{term}</span>
          </Option>
          {/* Keyboard users have the Delete key instead, and the button below to remove all. */}
          <IconButton
            label={t`Remove ${term}`}
            icon={X}
            iconSize={18}
            size={40}
            tabIndex={-1}
            aria-hidden="true"
            onClick={() => shown.clear(term)}
          />
        </div>
      ))}
    </Group>
  );
}

type OptionProps = {
  id: string;
  isActive: boolean;
  to: string;
  /** Accessible name, when highlighting splits the text. */
  label?: string;
  /** Keyboard shortcuts of this option. */
  keys?: string;
  className?: string;
  onClick: () => void;
  children: ReactNode;
};

function Option({ id, isActive, to, label, keys, className, onClick, children }: OptionProps) {
  return (
    <Link
      id={id}
      role="option"
      aria-selected={isActive}
      aria-label={label}
      aria-keyshortcuts={keys}
      tabIndex={-1}
      to={to}
      className={classNames('suggestions__option', className)}
      onClick={onClick}
    >
      {children}
    </Link>
  );
}

function Group({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div role="group" aria-labelledby={id}>
      <span className={heading} id={id}>
        {label}
      </span>
      {children}
    </div>
  );
}

function searchAddress(term: string): string {
  return `${href('/search')}?${new URLSearchParams({ search: term })}`;
}
