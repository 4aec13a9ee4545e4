import { t } from '@lingui/core/macro';
import { formatDateTime } from '#formats/moments.ts';
import { browserTimeZone } from '#formats/zones.ts';
import type { Change } from '../../api.ts';

/** `petra changed this meanwhile, 2 Nov 2026, 22:00`, for notices that are only shown after an act in this browser. */
export function changeText(change: Change | undefined): string {
  if (change === undefined) return t`Someone else changed this meanwhile`;
  const { by } = change;
  const at = formatDateTime(change.at, browserTimeZone());
  return by === null ? t`Someone else changed this meanwhile, ${at}` : t`${by} changed this meanwhile, ${at}`;
}

/** A refusal, with who made the last change and when, if that is the cause. */
export function refusalText({ message, change }: { message: string; change?: Change | undefined }): string {
  if (change === undefined) return message;
  const by = change.by ?? t`someone else`;
  const at = formatDateTime(change.at, browserTimeZone());
  return t`${message} Last change: ${by}, ${at}.`;
}
