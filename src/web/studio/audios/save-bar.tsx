import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useState } from 'react';
import type { EditedField } from '#domain/studio/rules.ts';
import { formatNames } from '#formats/names.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { EditedBar } from '../../workshop/forms/edited-bar.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import type { AudioEditor, EditorSnapshot } from './audio-editor.ts';
import type { Publication } from '../../workshop/forms/publishing-panel.tsx';
import { conflictOf, fieldNames } from './audio-conflict.ts';
import type { usePublishing } from './publication-calls.ts';

type SaveBarProps = Pick<EditorSnapshot, 'values' | 'status' | 'savedAt' | 'apart' | 'faults'> & {
  editor: AudioEditor;
  /** Labels of categories and titles of series, by slug. */
  valueNames: Record<string, string>;
  /** Whether listeners see the audio; otherwise nothing becomes public by applying changes. */
  isPublished: boolean;
  onPublished: () => Promise<void>;
  /** For an audio that a reviewer returned. `publishAt`: ISO 8601, the time that was chosen; null: at once. */
  returned?: { publishAt: string | null; publish: ReturnType<typeof usePublishing> } | undefined;
};

/** Sticks to the bottom edge: whether everything is saved, and what listeners do not see yet. */
export function SaveBar(props: SaveBarProps) {
  const { values, status, savedAt, apart, faults, editor, valueNames, isPublished, onPublished, returned } = props;
  const showToast = useToast();
  const [busy, setBusy] = useState<'publish' | 'discard'>();
  const faulty = (Object.keys(faults) as EditedField[]).map((field) => fieldNames[field]());

  async function run(which: 'publish' | 'discard'): Promise<void> {
    setBusy(which);
    const refusal = await (which === 'publish' ? editor.publishChanges() : editor.discardChanges());
    setBusy(undefined);
    if (refusal === undefined && which === 'publish') await onPublished();
    const done = which === 'discard' ? t`Changes discarded` : isPublished ? t`Changes published` : t`Changes applied`;
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
    <section className="stick" aria-label={t`Changes`}>
      <output>
        <Status {...{ status, savedAt }} faulty={faulty} />
      </output>
      {apart.length > 0 && (
        <>
          <span className="text-13 text-muted">
            {isPublished
              ? plural(
                  { count: apart.length },
                  { one: '# change is not public yet', other: '# changes are not public yet' },
                )
              : plural(
                  { count: apart.length },
                  { one: '# change is not applied yet', other: '# changes are not applied yet' },
                )}
          </span>
          <span className="flex-1 max-md:hidden" />
          <Button
            variant="ghost"
            busy={busy === 'discard' ? t`Discarding` : undefined}
            onClick={() => void run('discard')}
          >
            {t`Discard changes`}
          </Button>
          {returned === undefined && (
            <Button
              variant="primary"
              busy={
                busy === 'publish'
                  ? isPublished
                    ? t({ message: 'Publishing', context: 'in progress' })
                    : t`Applying`
                  : undefined
              }
              onClick={() => void run('publish')}
            >
              {isPublished ? t`Publish changes` : t`Apply changes`}
            </Button>
          )}
        </>
      )}
      {returned !== undefined && (
        <>
          {apart.length === 0 && <span className="flex-1 max-md:hidden" />}
          <Returned {...returned} />
        </>
      )}
    </section>
  );
}

/** Sends it for review again, with what was changed, or takes it back. */
function Returned({ publishAt, publish }: NonNullable<SaveBarProps['returned']>) {
  const showToast = useToast();
  const [busy, setBusy] = useState<'send' | 'withdraw'>();

  async function run(which: 'send' | 'withdraw'): Promise<void> {
    setBusy(which);
    const isLater = publishAt !== null && new Date(publishAt) > new Date();
    const sent: Publication = isLater ? { state: 'scheduled', at: publishAt } : { state: 'published' };
    const outcome = await publish(which === 'send' ? sent : { state: 'unpublished' });
    setBusy(undefined);
    if (outcome !== true) showToast({ text: outcome });
  }

  return (
    <>
      <Button
        variant="ghost"
        className="btn--quiet"
        busy={busy === 'withdraw' ? t`Withdrawing` : undefined}
        onClick={() => void run('withdraw')}
      >
        {t`Withdraw from review`}
      </Button>
      <Button variant="primary" busy={busy === 'send' ? t`Sending…` : undefined} onClick={() => void run('send')}>
        {t`Send for review again`}
      </Button>
    </>
  );
}

type StatusProps = Pick<SaveBarProps, 'status' | 'savedAt'> & { faulty: string[] };

function Status({ status, savedAt, faulty }: StatusProps) {
  if (status.name === 'saving')
    return (
      <span className="saved" aria-busy="true">
        <Icon of={LoaderCircle} size={16} />
        <Trans>Saving</Trans>
      </span>
    );
  if (status.name === 'offline')
    return (
      <span className="saved up-bad">
        <Icon of={WifiOff} size={16} />
        <Trans>Not saved. Kept on this device, trying again.</Trans>
      </span>
    );
  if (status.name === 'refused' || faulty.length > 0)
    return (
      <span className="saved up-bad">
        <Icon of={CircleAlert} size={16} />
        {faulty.length > 0
          ? t`Not saved: ${{ fields: formatNames(faulty) }}. The rest is.`
          : t`Not saved. ${{ reason: status.name === 'refused' ? status.message : '' }}`}
      </span>
    );
  if (savedAt === null)
    return (
      <span className="saved">
        <Trans>Changes are saved automatically</Trans>
      </span>
    );
  return (
    <span className="saved ">
      <Icon className="text-success" of={Check} size={16} />
      <span>
        <Trans>
          Saved at <LocalTime at={savedAt} style="clock" />
        </Trans>
      </span>
    </span>
  );
}
