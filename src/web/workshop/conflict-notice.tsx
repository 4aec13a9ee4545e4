import type { Change } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Note } from '#web/ui/note.tsx';
import { LocalTime } from './local-time.tsx';

type ConflictNoticeProps = {
  edited: {
    conflict:
      | { change: Change | undefined; fields: { name: string; label?: string; mine: unknown; theirs: unknown }[] }
      | undefined;
    takeTheirs(name: string): void;
  };
  /** Shown in place of ids. */
  valueNames?: Record<string, string> | undefined;
};

/** Says who changed the subject of a form meanwhile, and shows both versions of each field, to choose between. */
export function ConflictNotice({ edited: { conflict, takeTheirs }, valueNames = {} }: ConflictNoticeProps) {
  if (conflict === undefined) return null;
  const { change, fields } = conflict;
  return (
    <Note tone="error">
      {change?.by ?? 'Someone else'} changed this meanwhile
      {change !== undefined && (
        <>
          {', '}
          <LocalTime at={change.at} style="full" />
        </>
      )}
      . Your changes are still here.
      {fields.map(({ name, label = labelOf(name), mine, theirs }) => (
        <span key={name} className="mt-2 block wrap-anywhere whitespace-pre-line" data-field={name}>
          <b>{label}</b>
          <span className="block">Yours: {textOf(mine, valueNames)}</span>
          <span className="block">Theirs: {textOf(theirs, valueNames)}</span>
          <Button size="sm" className="mt-1" aria-label={`Take theirs: ${label}`} onClick={() => takeTheirs(name)}>
            Take theirs
          </Button>
        </span>
      ))}
    </Note>
  );
}

/** `voiceType` as `Voice type`. */
function labelOf(name: string): string {
  const words = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Characters of a long text that are shown. */
const shownLength = 600;

function textOf(value: unknown, names: Record<string, string>): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map((one) => textOf(one, names)).join(', ');
  if (typeof value === 'object') {
    const { title, label, name, url } = value as Record<string, unknown>;
    return String(title ?? label ?? name ?? url ?? JSON.stringify(value));
  }
  const text = names[String(value)] ?? String(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
