/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- a frame that is moved with keys has no element of its own; a group with a name says how */
import ImageIcon from 'lucide-react/icons/image';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Upload from 'lucide-react/icons/upload';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import type { CoverArea } from '#domain/studio/rules.ts';
import { Button } from '../ui/button.tsx';
import { Cover } from '../ui/cover.tsx';
import { FieldError } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Slider } from '../ui/slider.tsx';
import type { CoverWish, EditorSnapshot } from './audio-editor.ts';
import { mostZoom, moved, sized, zoomOf } from './crop-area.ts';
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
        <Crop
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

type CropProps = {
  source: { imageUrl: string; width: number; height: number };
  area: CoverArea;
  /** A moment after the last change. */
  onArea: (area: CoverArea) => void;
};

/** Milliseconds after the last movement. */
const settleMs = 700;

function Crop({ source, area: saved, onArea }: CropProps) {
  const [area, setArea] = useState(saved);
  const grip = useRef<{ x: number; y: number; area: CoverArea }>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const onSettled = useEffectEvent(() => onArea(area));
  const isSaved = area.x === saved.x && area.y === saved.y && area.size === saved.size;
  useEffect(() => {
    if (isSaved) return;
    const timer = setTimeout(onSettled, settleMs);
    return () => clearTimeout(timer);
  }, [area.x, area.y, area.size, isSaved]);

  const percent = (value: number, whole: number) => `${(value / whole) * 100}%`;
  const zoom = zoomOf(area, source);
  const most = mostZoom(source);

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    const box = frame.current?.parentElement?.getBoundingClientRect();
    if (grip.current === undefined || box === undefined) return;
    const scale = source.width / box.width;
    const { x, y, area: from } = grip.current;
    setArea(moved(from, source, { x: (event.clientX - x) * scale, y: (event.clientY - y) * scale }));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = Math.max(1, Math.round(source.width / (event.shiftKey ? 20 : 100)));
    const steps: Record<string, CoverArea | undefined> = {
      ArrowLeft: moved(area, source, { x: -step, y: 0 }),
      ArrowRight: moved(area, source, { x: step, y: 0 }),
      ArrowUp: moved(area, source, { x: 0, y: -step }),
      ArrowDown: moved(area, source, { x: 0, y: step }),
      '+': sized(area, source, area.size + step),
      '=': sized(area, source, area.size + step),
      '-': sized(area, source, area.size - step),
    };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setArea(next);
  }

  return (
    <>
      <div className="crop" style={{ aspectRatio: `${source.width} / ${source.height}` }}>
        <img
          src={`${source.imageUrl}?width=768&quality=80&format=webp`}
          alt="Uploaded, with the crop over it"
          draggable={false}
        />
        <div
          ref={frame}
          className="crop__f"
          tabIndex={0}
          role="group"
          aria-label="Crop. Arrow keys move it, plus and minus size it."
          data-crop=""
          style={{
            left: percent(area.x, source.width),
            top: percent(area.y, source.height),
            width: percent(area.size, source.width),
          }}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            grip.current = { x: event.clientX, y: event.clientY, area };
          }}
          onPointerMove={onPointerMove}
          onPointerUp={() => (grip.current = undefined)}
          onPointerCancel={() => (grip.current = undefined)}
        >
          <i />
          <i />
          <i />
          <i />
        </div>
      </div>
      {most > 100 && (
        <div className="mt-3 grid grid-cols-[auto_1fr_auto] items-center gap-3 text-muted">
          <Icon of={ImageIcon} size={16} />
          <Slider
            label="Zoom"
            value={zoom - 100}
            max={most - 100}
            step={2}
            valueText={(value) => `${Math.round(value) + 100} percent`}
            onScrub={(value) => setArea(sized(area, source, shortSide(source) / ((value + 100) / 100)))}
            onScrubEnd={(value) => setArea(sized(area, source, shortSide(source) / ((value + 100) / 100)))}
          />
          <Icon of={ImageIcon} />
        </div>
      )}
      <output className="sr-only">
        {isSaved ? '' : `${area.size} pixels wide, ${area.x} from the left, ${area.y} from the top`}
      </output>
    </>
  );
}

function shortSide({ width, height }: { width: number; height: number }): number {
  return Math.min(width, height);
}
