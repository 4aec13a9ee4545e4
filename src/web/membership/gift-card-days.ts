/** Days in the format of a date field, in the browser’s time zone. */

const hourOfDelivery = 9;

/** `2027-02-14` @param from the day from which to count */
export function dayAfter(days: number, from = new Date()): string {
  const day = new Date(from.getFullYear(), from.getMonth(), from.getDate() + days);
  const part = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${part(day.getMonth() + 1)}-${part(day.getDate())}`;
}

/** Delivery time in the morning of that day, ISO 8601; undefined for no day. */
export function deliveryAt(day: string): string | undefined {
  const at = day === '' ? undefined : new Date(`${day}T${String(hourOfDelivery).padStart(2, '0')}:00:00`);
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
