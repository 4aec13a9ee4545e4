import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { data, href, Link } from 'react-router';
import { siteContext } from '../../context.ts';
import { linkPageMeta } from '../../identity/link-page.tsx';
import { useIsOn } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/unsubscribe';

const statuses = { asks: 200, done: 200, invalid: 404, busy: 429 };

/**
 * After the form was sent, `done` or `busy` replaces the token: a page of its own would add to every page's first load. A
 * link that a mail program cut off has a page too, because the site's 404 page does not say how to end the mails.
 */
export function loader({ context, params: { token } }: Route.LoaderArgs) {
  const { isUnsubscribeToken } = context.get(siteContext).notifications;
  const isResult = token === 'done' || token === 'busy';
  const state: keyof typeof statuses = isResult
    ? token
    : token !== undefined && isUnsubscribeToken(token)
      ? 'asks'
      : 'invalid';
  return data({ state }, { status: statuses[state] });
}

export function meta(args: Route.MetaArgs) {
  return linkPageMeta(args, { title: t`Unsubscribe`, description: t`Stop emails about news.` });
}

const titles = {
  asks: () => t`Unsubscribe from news?`,
  done: () => t`You are unsubscribed`,
  invalid: () => t`This link does not work`,
  busy: () => t`Please try again in a minute`,
};

export default function Unsubscribe({ loaderData: { state }, params: { token } }: Route.ComponentProps) {
  const areNewsOn = useIsOn('news');
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[480px] pt-16">
        <h1 className="text-44" tabIndex={-1}>
          {titles[state]()}
        </h1>
        {state === 'invalid' ? (
          <p className="mt-4 text-soft">
            <Trans>
              The link to unsubscribe is incomplete or no longer valid, so nothing was changed. Some email programs cut
              off long links: copy the whole address from the email, or log in and turn off these emails in your
              account.
            </Trans>
          </p>
        ) : state === 'busy' ? (
          <p className="mt-4 text-soft">
            <Trans>
              Too many people unsubscribed from your network at once, so nothing was changed. In a minute, open the link
              in the email again.
            </Trans>
          </p>
        ) : (
          <p className="mt-4 text-soft">
            {state === 'done'
              ? t`The address that got the mail gets no more emails about new audios, replies and offers. Emails about payments and the account are not affected.`
              : t`The address that got this mail will get no more emails about new audios, replies and offers. Emails about payments and the account are not affected.`}
          </p>
        )}
        {state === 'asks' ? (
          // A form without script, so that it works in every browser that a mail program opens.
          <form className="mt-8" method="post" action={`/unsubscribe/${token}`}>
            <Button type="submit" variant="primary">
              {t`Unsubscribe`}
            </Button>
          </form>
        ) : (
          <p className="mt-4">
            <Link className="link" to={areNewsOn ? href('/account/notifications') : href('/account')}>
              {areNewsOn ? t`Change notification settings` : t`Your account`}
            </Link>
          </p>
        )}
      </div>
    </div>
  );
}
