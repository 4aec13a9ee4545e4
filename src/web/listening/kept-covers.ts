/**
 * Shows the covers on this device where the site's cannot be loaded: pictures are asked for without the service worker,
 * which would only slow them down. Only attributes change, since React owns the elements.
 * @param coverOf address of the cover on this device, by its path at the site
 */
export function showKeptCovers(coverOf: (path: string) => string | undefined): void {
  function show(image: HTMLImageElement): void {
    const kept = coverOf(new URL(image.src, location.href).pathname);
    if (kept === undefined) return;
    for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.srcset = kept;
    image.src = kept;
  }
  // Errors of elements do not bubble.
  document.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && show(target), true);
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) show(image);
}
