/** `21:06` on the clock of this browser, as fields for times hold it. @param at milliseconds since 1970 */
export function localClock(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}
