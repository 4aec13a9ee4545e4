import { data, href, Link } from 'react-router';
import { siteContext } from '#web/context.ts';
import { linkPageMeta } from '#web/identity/link-page.ts';
import { Button } from '#web/ui/button.tsx';
import type { Route } from './+types/unsubscribe';

/**
 * Replaces the token after the form was sent. Part of this page, because each route adds to every page's first load.
 */
const done = 'done';

/** A link that a mail program cut off has a page too, because the site's 404 page does not say how to end the mails. */
export function loader({ context, params: { token } }: Route.LoaderArgs) {
  if (token === done) return data({ state: 'done' as const });
  const isValid = token !== undefined && context.get(siteContext).notifications.isUnsubscribeToken(token);
  return data({ state: isValid ? ('asks' as const) : ('invalid' as const) }, { status: isValid ? 200 : 404 });
}

export function meta(args: Route.MetaArgs) {
  return linkPageMeta(args, { title: 'Unsubscribe', description: 'Stop emails about news.' });
}

const titles = {
  asks: 'Unsubscribe from news?',
  done: 'You are unsubscribed',
  invalid: 'This link does not work',
};

export default function Unsubscribe({ loaderData: { state }, params: { token } }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[480px] pt-16">
        <h1 className="text-44" tabIndex={-1}>
          {titles[state]}
        </h1>
        {state === 'invalid' ? (
          <p className="mt-4 text-soft">
            The link to unsubscribe is incomplete or no longer valid, so nothing was changed. Some email programs cut
            off long links: copy the whole address from the email, or log in and turn off these emails in your account.
          </p>
        ) : (
          <p className="mt-4 text-soft">
            {state === 'done' ? 'The address that got the mail gets' : 'The address that got this mail will get'} no
            more emails about new audios and replies. Emails about payments and the account are not affected.
          </p>
        )}
        {state === 'asks' ? (
          // A form without script, so that it works in every browser that a mail program opens.
          <form className="mt-8" method="post" action={`/unsubscribe/${token}`}>
            <Button type="submit" variant="primary">
              Unsubscribe
            </Button>
          </form>
        ) : (
          <p className="mt-4">
            <Link className="link" to={href('/account/notifications')}>
              Change notification settings
            </Link>
          </p>
        )}
      </div>
    </div>
  );
}
