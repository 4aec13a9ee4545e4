/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- Escape anywhere in the open filters closes them */
import { countOf } from '#domain/kernel/rules.ts';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useEffect, useId, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { FilterNames } from '#domain/admin/audio-filters.ts';
import { audioChangeDays } from '#domain/admin/rules.ts';
import type { AudioAccess, AudioProblem } from '#domain/admin/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { withParameters } from '#web/workshop/list-address.ts';
import type { AudioQuery } from './audio-query.ts';

type Choice = { slug: string; label: string };

const accessTexts: Record<AudioAccess, string> = { free: 'everyone', subscribers: 'subscribers' };
const problemTexts: Record<AudioProblem, string> = {
  'no-cover': 'no cover',
  'not-measured': 'file could not be measured',
  changes: 'changes not public yet',
};

function changedText(days: number): string {
  return `last ${days === 1 ? '24 hours' : countOf(days, 'day')}`;
}

/** The filters in force as tokens that can be removed, and a form that adds others. Works without script. */
export function AudioFilterTokens({ query, names }: { query: AudioQuery; names: FilterNames }) {
  const { search } = useLocation();
  const tokens: { name: string; label: string; text: string }[] = [
    ...(query.voice === undefined
      ? []
      : [{ name: 'voice', label: 'Creator', text: names.voice?.label ?? query.voice }]),
    ...(query.category === undefined
      ? []
      : [{ name: 'category', label: 'Category', text: names.category?.label ?? query.category }]),
    ...(query.tag === undefined ? [] : [{ name: 'tag', label: 'Tag', text: names.tag?.label ?? query.tag }]),
    ...(query.access === undefined ? [] : [{ name: 'access', label: 'Who hears it', text: accessTexts[query.access] }]),
    ...(query.problem === undefined ? [] : [{ name: 'problem', label: 'Problem', text: problemTexts[query.problem] }]),
    ...(query.changed === undefined ? [] : [{ name: 'changed', label: 'Changed', text: changedText(query.changed) }]),
  ];
  return tokens.map(({ name, label, text }) => (
    <span key={name} className="ftok">
      <span>{label}:</span> {text}
      <Link
        to={withParameters(search, { [name]: undefined })}
        aria-label={`Remove the filter ${label}`}
        preventScrollReset
      >
        <Icon of={X} size={16} />
      </Link>
    </span>
  ));
}

/** @param tag of the filter in force; tags are too many to choose from a list, so it is typed */
export function AudioFilterForm({
  query,
  voices,
  categories,
}: {
  query: AudioQuery;
  voices: Choice[];
  categories: Choice[];
}) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const box = useRef<HTMLDetailsElement>(null);
  // A choice closes it, and so does Escape.
  useEffect(() => {
    if (box.current !== null) box.current.open = false;
  }, [search]);
  const kept = [...new URLSearchParams(search)].filter(([name]) => ['q', 'state', 'sort'].includes(name));
  return (
    <details
      ref={box}
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || box.current === null) return;
        box.current.open = false;
        box.current.querySelector('summary')?.focus();
      }}
    >
      <summary className="fadd list-none">
        <Icon of={Plus} size={16} />
        Filter
      </summary>
      <form
        className="pn fg absolute top-full left-0 z-20 mt-2 w-80 max-w-[calc(100vw-2rem)] bg-overlay"
        aria-label="Filters"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new URLSearchParams();
          for (const [name, value] of new FormData(event.currentTarget))
            if (typeof value === 'string' && value.trim() !== '') fields.set(name, value.trim());
          if (box.current !== null) box.current.open = false;
          void navigate(`?${fields}`, { preventScrollReset: true });
        }}
      >
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Select
          label="Creator"
          name="voice"
          value={query.voice}
          choices={voices.map(({ slug, label }) => [slug, label])}
        />
        <Select
          label="Category"
          name="category"
          value={query.category}
          choices={categories.map(({ slug, label }) => [slug, label])}
        />
        <TagField value={query.tag} />
        <Select label="Who hears it" name="access" value={query.access} choices={Object.entries(accessTexts)} />
        <Select label="Problem" name="problem" value={query.problem} choices={Object.entries(problemTexts)} />
        <Select
          label="Changed"
          name="changed"
          value={query.changed?.toString()}
          choices={audioChangeDays.map((days) => [String(days), changedText(days)])}
        />
        <Button type="submit" variant="primary">
          Show audios
        </Button>
      </form>
    </details>
  );
}

type SelectProps = { label: string; name: string; value: string | undefined; choices: [string, string][] };

function Select({ label, name, value = '', choices }: SelectProps) {
  const id = useId();
  return (
    <div className="fld">
      <label htmlFor={id}>{label}</label>
      <select key={value} id={id} className="in" name={name} defaultValue={value}>
        <option value="">Any</option>
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

function TagField({ value = '' }: { value: string | undefined }) {
  const id = useId();
  return (
    <div className="fld">
      <label htmlFor={id}>Tag</label>
      <input
        key={value}
        id={id}
        className="in"
        name="tag"
        defaultValue={value}
        maxLength={120}
        autoComplete="off"
        spellCheck={false}
        placeholder="Its address, such as slow-voice"
      />
    </div>
  );
}
