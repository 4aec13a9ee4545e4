import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { scriptLength } from '#domain/catalogue/rules.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';

type UploadScriptProps = {
  fileName: string;
  /** Lines of the script that it has. */
  lines: number;
  /** @param script null removes it @returns the error message, if it was not saved */
  onSave(script: string | null): Promise<string | undefined>;
};

/** The text that is read in a file: its lines are timed once the audio exists. */
export function UploadScript({ fileName, lines, onSave }: UploadScriptProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [script, setScript] = useState('');
  const [fault, setFault] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);

  async function save(wanted: string | null): Promise<void> {
    setIsSaving(true);
    const message = await onSave(wanted);
    setIsSaving(false);
    setFault(message);
    if (message === undefined) setIsOpen(false);
  }

  if (!isOpen)
    return (
      <div className="col-[2/-1] flex flex-wrap items-center gap-2 max-md:col-span-full">
        <Button
          variant="ghost"
          size="sm"
          aria-label={lines === 0 ? t`Add the script of ${fileName}` : t`Replace the script of ${fileName}`}
          onClick={() => setIsOpen(true)}
        >
          {lines === 0 ? t`Add the script` : t`Replace the script`}
        </Button>
        {lines > 0 && (
          <>
            <span className="text-13 text-muted">
              {plural({ count: lines }, { one: 'Script with # line', other: 'Script with # lines' })}
            </span>
            <Button variant="ghost" size="sm" onClick={() => void save(null)}>
              <Trans>Remove the script</Trans>
            </Button>
          </>
        )}
      </div>
    );
  return (
    <form
      className="col-[2/-1] max-md:col-span-full"
      onSubmit={(event) => {
        event.preventDefault();
        void save(script);
      }}
    >
      <TextArea
        label={t`Script of ${fileName}`}
        rows={8}
        value={script}
        maxLength={scriptLength}
        error={fault}
        onChange={({ target }) => setScript(target.value)}
      />
      <p className="mt-2 text-13 text-muted">
        <Trans>
          Its lines are timed against the recording once it is processed, and wait in the audio’s transcript.
        </Trans>
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="sm" disabled={script.trim() === ''} aria-busy={isSaving}>
          <Trans>Save the script</Trans>
        </Button>
        <Button variant="ghost" size="sm" onClick={() => setIsOpen(false)}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}
