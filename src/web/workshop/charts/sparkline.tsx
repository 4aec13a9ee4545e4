import { type Values, areaPath, heightsOf, linePath } from './chart-paths.ts';

type SparklineProps = {
  /** Per day. */
  values: Values;
  /** The previous period, dashed. */
  before?: Values;
  /** A sentence. */
  label: string;
};

/** A small line chart without axes, from its smallest to its largest value. */
export function Sparkline({ values, before = [], label }: SparklineProps) {
  const height = heightsOf([values, before], { isFromZero: false });
  return (
    <svg className="spark" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={label}>
      <path className="fill-accent opacity-12" d={areaPath(values, height)} />
      {before.length > 0 && (
        <path
          className="fill-none stroke-control-line stroke-[1.5] [stroke-dasharray:4_4] [vector-effect:non-scaling-stroke]"
          d={linePath(before, height)}
        />
      )}
      <path className="chart-now" d={linePath(values, height)} />
    </svg>
  );
}
