import Download from 'lucide-react/icons/download';
import Upload from 'lucide-react/icons/upload';
import { useState } from 'react';
import { maxLookFileBytes } from '#domain/admin/rules.ts';
import { api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { FileChoice } from '#web/workshop/file-choice.tsx';
import { Part } from './check-parts.tsx';
import { LookRefusal, useLookSave } from './look-section.tsx';

/** The whole look as one file. */
export function LookTransfer({ canUndo }: { canUndo: boolean }) {
  const [chosen, setChosen] = useState<File>();
  const look = useLookSave(0);
  const { isBusy, refuse, save } = look;

  async function importFile(file: File): Promise<void> {
    setChosen(undefined);
    if (file.size > maxLookFileBytes) return refuse('This file is larger than 12 MB. Nothing was imported.');
    const json = { file: await file.text() };
    await save(
      () => api.admin.look.import.$post({ json }),
      () => 'Look imported',
    );
  }

  return (
    <Part
      title="Export and import"
      help="Everything on this page, the rails on Home and the texts of the site with their pictures, as one file. Prices are not in it."
    >
      <div className="field-list">
        <div className="flex flex-wrap gap-2">
          <Button size="sm" render={<a href="/admin/look/export" download aria-label="Export" />}>
            <Icon of={Download} size={16} />
            Export
          </Button>
          <FileChoice
            label="File of a look"
            accept=".json,application/json"
            busy={isBusy ? 'Working…' : undefined}
            onFile={setChosen}
          >
            <Icon of={Upload} size={16} />
            Import
          </FileChoice>
          {canUndo && (
            <Button
              size="sm"
              variant="ghost"
              disabled={isBusy}
              onClick={() =>
                void save(
                  () => api.admin.look['undo-import'].$post(),
                  () => 'The previous look is restored',
                )
              }
            >
              Undo the last import
            </Button>
          )}
        </div>
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
        <LookRefusal save={look} verb="Do it anyway" />
      </div>
    </Part>
  );
}
