import Upload from 'lucide-react/icons/upload';
import type { ReactNode } from 'react';
import { api } from '#web/api.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { FileChoice } from '#web/workshop/file-choice.tsx';
import type { PartFacts } from './look-section.tsx';
import { LookSectionOf, useLookSave } from './look-section.tsx';

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
    if (file.size > maxBytes) return save.refuse(`${file.name} is larger than 3 MB.`);
    const picture = await toBase64(file);
    await save.save(
      (revision) =>
        api.admin.look.pictures[':part'].$put({
          param: { part },
          json: { picture, revision, ...(theme && { theme }) },
        }),
      ({ removed }) =>
        removed.length === 0 ? `${title} saved` : `${title} saved without ${removed.slice(0, 5).join(', ')}`,
    );
  }

  const labelOf = (theme: string | undefined) =>
    theme === undefined ? `Upload: ${title.toLowerCase()}` : `Upload for the ${theme} theme`;

  return (
    <LookSectionOf part={part} title={title} help={help} facts={facts} now={now} save={save}>
      <div className="flex flex-wrap items-end gap-4">{children}</div>
      <div className="flex flex-wrap gap-2">
        {(themes ?? [undefined]).map((theme) => (
          <FileChoice
            key={theme ?? ''}
            label={labelOf(theme)}
            accept={`image/png,image/jpeg,image/webp,image/avif${takesSvg ? ',image/svg+xml' : ''}`}
            busy={save.isBusy ? 'Saving…' : undefined}
            onFile={(file) => void send(file, theme)}
          >
            <Icon of={Upload} size={16} />
            {labelOf(theme)}
          </FileChoice>
        ))}
      </div>
    </LookSectionOf>
  );
}

function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')));
    reader.readAsDataURL(blob);
  });
}
