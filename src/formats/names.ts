import { formatCount } from './numbers.ts';

/** `Maren Holt, Idris Vale, Wren Ashby and 1 more`. @param total number of names, when `names` is incomplete */
export function formatNames(names: string[], total: number = names.length, shown = 3): string {
  const listed = names.slice(0, shown);
  const more = Math.max(total, names.length) - listed.length;
  if (more > 0) return `${listed.join(', ')} and ${formatCount(more)} more`;
  if (listed.length < 2) return listed.join('');
  return `${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}
