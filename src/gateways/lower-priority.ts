import { getPriority, setPriority } from 'node:os';

/** Only root may raise it again, so a site that was itself started with a low priority keeps that. @param niceness up to 19 */
export function lowerPriority(niceness: number): void {
  if (getPriority() < niceness) setPriority(niceness);
}
