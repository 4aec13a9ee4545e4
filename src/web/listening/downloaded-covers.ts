/**
 * Shows stored covers where the site's cannot be loaded: pictures bypass the service worker, which would slow them
 * down. Only attributes change, because React owns the elements.
 * @param coverOf local address of a cover, by its path on the site
 */
export function showDownloadedCovers(coverOf: (path: string) => string | undefined): void {
  function show(image: HTMLImageElement): void {
    const kept = coverOf(new URL(image.src, location.href).pathname);
    if (kept === undefined) return;
    for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.srcset = kept;
    image.src = kept;
  }
  // `error` events of elements do not bubble.
  document.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && show(target), true);
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) show(image);
}
