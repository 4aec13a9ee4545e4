import Upload from 'lucide-react/icons/upload';
import { useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Cover } from '../ui/cover.tsx';
import { FieldError } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ChosenPicture } from '../workshop/read-picture.ts';
import { readPicture } from '../workshop/read-picture.ts';

type PictureFieldProps = {
  /** What it is, such as `portrait`. */
  name: string;
  imageUrl: string | null;
  /** How listeners see it cut, from the middle. */
  shapes: ('square' | 'arch')[];
  /** @returns the message, where it is refused */
  onChoose: (picture: ChosenPicture | null) => Promise<string | undefined>;
};

/** Shows a picture as listeners see it, and takes a new one from a file. */
export function PictureField({ name, imageUrl, shapes, onChoose }: PictureFieldProps) {
  const file = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState<ChosenPicture>();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function save(picture: ChosenPicture | null): Promise<void> {
    setFailure(undefined);
    setIsBusy(true);
    setSent(picture ?? undefined);
    setFailure(await onChoose(picture));
    setSent(undefined);
    setIsBusy(false);
  }

  async function choose(chosen: File | undefined): Promise<void> {
    if (chosen === undefined) return;
    const picture = await readPicture(chosen);
    if (picture === undefined)
      setFailure(`${chosen.name} is no picture that can be read. Use JPEG, PNG, WebP or AVIF.`);
    else await save(picture);
  }

  return (
    <div>
      <div className="flex flex-wrap items-end gap-4" aria-busy={isBusy}>
        {shapes.map((shape) => (
          <div key={shape} className="w-36">
            {sent === undefined ? (
              <Cover
                imageUrl={imageUrl}
                shape={shape}
                width={144}
                alt={imageUrl === null ? undefined : `The ${name}`}
              />
            ) : (
              <div className={shape === 'arch' ? 'cov cov--arch' : 'cov'}>
                <img src={sent.preview} alt={`The new ${name}`} />
              </div>
            )}
          </div>
        ))}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="sm" busy={isBusy ? 'Saving…' : undefined} onClick={() => file.current?.click()}>
          <Icon of={Upload} size={16} />
          {imageUrl === null ? `Upload a ${name}` : `Replace the ${name}`}
        </Button>
        {imageUrl !== null && !isBusy && (
          <Button size="sm" variant="ghost" onClick={() => void save(null)}>
            Remove
          </Button>
        )}
      </div>
      <input
        ref={file}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        hidden
        aria-label={`File of the ${name}`}
        onChange={({ currentTarget }) => {
          void choose(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      {failure !== undefined && <FieldError>{failure}</FieldError>}
    </div>
  );
}
