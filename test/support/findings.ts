import { type Report, textOf } from '#doctor/report.ts';

/** Adds each finding as a line, such as `ok Mail …`. */
export function reportInto(lines: string[]): Report {
  return (level, about, message) => void lines.push(`${level} ${about} ${textOf(message)}`);
}
