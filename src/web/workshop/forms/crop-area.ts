import { type CoverArea, heightOf, minCropSize, maxCropSize } from '#domain/studio/rules.ts';

type Size = { width: number; height: number };

/** The crop moved by pixels, within the picture. @param ratio width to height, in all of these */
export function moved(area: CoverArea, picture: Size, by: { x: number; y: number }, ratio = 1): CoverArea {
  const within = (value: number, max: number) => Math.round(Math.min(Math.max(0, value), max));
  return {
    x: within(area.x + by.x, picture.width - area.size),
    y: within(area.y + by.y, picture.height - heightOf(area.size, ratio)),
    size: area.size,
  };
}

/** A different size around the same center, within the picture and the limits. */
export function sized(area: CoverArea, picture: Size, size: number, ratio = 1): CoverArea {
  const next = Math.round(Math.min(Math.max(minCropSize(picture, ratio), size), maxCropSize(picture, ratio)));
  const shift = (area.size - next) / 2;
  return moved({ ...area, size: next }, picture, { x: shift, y: shift / ratio }, ratio);
}

/** Percent; 100 shows the full shorter side. */
export function zoomOf(area: CoverArea, picture: Size, ratio = 1): number {
  return Math.round((maxCropSize(picture, ratio) / area.size) * 100);
}

/** The largest zoom at which the cover is still large enough. */
export function maxZoom(picture: Size, ratio = 1): number {
  return Math.round((maxCropSize(picture, ratio) / minCropSize(picture, ratio)) * 100);
}

/** @param zoom in percent */
export function sizedToZoom(area: CoverArea, picture: Size, zoom: number, ratio = 1): CoverArea {
  return sized(area, picture, maxCropSize(picture, ratio) / (zoom / 100), ratio);
}

/** In the order of the frame's handles. */
export const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export type Corner = (typeof corners)[number];

/** The crop after a corner was dragged by pixels; the opposite corner stays. */
export function pulled(
  area: CoverArea,
  picture: Size,
  corner: Corner,
  by: { x: number; y: number },
  ratio = 1,
): CoverArea {
  const isLeft = corner.endsWith('left');
  const isTop = corner.startsWith('top');
  const growth = ((isLeft ? -by.x : by.x) + (isTop ? -by.y : by.y) * ratio) / 2;
  const [right, bottom] = [area.x + area.size, area.y + heightOf(area.size, ratio)];
  const room = Math.min(isLeft ? right : picture.width - area.x, (isTop ? bottom : picture.height - area.y) * ratio);
  const size = Math.round(Math.min(Math.max(minCropSize(picture, ratio), area.size + growth), room));
  return { x: isLeft ? right - size : area.x, y: isTop ? bottom - heightOf(size, ratio) : area.y, size };
}
