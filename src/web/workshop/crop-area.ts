import type { CoverArea } from '#domain/studio/rules.ts';
import { heightOf, leastCut, mostCut } from '#domain/studio/rules.ts';

type Size = { width: number; height: number };

/** The part moved by pixels, within the picture. @param ratio width to height, in all of these */
export function moved(area: CoverArea, picture: Size, by: { x: number; y: number }, ratio = 1): CoverArea {
  const within = (value: number, most: number) => Math.round(Math.min(Math.max(0, value), most));
  return {
    x: within(area.x + by.x, picture.width - area.size),
    y: within(area.y + by.y, picture.height - heightOf(area.size, ratio)),
    size: area.size,
  };
}

/** Another size around the same middle, within the picture and its limits. */
export function sized(area: CoverArea, picture: Size, size: number, ratio = 1): CoverArea {
  const next = Math.round(Math.min(Math.max(leastCut(picture, ratio), size), mostCut(picture, ratio)));
  const shift = (area.size - next) / 2;
  return moved({ ...area, size: next }, picture, { x: shift, y: shift / ratio }, ratio);
}

/** Percent; 100 shows the whole of the shorter side. */
export function zoomOf(area: CoverArea, picture: Size, ratio = 1): number {
  return Math.round((mostCut(picture, ratio) / area.size) * 100);
}

/** The largest zoom, so that the cover stays large enough. */
export function mostZoom(picture: Size, ratio = 1): number {
  return Math.round((mostCut(picture, ratio) / leastCut(picture, ratio)) * 100);
}
