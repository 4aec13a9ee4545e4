type Connection = EventTarget & { type?: string; saveData?: boolean };

/** The Network Information API, which some browsers have. */
export function connection(): Connection | undefined {
  return (navigator as Navigator & { connection?: Connection }).connection;
}

/** Whether this browser distinguishes Wi-Fi from mobile data at all. */
export function knowsConnection(): boolean {
  return connection()?.type !== undefined;
}

/**
 * Whether "Only on Wi-Fi" makes downloads wait. Data saving decides where the connection type does not, such as
 * Bluetooth to a phone. Browsers that report neither download at once, because they would wait forever.
 */
export function waitsForWifi(
  isWifiOnly: boolean,
  { type, saveData }: { type?: string; saveData?: boolean } = connection() ?? {},
): boolean {
  if (!isWifiOnly || type === 'wifi' || type === 'ethernet') return false;
  return type === 'cellular' || saveData === true;
}
