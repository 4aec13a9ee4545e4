import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useState } from 'react';
import type { EditedField } from '#domain/studio/rules.ts';
import { countOf } from '#formats/numbers.ts';
import { formatNames } from '#formats/names.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { LocalTime } from '../workshop/local-time.tsx';
import type { AudioEditor, EditorSnapshot } from './audio-editor.ts';

const names: Record<EditedField, string> = {
  title: 'title',
  description: 'description',
  slug: 'address',
  color: 'color',
  badge: 'badge',
  categories: 'categories',
  tags: 'tags',
  series: 'series',
  transcript: 'transcript',
  isFree: 'access',
  commenters: 'who may comment',
  cover: 'cover',
};

type SaveBarProps = Pick<EditorSnapshot, 'status' | 'savedAt' | 'apart' | 'faults'> & {
  editor: AudioEditor;
  /** Whether listeners see the audio; otherwise nothing becomes public by applying changes. */
  isPublished: boolean;
  onPublished: () => Promise<void>;
};

/** Sticks to the bottom edge: whether everything is saved, and what listeners do not see yet. */
export function SaveBar({ status, savedAt, apart, faults, editor, isPublished, onPublished }: SaveBarProps) {
  const showToast = useToast();
  const [busy, setBusy] = useState<'publish' | 'discard'>();
  const faulty = (Object.keys(faults) as EditedField[]).map((field) => names[field]);

  async function run(which: 'publish' | 'discard'): Promise<void> {
    setBusy(which);
    const refusal = await (which === 'publish' ? editor.publishChanges() : editor.discardChanges());
    setBusy(undefined);
    if (refusal === undefined && which === 'publish') await onPublished();
    const done = which === 'discard' ? 'Changes discarded' : isPublished ? 'Changes published' : 'Changes applied';
    showToast({ text: refusal ?? done });
  }

  return (
    <section className="stick" aria-label="Changes">
      <output>
        <Status {...{ status, savedAt, editor }} faulty={faulty} />
      </output>
      {apart.length > 0 && (
        <>
          <span className="t13 text-muted">
            {countOf(apart.length, 'change is', 'changes are')} not {isPublished ? 'public' : 'applied'} yet
          </span>
          <span className="flex-1 max-md:hidden" />
          <Button
            variant="ghost"
            busy={busy === 'discard' ? 'Discarding' : undefined}
            onClick={() => void run('discard')}
          >
            Discard changes
          </Button>
          <Button
            variant="primary"
            busy={busy === 'publish' ? (isPublished ? 'Publishing' : 'Applying') : undefined}
            disabled={status.name === 'conflict'}
            onClick={() => void run('publish')}
          >
            {isPublished ? 'Publish changes' : 'Apply changes'}
          </Button>
        </>
      )}
    </section>
  );
}

type StatusProps = Pick<SaveBarProps, 'status' | 'savedAt' | 'editor'> & { faulty: string[] };

function Status({ status, savedAt, editor, faulty }: StatusProps) {
  if (status.name === 'saving')
    return (
      <span className="saved" aria-busy="true">
        <Icon of={LoaderCircle} size={16} />
        Saving
      </span>
    );
  if (status.name === 'offline')
    return (
      <span className="saved up-bad">
        <Icon of={WifiOff} size={16} />
        Not saved. Kept on this device, trying again.
      </span>
    );
  if (status.name === 'conflict') {
    const [first] = status.changes;
    return (
      <span className="saved up-bad">
        <Icon of={CircleAlert} size={16} />
        <span>
          Changed by {first?.by ?? 'an operator'} at {first && <LocalTime at={first.at} style="clock" />}:{' '}
          {formatNames(status.changes.map(({ field }) => names[field]))}.{' '}
          <button type="button" className="link t13" onClick={editor.loadTheirs}>
            Load theirs
          </button>{' '}
          <button type="button" className="link t13" onClick={editor.keepMine}>
            Keep mine
          </button>
        </span>
      </span>
    );
  }
  if (status.name === 'refused' || faulty.length > 0)
    return (
      <span className="saved up-bad">
        <Icon of={CircleAlert} size={16} />
        {faulty.length > 0
          ? `Not saved: ${formatNames(faulty)}. The rest is.`
          : `Not saved. ${status.name === 'refused' ? status.message : ''}`}
      </span>
    );
  if (savedAt === null) return <span className="saved">Changes are saved automatically</span>;
  return (
    <span className="saved saved--ok">
      <Icon of={Check} size={16} />
      <span>
        Saved at <LocalTime at={savedAt} style="clock" />
      </span>
    </span>
  );
}
