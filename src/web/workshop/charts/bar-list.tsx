import { formatPercent } from '#formats/decimals.ts';

export type Bar = {
  label: string;
  /** Share of the whole, 0 to 1; null when not shown. */
  share: number | null;
  text: string;
  /** Total of the items without a bar. */
  isRest?: boolean;
};

/** Shares of a whole as bars; the largest fills the width. */
export function BarList({ bars }: { bars: Bar[] }) {
  const largest = Math.max(...bars.map(({ share }) => share ?? 0));
  return (
    <ul className="grid text-14 tabular-nums">
      {bars.map(({ label, share, text, isRest = false }) => (
        <li
          className="grid grid-cols-[112px_minmax(0,1fr)_56px_44px] gap-x-4 items-center min-h-9.5 max-md:grid-cols-[minmax(0,1fr)_auto_44px] max-md:py-1.5 max-md:px-0"
          key={label}
        >
          <span>{label}</span>
          <span className="max-md:col-span-full max-md:row-[2] max-md:mt-1" aria-hidden="true">
            {share !== null && largest > 0 && (
              <i
                className="block h-2 rounded-[4px] bg-accent min-w-0.5 data-rest:bg-control-line forced-colors:[forced-color-adjust:none]"
                data-rest={isRest || undefined}
                style={{ width: `${(share / largest) * 100}%` }}
              />
            )}
          </span>
          <span className="number">{text}</span>
          <span className="number text-muted">
            {share === null ? '' : share < 0.005 ? `<${formatPercent(1)}` : formatPercent(share * 100)}
          </span>
        </li>
      ))}
    </ul>
  );
}
