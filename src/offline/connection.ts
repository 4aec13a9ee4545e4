type Connection = EventTarget & { type?: string };

/** The Network Information API, which some browsers have. */
export function connection(): Connection | undefined {
  return (navigator as Navigator & { connection?: Connection }).connection;
}

/** Whether this browser tells Wi-Fi from mobile data at all. */
export function knowsConnection(): boolean {
  return connection()?.type !== undefined;
}

export function isOnMobileData(): boolean {
  return connection()?.type === 'cellular';
}
