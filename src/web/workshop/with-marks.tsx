import type { ReactNode } from 'react';

/** A text with parts of it marked. @param marks in UTF-16 units, in order */
export function withMarks(text: string, marks: [from: number, to: number][]): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    parts.push(
      text.slice(at, from),
      <mark key={from} className="rounded-tag bg-accent-soft px-0.5 text-accent-text">
        {text.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  return [...parts, text.slice(at)];
}
