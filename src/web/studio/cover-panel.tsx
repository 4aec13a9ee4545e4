import RefreshCw from 'lucide-react/icons/refresh-cw';
import Upload from 'lucide-react/icons/upload';
import { useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Cover } from '../ui/cover.tsx';
import { FieldError } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import type { CoverWish, EditorSnapshot } from './audio-editor.ts';
import { SavedCrop } from '../workshop/crop.tsx';
import { readPicture } from './picture-file.ts';

type CoverPanelProps = {
  title: string;
  cover: EditorSnapshot['cover'];
  /** @returns why it was not done */
  onWish: (wish: CoverWish) => Promise<string | undefined>;
};

/** The picture of an audio: a square cut out of a whole one, or one that the site draws. */
export function CoverPanel({ title, cover, onWish }: CoverPanelProps) {
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<string>();

  async function act(doing: string, wish: CoverWish): Promise<void> {
    setBusy(doing);
    setError(undefined);
    setError(await onWish(wish));
    setBusy(undefined);
  }

  async function upload(chosen: File | undefined): Promise<void> {
    if (chosen === undefined) return;
    setBusy('Reading');
    const picture = await readPicture(chosen).catch(() => undefined);
    if (picture === undefined || picture === '') {
      setBusy(undefined);
      setError(`${chosen.name} is empty, or too large to send.`);
      return;
    }
    await act('Uploading', { picture });
  }

  const { source, area } = cover;
  return (
    <section className="pn" aria-label="Cover">
      <div className="pn__h">
        <h3>Cover</h3>
        {source !== null && (
          <span className="t13 text-muted tabular-nums">
            {source.width} × {source.height}
          </span>
        )}
      </div>
      {source !== null && area !== null ? (
        <SavedCrop
          key={source.imageUrl}
          source={source}
          area={area}
          onArea={(next) => void act('Cutting', { area: next })}
        />
      ) : (
        <Cover imageUrl={cover.imageUrl} alt={`Cover of ${title}`} width={320} />
      )}
      <div className="mt-3 flex gap-2">
        <Button size="sm" className="flex-1" busy={busy} onClick={() => file.current?.click()}>
          <Icon of={Upload} size={16} />
          Upload
        </Button>
        <Button
          size="sm"
          className="flex-1"
          disabled={busy !== undefined}
          onClick={() => void act('Drawing', { drawn: true })}
        >
          <Icon of={RefreshCw} size={16} />
          Draw one
        </Button>
      </div>
      <input
        ref={file}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif,image/tiff"
        hidden
        aria-label="Picture file"
        onChange={({ currentTarget }) => {
          void upload(currentTarget.files?.[0]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <p className="hint mt-2.5">Podcast apps need 1,400 × 1,400 pixels.</p>
      {error !== undefined && <FieldError>{error}</FieldError>}
    </section>
  );
}
