/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- a frame that is moved with keys has no element of its own; a group with a name says how */
import ImageIcon from 'lucide-react/icons/image';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { mostCut } from '#domain/studio/rules.ts';
import type { CoverArea } from '#domain/studio/rules.ts';
import { Icon } from '../ui/icon.tsx';
import { Slider } from '../ui/slider.tsx';
import { mostZoom, moved, sized, zoomOf } from './crop-area.ts';

type CropProps = {
  source: { imageUrl: string; width: number; height: number };
  area: CoverArea;
  /** Width to height; default: a square. */
  ratio?: number;
  /** A moment after the last change. */
  onArea: (area: CoverArea) => void;
};

/** Milliseconds after the last movement. */
const settleMs = 700;

/** Chooses the part of a picture that is shown: by pointer, keys and zoom. */
export function Crop({ source, area: saved, ratio = 1, onArea }: CropProps) {
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
  const zoom = zoomOf(area, source, ratio);
  const most = mostZoom(source, ratio);

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    const box = frame.current?.parentElement?.getBoundingClientRect();
    if (grip.current === undefined || box === undefined) return;
    const scale = source.width / box.width;
    const { x, y, area: from } = grip.current;
    setArea(moved(from, source, { x: (event.clientX - x) * scale, y: (event.clientY - y) * scale }, ratio));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = Math.max(1, Math.round(source.width / (event.shiftKey ? 20 : 100)));
    const steps: Record<string, CoverArea | undefined> = {
      ArrowLeft: moved(area, source, { x: -step, y: 0 }, ratio),
      ArrowRight: moved(area, source, { x: step, y: 0 }, ratio),
      ArrowUp: moved(area, source, { x: 0, y: -step }, ratio),
      ArrowDown: moved(area, source, { x: 0, y: step }, ratio),
      '+': sized(area, source, area.size + step, ratio),
      '=': sized(area, source, area.size + step, ratio),
      '-': sized(area, source, area.size - step, ratio),
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
            ...(ratio !== 1 && { aspectRatio: ratio }),
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
            onScrub={(value) => setArea(sized(area, source, mostCut(source, ratio) / ((value + 100) / 100), ratio))}
            onScrubEnd={(value) => setArea(sized(area, source, mostCut(source, ratio) / ((value + 100) / 100), ratio))}
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
