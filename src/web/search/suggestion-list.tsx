/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select or a datalist has no pictures and no links */
import History from 'lucide-react/icons/history';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { SearchAnswer } from '#domain/search/search.ts';
import { track } from '../insight/track.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import type { Suggestion } from './suggestion-rows.tsx';
import { suggestionsOf } from './suggestion-rows.tsx';

export type SuggestionListProps = {
  /** Of the list; its options are called `<id>-0` and so on. */
  id: string;
  /** Which option the keyboard is at; -1 for none. */
  active: number;
  /** Called with the term that was looked for, as an option is chosen. */
  onChoose: (term: string) => void;
  shown: Found | Recent;
};

type Found = { kind: 'found'; term: string; answer: SearchAnswer };
type Recent = { kind: 'recent'; terms: string[]; forget: (term: string) => void; forgetAll: () => void };

/** How many options there are, for the keyboard. */
export function countOptions(shown: SuggestionListProps['shown']): number {
  if (shown.kind === 'recent') return shown.terms.length;
  return suggestionsOf(shown.answer).reduce((sum, { suggestions }) => sum + suggestions.length, 1);
}

/** What stands below the search field: what was found so far, or what was searched for last. */
export function SuggestionList({ id, active, onChoose, shown }: SuggestionListProps) {
  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const optionAt = (index: number) => ({ id: `${id}-${index}`, isActive: index === active });
  return (
    // The field keeps the focus while an option is pressed.
    <div className="sd" onPointerDown={(event) => event.pointerType === 'mouse' && event.preventDefault()}>
      <div id={id} role="listbox" aria-label={shown.kind === 'recent' ? 'Recent searches' : 'Search suggestions'}>
        {shown.kind === 'recent' ? (
          <RecentOptions id={id} shown={shown} optionAt={optionAt} onChoose={onChoose} />
        ) : (
          <FoundOptions id={id} shown={shown} optionAt={optionAt} onChoose={onChoose} />
        )}
      </div>
      {shown.kind === 'recent' && (
        <button type="button" className="sd__clear" onClick={shown.forgetAll}>
          Clear recent searches
        </button>
      )}
    </div>
  );
}

type OptionsProps<Shown> = Pick<SuggestionListProps, 'id' | 'onChoose'> & {
  shown: Shown;
  optionAt: (index: number) => { id: string; isActive: boolean };
};

function FoundOptions({ id, shown, optionAt, onChoose }: OptionsProps<Found>) {
  const groups = suggestionsOf(shown.answer);
  const all = groups.flatMap(({ suggestions }) => suggestions);
  function choose(suggestion: Suggestion, place: number): void {
    const { id: subjectId, kind, event } = suggestion;
    track('global_search_click', { source: 'search', subjectId, properties: { kind, place } });
    if (event !== undefined) track(event, { source: 'search', subjectId });
    onChoose(shown.term);
  }
  return (
    <>
      {groups.map(({ label, suggestions }) => (
        <Group key={label} id={`${id}-${label.replace(' ', '-')}`} label={label}>
          {suggestions.map((suggestion, index) => (
            <Option
              key={suggestion.id}
              {...optionAt(all.indexOf(suggestion))}
              to={suggestion.to}
              onClick={() => choose(suggestion, index + 1)}
            >
              {suggestion.content}
            </Option>
          ))}
        </Group>
      ))}
      <div className="sd__all" role="presentation">
        <Option
          {...optionAt(all.length)}
          to={searchAddress(shown.term)}
          className="sd__go"
          onClick={() => {
            track('global_search_click', { source: 'search', properties: { kind: 'all' } });
            onChoose(shown.term);
          }}
        >
          <Icon of={Search} />
          <span className="trunc">Search for {shown.term}</span>
        </Option>
      </div>
    </>
  );
}

function RecentOptions({ id, shown, optionAt, onChoose }: OptionsProps<Recent>) {
  function choose(term: string, place: number): void {
    track('global_search_click', { source: 'search', properties: { kind: 'recent', place } });
    onChoose(term);
  }
  return (
    <Group id={`${id}-recent`} label="Recent searches">
      {shown.terms.map((term, index) => (
        <div key={term} className="sd__r" role="presentation">
          <Option {...optionAt(index)} to={searchAddress(term)} keys="Delete" onClick={() => choose(term, index + 1)}>
            <Icon of={History} className="text-muted" />
            <span className="trunc grow">{term}</span>
          </Option>
          {/* By keyboard it is the Delete key, and the button below takes away all. */}
          <IconButton
            label={`Remove ${term}`}
            icon={X}
            iconSize={18}
            size={40}
            tabIndex={-1}
            aria-hidden="true"
            onClick={() => shown.forget(term)}
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
  /** What else the keyboard can do with it. */
  keys?: string;
  className?: string;
  onClick: () => void;
  children: ReactNode;
};

function Option({ id, isActive, to, keys, className, onClick, children }: OptionProps) {
  return (
    <Link
      id={id}
      role="option"
      aria-selected={isActive}
      aria-keyshortcuts={keys}
      tabIndex={-1}
      to={to}
      className={classNames('sd__o', isActive && 'is-active', className)}
      onClick={onClick}
    >
      {children}
    </Link>
  );
}

function Group({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div role="group" aria-labelledby={id}>
      <span className="sd__h" id={id}>
        {label}
      </span>
      {children}
    </div>
  );
}

function searchAddress(term: string): string {
  return `${href('/search')}?${new URLSearchParams({ search: term })}`;
}
