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
