import { t } from '@lingui/core/macro';

/** First words for reasons, in the moderator’s language; each is finished by hand. */
export const cannedReasons = (): { label: string; text: string }[] => [
  {
    label: t`Consent was withdrawn`,
    text: t`The person heard withdrew the consent to be published. Without it the recording may not be published. The creator may publish a new recording.`,
  },
  {
    label: t`Consent is on record`,
    text: t`The consent of the person heard is on record, and it was not withdrawn.`,
  },
  {
    label: t`Free of copyright`,
    text: t`The text that is read is free of copyright, because its author died more than seventy years ago.`,
  },
  {
    label: t`Work of someone else`,
    text: t`The recording uses a work of someone else, and no permission of its owner was shown.`,
  },
  { label: t`Advertising`, text: t`The rules of this site do not allow advertising.` },
  {
    label: t`No violation found`,
    text: t`We listened to the place that you name and found nothing against the law or our rules.`,
  },
];
