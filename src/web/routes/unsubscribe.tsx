import { href, Link } from 'react-router';
import { siteContext } from '#web/context.ts';
import { linkPageMeta } from '#web/identity/link-page.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import type { Route } from './+types/unsubscribe';

/**
 * Replaces the token after the form was sent. Part of this page, because each route adds to every page's first load.
 */
const done = 'done';

export function loader({ context, params: { token } }: Route.LoaderArgs) {
  orNotFound(token === done || context.get(siteContext).notifications.isUnsubscribeToken(token) || undefined);
  return null;
}

export function meta(args: Route.MetaArgs) {
  return linkPageMeta(args, { title: 'Unsubscribe', description: 'Stop emails about news.' });
}

export default function Unsubscribe({ params: { token } }: Route.ComponentProps) {
  const isDone = token === done;
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[480px] pt-16">
        <h1 className="text-44" tabIndex={-1}>
          {isDone ? 'You are unsubscribed' : 'Unsubscribe from news?'}
        </h1>
        <p className="mt-4 text-soft">
          {isDone ? 'The address that got the mail gets' : 'The address that got this mail will get'} no more emails
          about new audios and replies. Emails about payments and the account are not affected.
        </p>
        {isDone ? (
          <p className="mt-4">
            <Link className="link" to={href('/account/notifications')}>
              Change notification settings
            </Link>
          </p>
        ) : (
          // A form without script, so that it works in every browser that a mail program opens.
          <form className="mt-8" method="post" action={`/unsubscribe/${token}`}>
            <Button type="submit" variant="primary">
              Unsubscribe
            </Button>
          </form>
        )}
      </div>
    </div>
  );
}
