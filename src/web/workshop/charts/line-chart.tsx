import { type ReactNode, useId } from 'react';
import { formatCount } from '#formats/numbers.ts';
import { type Values, areaPath, axisOf, heightInPlot, linePath, placeOf } from './chart-paths.ts';
import { PlotTip, PointSlider } from './point-slider.tsx';

type LineChartProps = {
  title: string;
  /** Legend of the solid and the dashed line. */
  keys: { now: string; before?: string };
  values: Values;
  before?: Values;
  /** Below the chart, evenly spread. */
  marks: string[];
  /** A sentence that describes the chart. */
  summary: string;
  /** Value and time of a point, for the tooltip and screen readers. */
  describe: (index: number) => { figure: string; when: string };
  /** The values as a table. */
  children?: ReactNode;
};

/** A line over time, and a dashed one for the previous period. Arrow keys or the pointer select a point. */
export function LineChart({ title, keys, values, before = [], marks, summary, describe, children }: LineChartProps) {
  const heading = useId();
  const { height, marks: levels } = axisOf([values, before]);
  return (
    <figure className="mt-5 mx-0 mb-0 pane" aria-labelledby={heading}>
      <div className="chart__head">
        <h2 className="pane-title" id={heading}>
          {title}
        </h2>
        <span className="key">
          <i />
          {keys.now}
        </span>
        {keys.before !== undefined && (
          <span className="key ">
            <i className="border-t-2 border-dashed border-control-line" />
            {keys.before}
          </span>
        )}
      </div>
      <div className="plot">
        <svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={summary}>
          {levels.map((level) => (
            <line
              key={level}
              className="stroke-line stroke-1 [vector-effect:non-scaling-stroke]"
              x1="0"
              x2="1000"
              y1={height(level)}
              y2={height(level)}
            />
          ))}
          <path className="fill-accent opacity-12" d={areaPath(values, height)} />
          {before.length > 0 && (
            <path
              className="fill-none stroke-control-line stroke-[1.5] [stroke-dasharray:4_4] [vector-effect:non-scaling-stroke]"
              d={linePath(before, height)}
            />
          )}
          <path className="chart-now" d={linePath(values, height)} />
        </svg>
        {levels.map((level) => (
          <span
            key={level}
            className="absolute end-full me-2.5 text-12 text-muted tabular-nums whitespace-nowrap -translate-y-1/2"
            aria-hidden="true"
            style={{ top: heightInPlot(height(level)) }}
          >
            {formatCount(level)}
          </span>
        ))}
        <PointSlider label={title} count={values.length} describe={describe}>
          {(index) => {
            const across = placeOf(index, values.length);
            const style = { left: `${across * 100}%`, top: heightInPlot(height(values[index] ?? 0)) };
            return (
              <>
                <span
                  className="absolute size-2.75 rounded-full bg-accent [box-shadow:0_0_0_3px_var(--surface)] [transform:translate(-50%,-50%)]"
                  aria-hidden="true"
                  style={style}
                />
                <PlotTip across={across} top={style.top} {...describe(index)} />
              </>
            );
          }}
        </PointSlider>
        <div className="flex justify-between text-12 text-muted tabular-nums mt-2" aria-hidden="true">
          {marks.map((mark) => (
            <span className="max-md:[&:not(:first-child)]:[&:not(:last-child)]:hidden" key={mark}>
              {mark}
            </span>
          ))}
        </div>
      </div>
      {children}
    </figure>
  );
}
