import type { CSSProperties } from 'react';

/** Grey stand-in in the final shape; invisible for its first 200 ms, so that what is quick shows none. */
export function Skeleton({
  width = '100%',
  height = 14,
  radius,
}: {
  width?: CSSProperties['width'];
  height?: number;
  radius?: number;
}) {
  return <div className="sk" style={{ width, height, borderRadius: radius }} aria-hidden="true" />;
}
