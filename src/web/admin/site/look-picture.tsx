import Upload from 'lucide-react/icons/upload';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import type { PartFacts } from './look-section.tsx';
import { LookSectionOf } from './look-section.tsx';
import type { LookSave } from './use-look-save.ts';
import { useLookSave } from './use-look-save.ts';

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
        answerOf(
          api.admin.look.pictures[':part'].$put({
            param: { part },
            json: { picture, revision, ...(theme && { theme }) },
          }),
        ),
      ({ removed }) =>
        removed.length === 0 ? `${title} saved` : `${title} saved without ${removed.slice(0, 5).join(', ')}`,
    );
  }

  return (
    <LookSectionOf part={part} title={title} help={help} facts={facts} now={now} save={save}>
      <div className="flex flex-wrap items-end gap-4">{children}</div>
      <div className="flex flex-wrap gap-2">
        {(themes ?? [undefined]).map((theme) => (
          <FileChoice
            key={theme ?? ''}
            label={theme === undefined ? `Upload: ${title.toLowerCase()}` : `Upload for the ${theme} theme`}
            takesSvg={takesSvg}
            save={save}
            onFile={(file) => void send(file, theme)}
          />
        ))}
      </div>
    </LookSectionOf>
  );
}

type FileChoiceProps = { label: string; takesSvg: boolean; save: LookSave; onFile: (file: File) => void };

function FileChoice({ label, takesSvg, save, onFile }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" busy={save.isBusy ? 'Saving…' : undefined} onClick={() => input.current?.click()}>
        <Icon of={Upload} size={16} />
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={`image/png,image/jpeg,image/webp,image/avif${takesSvg ? ',image/svg+xml' : ''}`}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          currentTarget.value = '';
        }}
      />
    </>
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
