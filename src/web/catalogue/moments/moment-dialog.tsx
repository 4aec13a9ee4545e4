import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { type KeyboardEvent, useState } from 'react';
import { momentNoteLength } from '#domain/library/moments/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { Button } from '#web/ui/button.tsx';
import { isComposing } from '#web/ui/fields/is-composing.ts';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { Note } from '#web/ui/note.tsx';

const stepSeconds = 5;

type MomentDialogProps = {
  /** Place in the audio. */
  seconds: number;
  duration: number;
  note: string;
  /** @returns the error message; undefined on success, which closes it */
  onSave: (seconds: number, note: string) => Promise<string | undefined>;
  onClose: () => void;
};

/** A bookmark's place and note; Enter in the note saves. */
export function MomentDialog({ seconds, duration, note, onSave, onClose }: MomentDialogProps) {
  const [place, setPlace] = useState(seconds);
  const [typed, setTyped] = useState(note);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const time = formatTime(place);
  const move = (by: number) => setPlace(Math.min(Math.max(place + by, 0), Math.max(duration, 0)));

  async function save(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    const refusal = await onSave(place, typed.trim());
    setIsBusy(false);
    if (refusal === undefined) onClose();
    else setFailure(refusal);
  }

  function saveOnEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    void save();
  }

  return (
    <DialogWindow open onClose={onClose} dismissedBy="button" title={t`Bookmark at ${time}`}>
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <div>
          <TextArea
            label={t`Your note`}
            name="note"
            rows={3}
            maxLength={momentNoteLength}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={saveOnEnter}
          />
          <p className="hint">
            <Trans>Only you see it.</Trans>
          </p>
        </div>
        <div className="grid grid-cols-2 gap-2">
          <Button onClick={() => move(-stepSeconds)}>
            <Icon of={Minus} size={18} />
            <Trans>5 sec earlier</Trans>
          </Button>
          <Button onClick={() => move(stepSeconds)}>
            <Icon of={Plus} size={18} />
            <Trans>5 sec later</Trans>
          </Button>
        </div>
        <Button type="submit" variant="primary" size="lg" busy={isBusy ? t`Saving` : undefined}>
          <Trans>Save bookmark</Trans>
        </Button>
      </form>
    </DialogWindow>
  );
}
