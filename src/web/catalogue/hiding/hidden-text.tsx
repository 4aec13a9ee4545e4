import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { HiddenSubject } from '#domain/library/hidden.ts';

/** Says that lists do not show it any more. @param props.title instead of its name */
export function HiddenText({
  subject: { kind, name },
  title = t`“${name}” is hidden`,
}: {
  subject: HiddenSubject;
  title?: string;
}) {
  return (
    <>
      <b className="font-semibold text-soft">{title}</b>{' '}
      <span>
        {kind === 'audio' ? (
          <Trans>You will not see it in lists, search or suggestions.</Trans>
        ) : (
          <Trans>You will not see their audios and series in lists, search or suggestions.</Trans>
        )}
      </span>
    </>
  );
}
