/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- a frame that is moved with keys has no element of its own; a group with a name says how */
import { t } from '@lingui/core/macro';
import ImageIcon from 'lucide-react/icons/image';
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CoverArea } from '#domain/studio/rules.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { Slider } from '../../ui/fields/slider.tsx';
import { type Corner, corners, maxZoom, moved, pulled, sized, sizedToZoom, zoomOf } from './crop-area.ts';
import { imageAddress } from '../../ui/images/image-address.ts';

type CropProps = {
  /** Address of the whole picture; the file may be smaller than `size`. */
  src: string;
  /** Size of the whole picture, in pixels. */
  size: { width: number; height: number };
  area: CoverArea;
  /** At each movement. */
  onArea: (area: CoverArea) => void;
  /** Width to height; default: a square. */
  ratio?: number;
  takesFocus?: boolean;
};

/** Crops a picture: by pointer on the frame or its corners, by keys, or with the zoom. */
export function Crop({ src, size, area, onArea, ratio = 1, takesFocus = false }: CropProps) {
  const grip = useRef<{ x: number; y: number; area: CoverArea; corner: Corner | undefined }>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) frame.current?.focus();
  }, [takesFocus]);

  const percent = (value: number, whole: number) => `${(value / whole) * 100}%`;
  const max = maxZoom(size, ratio);

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    const corner = corners.find((one) => one === (event.target as HTMLElement).dataset['corner']);
    grip.current = { x: event.clientX, y: event.clientY, area, corner };
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    const box = frame.current?.parentElement?.getBoundingClientRect();
    if (grip.current === undefined || box === undefined) return;
    const scale = size.width / box.width;
    const { x, y, area: from, corner } = grip.current;
    const by = { x: (event.clientX - x) * scale, y: (event.clientY - y) * scale };
    onArea(corner === undefined ? moved(from, size, by, ratio) : pulled(from, size, corner, by, ratio));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = Math.max(1, Math.round(size.width / (event.shiftKey ? 20 : 100)));
    const steps: Record<string, CoverArea | undefined> = {
      ArrowLeft: moved(area, size, { x: -step, y: 0 }, ratio),
      ArrowRight: moved(area, size, { x: step, y: 0 }, ratio),
      ArrowUp: moved(area, size, { x: 0, y: -step }, ratio),
      ArrowDown: moved(area, size, { x: 0, y: step }, ratio),
      '+': sized(area, size, area.size + step, ratio),
      '=': sized(area, size, area.size + step, ratio),
      '-': sized(area, size, area.size - step, ratio),
    };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onArea(next);
  }

  return (
    <>
      <div className="crop" style={{ aspectRatio: `${size.width} / ${size.height}` }}>
        <img src={src} alt={t`Uploaded, with the crop over it`} draggable={false} />
        <div
          ref={frame}
          className="crop__frame"
          tabIndex={0}
          role="group"
          aria-label={t`Crop. Arrow keys move it, plus and minus size it.`}
          data-crop=""
          style={{
            left: percent(area.x, size.width),
            top: percent(area.y, size.height),
            width: percent(area.size, size.width),
            ...(ratio !== 1 && { aspectRatio: ratio }),
          }}
          onKeyDown={onKeyDown}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={() => (grip.current = undefined)}
          onPointerCancel={() => (grip.current = undefined)}
        >
          {corners.map((corner) => (
            <i
              key={corner}
              className="absolute size-3.5 cursor-nesw-resize rounded-full bg-[#fff3ea] after:absolute after:-inset-3 first:cursor-nwse-resize last:cursor-nwse-resize odd:-left-1.5 even:-right-1.5 nth-[-n+2]:-top-1.5 nth-[n+3]:-bottom-1.5"
              data-corner={corner}
            />
          ))}
        </div>
      </div>
      {max > 100 && (
        <div className="mt-3 grid grid-cols-[auto_1fr_auto] items-center gap-3 text-muted">
          <Icon of={ImageIcon} size={16} />
          <Slider
            label={t`Zoom`}
            value={zoomOf(area, size, ratio) - 100}
            max={max - 100}
            step={2}
            valueText={(value) => {
              const percent = Math.round(value) + 100;
              return t`${percent} percent`;
            }}
            onScrub={(value) => onArea(sizedToZoom(area, size, value + 100, ratio))}
            onScrubEnd={(value) => onArea(sizedToZoom(area, size, value + 100, ratio))}
          />
          <Icon of={ImageIcon} />
        </div>
      )}
    </>
  );
}

/** Announcement for screen readers after a movement. */
export function areaText({ x, y, size }: CoverArea): string {
  return t`${size} pixels wide, ${x} from the left, ${y} from the top`;
}

type SavedCropProps = {
  source: { imageUrl: string; width: number; height: number };
  area: CoverArea;
  /** Width to height; default: a square. */
  ratio?: number;
  /** Called shortly after the last change. */
  onArea: (area: CoverArea) => void;
};

/** Milliseconds after the last movement. */
const settleMs = 700;

/** The crop of a stored picture, for pages that save automatically. */
export function SavedCrop({ source, area: saved, ratio = 1, onArea }: SavedCropProps) {
  const [area, setArea] = useState(saved);
  const onSettled = useEffectEvent(() => onArea(area));
  const isSaved = area.x === saved.x && area.y === saved.y && area.size === saved.size;
  useEffect(() => {
    if (isSaved) return;
    const timer = setTimeout(onSettled, settleMs);
    return () => clearTimeout(timer);
  }, [area.x, area.y, area.size, isSaved]);
  const src = imageAddress(source.imageUrl, 'webp', 768);
  return (
    <>
      <Crop src={src} size={source} area={area} ratio={ratio} onArea={setArea} />
      <output className="sr-only">{isSaved ? '' : areaText(area)}</output>
    </>
  );
}
