import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Upload from 'lucide-react/icons/upload';
import { api } from '#web/api.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { FileButton } from '#web/workshop/forms/file-button.tsx';
import { toBase64 } from '#web/workshop/forms/read-picture.ts';
import { type PartFacts, LookSectionOf, useLookSave, LookRefusal } from './look-section.tsx';
import Download from 'lucide-react/icons/download';
import { type ReactNode, useState } from 'react';
import { maxLookFileBytes } from '#domain/admin/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { Part } from '#web/workshop/forms/settings-part.tsx';

type PicturePart = 'logo' | 'icon' | 'card' | 'hero-picture';

type LookPictureProps = {
  part: PicturePart;
  title: string;
  help: string;
  facts: PartFacts;
  now: number;
  /** Accepts SVG. */
  takesSvg?: boolean;
  /** One file for each theme. */
  themes?: ('dark' | 'light')[];
  children: ReactNode;
};

/** Maximum base64 bytes of one call. */
const maxBytes = 3 * 1024 * 1024;

/** A picture of the look: the current one, and a field for a new file. */
export function LookPicture({ part, title, help, facts, now, takesSvg = false, themes, children }: LookPictureProps) {
  const save = useLookSave(facts.revision);

  async function send(file: File, theme: 'dark' | 'light' | undefined): Promise<void> {
    const { name, size } = file;
    if (size > maxBytes) return save.refuse(t`${name} is larger than 3 MB.`);
    const picture = await toBase64(file);
    await save.save(
      (revision) =>
        api.admin.look.pictures[':part'].$put({
          param: { part },
          json: { picture, revision, ...(theme && { theme }) },
        }),
      ({ removed }) => {
        const parts = removed.slice(0, 5).join(', ');
        return removed.length === 0 ? t`${title} saved` : t`${title} saved without ${parts}`;
      },
    );
  }

  function labelOf(theme: 'dark' | 'light' | undefined): string {
    if (theme === undefined) return t`Upload: ${title}`;
    return theme === 'dark' ? t`Upload for the dark theme` : t`Upload for the light theme`;
  }

  return (
    <LookSectionOf part={part} title={title} help={help} facts={facts} now={now} save={save}>
      <div className="flex flex-wrap items-end gap-4">{children}</div>
      <div className="flex flex-wrap gap-2">
        {(themes ?? [undefined]).map((theme) => (
          <FileButton
            key={theme ?? ''}
            size="sm"
            fieldLabel={labelOf(theme)}
            accept={`image/png,image/jpeg,image/webp,image/avif${takesSvg ? ',image/svg+xml' : ''}`}
            busy={save.isBusy ? t`Saving…` : undefined}
            onFiles={([file]) => void send(file, theme)}
          >
            <Icon of={Upload} size={16} />
            {labelOf(theme)}
          </FileButton>
        ))}
      </div>
    </LookSectionOf>
  );
}

/** The whole look as one file. */
export function LookTransfer({ canUndo }: { canUndo: boolean }) {
  const [chosen, setChosen] = useState<File>();
  const look = useLookSave(0);
  const { isBusy, refuse, save } = look;

  async function importFile(file: File): Promise<void> {
    setChosen(undefined);
    if (file.size > maxLookFileBytes) return refuse(t`This file is larger than 12 MB. Nothing was imported.`);
    const json = { file: await file.text() };
    await save(
      () => api.admin.look.import.$post({ json }),
      () => t`Look imported`,
    );
  }

  return (
    <Part
      title={t`Export and import`}
      help={t`Everything on this page, the rails on Home and the texts of the site with their pictures, as one file. Prices are not in it.`}
    >
      <div className="field-list">
        <div className="flex flex-wrap gap-2">
          <Button size="sm" render={<a href="/admin/look/export" download aria-label={t`Export`} />}>
            <Icon of={Download} size={16} />
            <Trans>Export</Trans>
          </Button>
          <FileButton
            size="sm"
            fieldLabel={t`File of a look`}
            accept=".json,application/json"
            busy={isBusy ? t`Working…` : undefined}
            onFiles={([file]) => setChosen(file)}
          >
            <Icon of={Upload} size={16} />
            <Trans>Import</Trans>
          </FileButton>
          {canUndo && (
            <Button
              size="sm"
              variant="ghost"
              disabled={isBusy}
              onClick={() =>
                void save(
                  () => api.admin.look['undo-import'].$post(),
                  () => t`The previous look is restored`,
                )
              }
            >
              {t`Undo the last import`}
            </Button>
          )}
        </div>
        {chosen && (
          <section className="flex flex-wrap items-center gap-2" aria-label={t`Confirm the import`}>
            <p>{t`${{ file: chosen.name }} replaces the whole look. It can be undone until something is changed.`}</p>
            <Button size="sm" variant="primary" onClick={() => void importFile(chosen)}>
              {t`Replace the look`}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setChosen(undefined)}>
              {t`Cancel`}
            </Button>
          </section>
        )}
        <LookRefusal save={look} verb={t`Do it anyway`} />
      </div>
    </Part>
  );
}
