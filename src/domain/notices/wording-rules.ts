import { i18n } from '#i18n';
import type { CannedReason, NoticeGround, NoticeKind, NoticeSubject, NoticeVerb } from './rules.ts';

/** Words of notices for pages, mails and reports. */

const kinds: Record<NoticeKind, () => string> = {
  illegal: () => i18n._(/*i18n*/ { id: 'notice.kind.illegal', message: 'Illegal' }),
  consent: () => i18n._(/*i18n*/ { id: 'notice.kind.consent', message: 'A person heard did not agree' }),
  minor: () => i18n._(/*i18n*/ { id: 'notice.kind.minor', message: 'A minor' }),
  copyright: () => i18n._(/*i18n*/ { id: 'notice.kind.copyright', message: 'Copyright' }),
  rights: () => i18n._(/*i18n*/ { id: 'notice.kind.rights', message: 'My rights' }),
  rules: () => i18n._(/*i18n*/ { id: 'notice.kind.rules', message: 'Against the rules' }),
};
export const kindText = (kind: NoticeKind): string => kinds[kind]();

const grounds: Record<NoticeGround, () => string> = {
  none: () => i18n._(/*i18n*/ { id: 'notice.ground.none', message: 'No violation' }),
  law: () => i18n._(/*i18n*/ { id: 'notice.ground.law', message: 'Law' }),
  consent: () => i18n._(/*i18n*/ { id: 'notice.ground.consent', message: 'Consent of a person heard' }),
  minor: () => i18n._(/*i18n*/ { id: 'notice.ground.minor', message: 'Protection of minors' }),
  copyright: kinds.copyright,
  rights: () => i18n._(/*i18n*/ { id: 'notice.ground.rights', message: 'Rights of a person' }),
  rules: () => i18n._(/*i18n*/ { id: 'notice.ground.rules', message: 'Rules of the site' }),
};
/** `Copyright, term of protection` */
export function groundText(ground: NoticeGround, clause: string | null): string {
  return clause === null ? grounds[ground]() : `${grounds[ground]()}, ${clause}`;
}

const canned: Record<CannedReason, () => string> = {
  'consent-withdrawn': () =>
    i18n._(
      /*i18n*/ {
        id: 'notice.reason.consent-withdrawn',
        message:
          'The person heard withdrew the consent to be published. Without it the recording may not be published. The creator may publish a new recording.',
      },
    ),
  'consent-on-record': () =>
    i18n._(
      /*i18n*/ {
        id: 'notice.reason.consent-on-record',
        message: 'The consent of the person heard is on record, and it was not withdrawn.',
      },
    ),
  'free-of-copyright': () =>
    i18n._(
      /*i18n*/ {
        id: 'notice.reason.free-of-copyright',
        message: 'The text that is read is free of copyright, because its author died more than seventy years ago.',
      },
    ),
  'work-of-others': () =>
    i18n._(
      /*i18n*/ {
        id: 'notice.reason.work-of-others',
        message: 'The recording uses a work of someone else, and no permission of its owner was shown.',
      },
    ),
  advertising: () =>
    i18n._(/*i18n*/ { id: 'notice.reason.advertising', message: 'The rules of this site do not allow advertising.' }),
  'no-violation': () =>
    i18n._(
      /*i18n*/ {
        id: 'notice.reason.no-violation',
        message: 'We listened to the place that you name and found nothing against the law or our rules.',
      },
    ),
};
export const cannedText = (reason: CannedReason): string => canned[reason]();

export function didText(verb: NoticeVerb): string {
  if (verb === 'remove') return i18n._(/*i18n*/ { id: 'notice.did.remove', message: 'It was removed for everyone.' });
  if (verb === 'hide') return i18n._(/*i18n*/ { id: 'notice.did.hide', message: 'It is hidden from everyone.' });
  return i18n._(/*i18n*/ { id: 'notice.did.keep', message: 'Nothing was removed or hidden.' });
}

/** The state in words; `audio` and the others select the noun. */
export function headingOf({
  subject,
  verb,
  isHidden = false,
  isAppeal = false,
}: {
  subject: NoticeSubject;
  /** Null: not decided. */
  verb: NoticeVerb | null;
  isHidden?: boolean;
  /** Appealed; with a decision, it answers the appeal. */
  isAppeal?: boolean;
}): string {
  if (verb === null && isAppeal)
    return i18n._(/*i18n*/ { id: 'notice.state.appealed', message: 'Your appeal is being read' });
  if (verb === null && isHidden)
    return i18n._(
      /*i18n*/ {
        id: 'notice.state.hidden',
        message:
          '{subject, select, audio {The audio is hidden while we look} comment {The comment is hidden while we look} other {The page is hidden while we look}}',
        values: { subject },
      },
    );
  if (verb === null) return i18n._(/*i18n*/ { id: 'notice.state.open', message: 'We are looking at it' });
  if (verb === 'remove')
    return i18n._(
      /*i18n*/ {
        id: 'notice.state.removed',
        message:
          '{subject, select, audio {The audio was removed} comment {The comment was removed} other {The page was removed}}',
        values: { subject },
      },
    );
  if (verb === 'hide')
    return i18n._(
      /*i18n*/ {
        id: 'notice.state.kept-hidden',
        message:
          '{subject, select, audio {The audio stays hidden} comment {The comment stays hidden} other {The page stays hidden}}',
        values: { subject },
      },
    );
  if (isAppeal)
    return i18n._(
      /*i18n*/ {
        id: 'notice.state.kept-after-appeal',
        message:
          '{subject, select, audio {The audio stays online after your appeal} comment {The comment stays online after your appeal} other {The page stays online after your appeal}}',
        values: { subject },
      },
    );
  return i18n._(
    /*i18n*/ {
      id: 'notice.state.kept',
      message:
        '{subject, select, audio {The audio stays online} comment {The comment stays online} other {The page stays online}}',
      values: { subject },
    },
  );
}
