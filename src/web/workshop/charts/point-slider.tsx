import { type PointerEvent, type ReactNode, useState } from 'react';
import { useHydrated } from '../../ui/use-client-value.ts';

type PointSliderProps = {
  /** Name of the chart. */
  label: string;
  count: number;
  describe: (index: number) => { figure: string; when: string };
  /** Points lie at the start of their step instead of on a position. */
  isSteps?: boolean;
  /** Rendered over the selected point while hovered or focused. */
  children: (index: number) => ReactNode;
};

/**
 * An invisible slider over a chart: arrow keys or the pointer select its points, which are announced. Needs script,
 * unlike the table below the chart.
 */
export function PointSlider({ label, count, describe, isSteps = false, children }: PointSliderProps) {
  const isHydrated = useHydrated();
  const [chosen, setChosen] = useState<number>();
  const [isShown, setIsShown] = useState(false);
  if (!isHydrated || count === 0) return null;
  // Another period may have fewer points.
  const at = Math.min(chosen ?? (isSteps ? 0 : count - 1), count - 1);
  const { figure, when } = describe(at);

  function choose(index: number) {
    setChosen(Math.min(count - 1, Math.max(0, index)));
    setIsShown(true);
  }

  function point(event: PointerEvent) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = width === 0 ? 0 : (event.clientX - left) / width;
    choose(isSteps ? Math.floor(place * count) : Math.round(place * (count - 1)));
  }

  return (
    <>
      {isShown && children(at)}
      <input
        className="plot__over"
        type="range"
        min={1}
        max={count}
        value={at + 1}
        aria-label={label}
        aria-valuetext={`${when}: ${figure}`}
        onChange={(event) => choose(event.currentTarget.valueAsNumber - 1)}
        onFocus={() => setIsShown(true)}
        onBlur={() => setIsShown(false)}
        onPointerMove={point}
        onPointerLeave={(event) => setIsShown(event.currentTarget === document.activeElement)}
      />
    </>
  );
}

type PlotTipProps = {
  /** From 0 to 1; near the edges the tip stays inside. */
  across: number;
  top: string;
  figure: string;
  when: string;
};

export function PlotTip({ across, top, figure, when }: PlotTipProps) {
  const edge = across < 0.2 ? 'start' : across > 0.8 ? 'end' : undefined;
  return (
    <span className="plot__tip" aria-hidden="true" data-at={edge} style={{ left: `${across * 100}%`, top }}>
      <b>{figure}</b>
      {when}
    </span>
  );
}
