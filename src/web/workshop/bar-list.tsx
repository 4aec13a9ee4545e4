export type Bar = {
  label: string;
  /** Share of the whole, 0 to 1; null where it is not told. */
  share: number | null;
  text: string;
  /** The sum of the items that have no bar of their own. */
  isRest?: boolean;
};

/** Shares of a whole as bars, the largest over the whole width. */
export function BarList({ bars }: { bars: Bar[] }) {
  const largest = Math.max(...bars.map(({ share }) => share ?? 0));
  return (
    <ul className="hbars tabular-nums">
      {bars.map(({ label, share, text, isRest = false }) => (
        <li className="hb" key={label}>
          <span>{label}</span>
          <span className="bw" aria-hidden="true">
            {share !== null && largest > 0 && (
              <i data-rest={isRest || undefined} style={{ width: `${(share / largest) * 100}%` }} />
            )}
          </span>
          <span className="r">{text}</span>
          <span className="r text-muted">
            {share === null ? '' : share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`}
          </span>
        </li>
      ))}
    </ul>
  );
}
