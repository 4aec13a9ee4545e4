import type { Change } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { differing } from './differing.ts';
import { changeText } from './change-text.ts';

export type Conflict = {
  /** The last one by somebody else, if known. */
  change: Change | undefined;
  /** `change`: the last one of the field, if that is known. */
  fields: { name: string; label?: string | undefined; mine: unknown; theirs: unknown; change?: Change }[];
};

type ConflictNoticeProps = {
  edited: { conflict: Conflict | undefined; takeTheirs(name: string): void };
  /** Shown in place of ids. */
  valueNames?: Record<string, string> | undefined;
};

/** Says who changed the subject of a form meanwhile, and shows both versions of each field, to choose between. */
export function ConflictNotice({ edited: { conflict, takeTheirs }, valueNames = {} }: ConflictNoticeProps) {
  if (conflict === undefined) return null;
  const { change, fields } = conflict;
  return (
    <Note tone="error">
      {changeText(change)}. Your changes are still here.
      {fields.map(({ name, label = labelOf(name), mine, theirs, change: own }) => {
        const [yours, others] = differing(textOf(mine, valueNames), textOf(theirs, valueNames));
        return (
          <span key={name} className="mt-2 block wrap-anywhere whitespace-pre-line" data-field={name}>
            <b>{label}</b>
            {own !== undefined && own.by !== change?.by && `, changed by ${own.by ?? 'someone else'}`}
            <span className="block">Yours: {yours}</span>
            <span className="block">Theirs: {others}</span>
            <Button size="sm" className="mt-1" aria-label={`Take theirs: ${label}`} onClick={() => takeTheirs(name)}>
              Take theirs
            </Button>
          </span>
        );
      })}
    </Note>
  );
}

/** `voiceType` as `Voice type`. */
function labelOf(name: string): string {
  const words = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown, names: Record<string, string>): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map((one) => textOf(one, names)).join(', ');
  if (typeof value === 'object') {
    const { title, label, name, url, to, links } = value as Record<string, unknown>;
    const parts = [title ?? label ?? name, url ?? to, links].filter((part) => part !== undefined && part !== null);
    return (parts.length > 0 ? parts : Object.values(value)).map((part) => textOf(part, names)).join(' ');
  }
  return names[String(value)] ?? String(value);
}
