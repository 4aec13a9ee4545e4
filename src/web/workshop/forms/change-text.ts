import { formatDateTime } from '#formats/moments.ts';
import { browserTimeZone } from '#formats/zones.ts';
import type { Change } from '../../api.ts';

/** `petra changed this meanwhile, 2 Nov 2026, 22:00`, for notices that are only shown after an act in this browser. */
export function changeText(change: Change | undefined): string {
  const at = change === undefined ? '' : `, ${formatDateTime(change.at, browserTimeZone())}`;
  return `${change?.by ?? 'Someone else'} changed this meanwhile${at}`;
}

/** A refusal, with who made the last change and when, if that is the cause. */
export function refusalText({ message, change }: { message: string; change?: Change | undefined }): string {
  if (change === undefined) return message;
  return `${message} Last change: ${change.by ?? 'someone else'}, ${formatDateTime(change.at, browserTimeZone())}.`;
}
