import { t } from '@lingui/core/macro';

/** @param detail as stored, in English @returns undefined for one that says no more than the kind of failure */
export function uploadDetailText(detail: string | null): string | undefined {
  switch (detail) {
    case 'no longer exists':
      return t`The file no longer exists.`;
    case 'was uploaded by someone who does not manage this creator any more':
      return t`It was uploaded by someone who does not manage this creator any more.`;
    case 'belongs to an audio that was deleted':
      return t`It belongs to an audio that was deleted.`;
    case 'Sound cannot be processed on this server yet: its module for sound is not installed.':
      return t`Sound cannot be processed on this server yet: its module for sound is not installed.`;
    case 'There is too little room on this server. It is processed as soon as there is more.':
      return t`There is too little room on this server. It is processed as soon as there is more.`;
    default:
      return undefined;
  }
}
