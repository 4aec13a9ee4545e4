import type { CoverArea } from '#domain/studio/rules.ts';
import { leastCut } from '#domain/studio/rules.ts';

type Size = { width: number; height: number };

/** The square moved by pixels, within the picture. */
export function moved(area: CoverArea, picture: Size, by: { x: number; y: number }): CoverArea {
  const within = (value: number, most: number) => Math.round(Math.min(Math.max(0, value), most));
  return {
    x: within(area.x + by.x, picture.width - area.size),
    y: within(area.y + by.y, picture.height - area.size),
    size: area.size,
  };
}

/** Another size around the same middle, within the picture and its limits. */
export function sized(area: CoverArea, picture: Size, size: number): CoverArea {
  const next = Math.round(Math.min(Math.max(leastCut(picture), size), Math.min(picture.width, picture.height)));
  const shift = (area.size - next) / 2;
  return moved({ ...area, size: next }, picture, { x: shift, y: shift });
}

/** Percent; 100 shows the whole of the shorter side. */
export function zoomOf(area: CoverArea, picture: Size): number {
  return Math.round((Math.min(picture.width, picture.height) / area.size) * 100);
}

/** The largest zoom, so that the cover stays large enough. */
export function mostZoom(picture: Size): number {
  return Math.round((Math.min(picture.width, picture.height) / leastCut(picture)) * 100);
}

/** @param zoom in percent */
export function sizedToZoom(area: CoverArea, picture: Size, zoom: number): CoverArea {
  return sized(area, picture, Math.min(picture.width, picture.height) / (zoom / 100));
}

/** In the order in which the frame's handles are drawn. */
export const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export type Corner = (typeof corners)[number];

/** The square after one of its corners was pulled by pixels; the opposite corner stays. */
export function pulled(area: CoverArea, picture: Size, corner: Corner, by: { x: number; y: number }): CoverArea {
  const isLeft = corner.endsWith('left');
  const isTop = corner.startsWith('top');
  const growth = ((isLeft ? -by.x : by.x) + (isTop ? -by.y : by.y)) / 2;
  const [right, bottom] = [area.x + area.size, area.y + area.size];
  const room = Math.min(isLeft ? right : picture.width - area.x, isTop ? bottom : picture.height - area.y);
  const size = Math.round(Math.min(Math.max(leastCut(picture), area.size + growth), room));
  return { x: isLeft ? right - size : area.x, y: isTop ? bottom - size : area.y, size };
}
