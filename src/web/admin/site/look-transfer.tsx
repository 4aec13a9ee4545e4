import Download from 'lucide-react/icons/download';
import Upload from 'lucide-react/icons/upload';
import { useRef, useState } from 'react';
import { maxLookFileBytes } from '#domain/admin/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { useAdminAct } from '../second-factor/step-up.tsx';
import { useLookSave } from './use-look-save.ts';

/** The whole look as one file. */
export function LookTransfer({ canUndo }: { canUndo: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File>();
  const act = useAdminAct();
  const { isBusy, refusal, again, refuse, save } = useLookSave(0);

  async function importFile(file: File): Promise<void> {
    setChosen(undefined);
    if (file.size > maxLookFileBytes) return refuse('This file is larger than 12 MB. Nothing was imported.');
    const json = { file: await file.text() };
    await save(
      () => act(() => answerOf(api.admin.look.import.$post({ json }))),
      () => 'Look imported',
    );
  }

  return (
    <section className="settings-part" aria-labelledby="transfer">
      <header>
        <h2 id="transfer">Export and import</h2>
        <p>
          Everything on this page, the rails on Home and the texts of the site with their pictures, as one file. Prices
          are not in it.
        </p>
      </header>
      <div className="field-list content-start">
        <div className="flex flex-wrap gap-2">
          <Button size="sm" render={<a href="/admin/look/export" download aria-label="Export" />}>
            <Icon of={Download} size={16} />
            Export
          </Button>
          <Button size="sm" busy={isBusy ? 'Working…' : undefined} onClick={() => input.current?.click()}>
            <Icon of={Upload} size={16} />
            Import
          </Button>
          {canUndo && (
            <Button
              size="sm"
              variant="ghost"
              disabled={isBusy}
              onClick={() =>
                void save(
                  () => act(() => answerOf(api.admin.look['undo-import'].$post())),
                  () => 'The previous look is restored',
                )
              }
            >
              Undo the last import
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="File of a look"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        {chosen && (
          <section className="flex flex-wrap items-center gap-2" aria-label="Confirm the import">
            <p>{chosen.name} replaces the whole look. It can be undone until something is changed.</p>
            <Button size="sm" variant="primary" onClick={() => void importFile(chosen)}>
              Replace the look
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setChosen(undefined)}>
              Cancel
            </Button>
          </section>
        )}
        {refusal !== undefined && (
          <Note tone="error">
            {refusal}
            {again && (
              <>
                {' '}
                <button type="button" className="link" onClick={again}>
                  Do it anyway
                </button>
              </>
            )}
          </Note>
        )}
      </div>
    </section>
  );
}
