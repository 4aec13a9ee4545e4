import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Calendar from 'lucide-react/icons/calendar';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Unlink from 'lucide-react/icons/unlink';
import { LogInLink } from '../identity/log-in-link.tsx';
import { formatDay } from '#formats/times.ts';
import { Note } from '../ui/note.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { AgeWays, type AgeWaysProps } from './age-ways.tsx';

export type ConfirmAgeProps = AgeWaysProps & {
  siteName: string;
  /** The name of the region that the site sees. */
  country: string | undefined;
  /** The end of the answer, if it has one. */
  until: Date | undefined;
  /** The audio that follows. */
  title: string | undefined;
  /** A provider has not answered. */
  isAway: boolean;
};

/** Stands in place of every page that a proof is missing for. */
export function ConfirmAge({ siteName, country, until, title, isAway, ...ways }: ConfirmAgeProps) {
  const { provider } = ways;
  return (
    <div className="age-check">
      <div>
        <h1 tabIndex={-1}>{t`Confirm your age`}</h1>
        <p className="age-check__lead">{leadOf(country)}</p>
        <Promises siteName={siteName} until={until} place="side" />
        <p className="mt-7 text-14 text-muted max-md:hidden">
          {title !== undefined && t`Then you go on to “${title}”.`}
        </p>
        <details className="mt-3 text-14 text-muted">
          <summary className="ulink">{t`Why do I see this?`}</summary>
          <p className="mt-2 max-w-[58ch]">
            {t`Some countries and states ask sites with audios for adults to check the age of visitors. The region follows from your network address, which is not kept. If it is wrong, switch off a VPN or proxy and load this page again.`}
          </p>
        </details>
      </div>
      <div>
        {isAway && provider && (
          <Note tone="error" className="mb-3">
            {t`${{ name: provider.name }} does not answer. Nothing was kept. Try again, or use another way.`}
          </Note>
        )}
        {ways.ways.length === 0 ? (
          <Note tone="error">{t`This site cannot check your age at the moment. Nothing was kept.`}</Note>
        ) : (
          <AgeWays {...ways} />
        )}
        <p className="mt-5 text-14 text-muted">
          <Trans>
            Confirmed before? <LogInLink />, your account knows. If you are under 18, please leave this site.
          </Trans>
        </p>
        <Promises siteName={siteName} until={until} place="below" />
      </div>
    </div>
  );
}

function leadOf(country: string | undefined): string {
  return country === undefined
    ? t`Sites with audios for adults must check the age of their visitors. Choose a way, it takes about a minute.`
    : t`You are visiting from ${country}. Sites with audios for adults must check the age of their visitors there. Choose a way, it takes about a minute.`;
}

function Promises({
  siteName,
  until,
  place,
}: Pick<ConfirmAgeProps, 'siteName' | 'until'> & { place: 'side' | 'below' }) {
  const kept =
    until === undefined
      ? t`A cookie keeps the answer on this device. With an account, it is kept there.`
      : t`A cookie keeps the answer on this device until ${{ day: formatDay(until) }}. With an account, it is kept there.`;
  return (
    <ul className="age-check__promises" data-place={place}>
      <li>
        <Icon of={ShieldCheck} size={18} />
        <span>{t`${siteName} learns one thing: that you are at least 18. No name, birthday, photo or document reaches this site.`}</span>
      </li>
      <li>
        <Icon of={Calendar} size={18} />
        <span>{kept}</span>
      </li>
      <li>
        <Icon of={Unlink} size={18} />
        <span>{t`Nothing connects the check with what you listen to.`}</span>
      </li>
    </ul>
  );
}
