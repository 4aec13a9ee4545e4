import { siteContext } from '#web/context.ts';
import { linkPageMeta } from '#web/identity/link-page.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import type { Route } from './+types/unsubscribe';

export function loader({ context, params }: Route.LoaderArgs) {
  orNotFound(context.get(siteContext).notifications.isUnsubscribeToken(params.token) || undefined);
  return null;
}

export function meta(args: Route.MetaArgs) {
  return linkPageMeta(args, { title: 'Unsubscribe', description: 'End emails about news.' });
}

/** A form and not a script, so that it works in every browser that a mail program opens. */
export default function Unsubscribe({ params }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[480px] pt-16">
        <h1 className="text-44" tabIndex={-1}>
          Unsubscribe from news?
        </h1>
        <p className="mt-4 text-soft">
          You will get no more emails about new audios and replies. Emails about payments and your account are not
          affected.
        </p>
        <form className="mt-8" method="post" action={`/unsubscribe/${params.token}`}>
          <Button type="submit" variant="primary">
            Unsubscribe
          </Button>
        </form>
      </div>
    </div>
  );
}
