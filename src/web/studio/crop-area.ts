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
