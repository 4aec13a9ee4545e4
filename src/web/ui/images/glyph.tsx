/** Lines that converge, like a musical decrescendo: logo, hero, empty states. Decorative. */
export function Glyph({ className = 'glyph' }: { className?: string }) {
  return (
    <svg
      className={className}
      viewBox="0 0 120 72"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {lines(9).map((offset) => {
        const distance = Math.abs(offset - 4) / 4;
        const y = 6 + 7.5 * offset;
        return (
          <path
            key={offset}
            d={`M8 ${y}C50 ${10 + 6.5 * offset} 80 ${30 + 1.5 * offset} 112 36`}
            strokeWidth={1.6 - 0.5 * distance}
            opacity={1 - 0.55 * distance}
          />
        );
      })}
      <circle cx="112" cy="36" r="3.5" fill="currentColor" stroke="none" />
    </svg>
  );
}

/** The same mark, opening toward the right edge of a user playlist’s cover. */
export function CoverGlyph() {
  return (
    <svg className="user-playlist__glyph" viewBox="0 0 120 120" fill="none" stroke="#fff" aria-hidden="true">
      {lines(11).map((offset) => (
        <path
          key={offset}
          d={`M128 ${round(2 + 11.6 * offset)}C92 ${round(6 + 10.8 * offset)} 60 ${round(52 + 1.6 * offset)} 18 60`}
          strokeWidth="0.9"
        />
      ))}
      <circle cx="18" cy="60" r="2.4" fill="#fff" stroke="none" />
    </svg>
  );
}

function lines(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
