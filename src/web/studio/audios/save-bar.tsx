import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useState } from 'react';
import type { EditedField } from '#domain/studio/rules.ts';
import { countOf } from '#formats/numbers.ts';
import { formatNames } from '#formats/names.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { EditedBar } from '../../workshop/forms/edited-bar.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import type { AudioEditor, EditorSnapshot } from './audio-editor.ts';
import { conflictOf, fieldNames } from './audio-conflict.ts';

type SaveBarProps = Pick<EditorSnapshot, 'values' | 'status' | 'savedAt' | 'apart' | 'faults'> & {
  editor: AudioEditor;
  /** Labels of categories and titles of series, by slug. */
  valueNames: Record<string, string>;
  /** Whether listeners see the audio; otherwise nothing becomes public by applying changes. */
  isPublished: boolean;
  onPublished: () => Promise<void>;
};

/** Sticks to the bottom edge: whether everything is saved, and what listeners do not see yet. */
export function SaveBar(props: SaveBarProps) {
  const { values, status, savedAt, apart, faults, editor, valueNames, isPublished, onPublished } = props;
  const showToast = useToast();
  const [busy, setBusy] = useState<'publish' | 'discard'>();
  const faulty = (Object.keys(faults) as EditedField[]).map((field) => fieldNames[field]);

  async function run(which: 'publish' | 'discard'): Promise<void> {
    setBusy(which);
    const refusal = await (which === 'publish' ? editor.publishChanges() : editor.discardChanges());
    setBusy(undefined);
    if (refusal === undefined && which === 'publish') await onPublished();
    const done = which === 'discard' ? 'Changes discarded' : isPublished ? 'Changes published' : 'Changes applied';
    showToast({ text: refusal ?? done });
  }

  if (status.name === 'conflict') {
    const edited = {
      isChanged: true,
      isBusy: false,
      isConflict: true,
      conflict: conflictOf(status, values, valueNames),
      takeTheirs: (name: string) => editor.takeTheirs(name),
      error: undefined,
      save: editor.keepMine,
      reset: () => editor.takeTheirs(),
    };
    return <EditedBar edited={edited} />;
  }
  return (
    <section className="stick" aria-label="Changes">
      <output>
        <Status {...{ status, savedAt }} faulty={faulty} />
      </output>
      {apart.length > 0 && (
        <>
          <span className="text-13 text-muted">
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
            onClick={() => void run('publish')}
          >
            {isPublished ? 'Publish changes' : 'Apply changes'}
          </Button>
        </>
      )}
    </section>
  );
}

type StatusProps = Pick<SaveBarProps, 'status' | 'savedAt'> & { faulty: string[] };

function Status({ status, savedAt, faulty }: StatusProps) {
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
    <span className="saved ">
      <Icon className="text-success" of={Check} size={16} />
      <span>
        Saved at <LocalTime at={savedAt} style="clock" />
      </span>
    </span>
  );
}
