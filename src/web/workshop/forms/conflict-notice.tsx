import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      {changeText(change)}. {t`Your changes are still here.`}
      {fields.map(({ name, label = labelOf(name), mine, theirs, change: own }) => {
        const [yours, others] = differing(textOf(mine, valueNames), textOf(theirs, valueNames));
        return (
          <span key={name} className="mt-2 block wrap-anywhere whitespace-pre-line" data-field={name}>
            <b>{label}</b>
            {own !== undefined && own.by !== change?.by && `, ${changedBy(own.by)}`}
            <span className="block">
              <Trans>Yours: {yours}</Trans>
            </span>
            <span className="block">
              <Trans>Theirs: {others}</Trans>
            </span>
            <Button size="sm" className="mt-1" aria-label={t`Take theirs: ${label}`} onClick={() => takeTheirs(name)}>
              {t`Take theirs`}
            </Button>
          </span>
        );
      })}
    </Note>
  );
}

function changedBy(by: string | null): string {
  return by === null ? t`changed by someone else` : t`changed by ${by}`;
}

/** Fields of the forms of Studio and Admin; others name theirs. */
const labels: Record<string, () => string> = {
  audios: () => t`Audios`,
  bio: () => t({ message: 'About', context: 'creator' }),
  body: () => t`Text`,
  categoryId: () => t`Category`,
  chooses: () => t`An audio has`,
  closing: () => t`Small print`,
  dark: () => t`Dark theme`,
  description: () => t`Description`,
  directoryText: () => t`Text for podcast directories`,
  takesTips: () => t`Take tips`,
  tipThanks: () => t`Your thanks`,
  explanation: () => t`Explanation`,
  farewellAudioId: () => t`Farewell in private feeds`,
  groups: () => t`Links`,
  hasContentNotes: () => t`Content notes`,
  isRequired: () => t`Required`,
  label: () => t`Name`,
  light: () => t`Light theme`,
  line: () => t`Line`,
  license: () => t`License`,
  linkedSeriesId: () => t`Linked series`,
  links: () => t`Links`,
  moved: () => t`Moved articles`,
  name: () => t`Name`,
  note: () => t`Note`,
  order: () => t`Order`,
  paymentAudioId: () => t`After a failed payment`,
  rails: () => t`Homepage`,
  recommendedIds: () => t`Recommended creators`,
  rows: () => t`Topics`,
  slug: () => t`Address`,
  subject: () => t`Subject`,
  text: () => t`Text`,
  title: () => t`Title`,
  topic: () => t`Topic`,
  voiceType: () => t`Voice`,
  allowsClips: () => t`Clips`,
  welcomeAudioId: () => t`Welcome in private feeds`,
};

function labelOf(name: string): string {
  return labels[name]?.() ?? name;
}

function textOf(value: unknown, names: Record<string, string>): string {
  if (value === null || value === undefined || value === '') return t`empty`;
  if (Array.isArray(value)) return value.length === 0 ? t`empty` : value.map((one) => textOf(one, names)).join(', ');
  if (typeof value === 'object') {
    const { title, label, name, url, to, links } = value as Record<string, unknown>;
    const parts = [title ?? label ?? name, url ?? to, links].filter((part) => part !== undefined && part !== null);
    return (parts.length > 0 ? parts : Object.values(value)).map((part) => textOf(part, names)).join(' ');
  }
  return names[String(value)] ?? String(value);
}
