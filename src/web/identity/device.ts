export type Device = 'iphone' | 'android' | 'desktop';

type DeviceFacts = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** The kind of device, for instructions only. An iPad reports itself as a Mac; no Mac has a touch screen. */
export function deviceOf({ userAgent, maxTouchPoints }: DeviceFacts): Device {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'iphone';
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return 'iphone';
  return /Android/.test(userAgent) ? 'android' : 'desktop';
}
