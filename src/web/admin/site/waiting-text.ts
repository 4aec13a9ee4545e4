import { maxWaiting } from '#domain/admin/rules.ts';
import { countOf, formatCount } from '#formats/numbers.ts';

/** `12 mails`, `Over 1,000 mails`; without a name only the number. */
export function waitingText(count: number, one?: string, many?: string): string {
  const isOver = count > maxWaiting;
  const shown = Math.min(count, maxWaiting);
  return `${isOver ? 'Over ' : ''}${one === undefined ? formatCount(shown) : countOf(shown, one, many)}`;
}
