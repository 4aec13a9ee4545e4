import { t } from '@lingui/core/macro';
import type { CueDoubt } from '#domain/catalogue/rules.ts';

type Certainty = CueDoubt | 'sure';

const levels: Record<Certainty, { bars: number; color: string; text: () => string }> = {
  sure: { bars: 3, color: 'text-success', text: () => t({ message: 'Sure', context: 'of the times of a line' }) },
  check: { bars: 2, color: 'text-accent-text', text: () => t({ message: 'Check', context: 'of the times of a line' }) },
  unsure: { bars: 1, color: 'text-danger', text: () => t({ message: 'Unsure', context: 'of the times of a line' }) },
};

/** How sure the times of a line are, as bars and as a word. */
export function CertaintyMark({ of, className = '' }: { of: Certainty; className?: string }) {
  const { bars, color, text } = levels[of];
  return (
    <span className={`inline-flex items-center gap-1.5 text-13 ${color} ${className}`}>
      <svg viewBox="0 0 12 12" className="size-3 shrink-0 fill-current" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={bar * 4.5}
            y={8 - 4 * bar}
            width="3"
            height={4 + 4 * bar}
            rx="1"
            opacity={bar < bars ? 1 : 0.25}
          />
        ))}
      </svg>
      {text()}
    </span>
  );
}
