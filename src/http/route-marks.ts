import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import { findTargetHandler } from 'hono/utils/handler';

/**
 * Properties of the matched route, for middleware that runs before the route's own.
 * @param marks by the route's own middleware
 */
export function findMark<Mark>(context: Context, marks: WeakMap<object, Mark>): Mark | undefined {
  for (const { handler } of matchedRoutes(context)) {
    const mark = marks.get(findTargetHandler(handler));
    if (mark !== undefined) return mark;
  }
  return undefined;
}
