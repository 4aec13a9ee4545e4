/** `checkVisibility`, which Safari has only since 17.4. */
export function isRendered(element: Element): boolean {
  return element.getClientRects().length > 0;
}
