import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { isRouteErrorResponse, Link, useLocation, useRevalidator, useRouteError } from 'react-router';
import { isStarted } from '#player/playback.ts';
import { usePlayerState } from '../listening/player-provider.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';
import type { PageRequest } from './page-request.ts';
import { WorkshopHead } from './workshop-head.tsx';

type WorkshopErrorProps = {
  /** Undefined when the site was not reached. */
  request: PageRequest | undefined;
  /** Address of the area's overview. */
  home: string;
};

/** Shown for a Studio or Admin page that failed to load; the navigation beside it stays. */
export function WorkshopError({ request, home }: WorkshopErrorProps) {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const { revalidate, state } = useRevalidator();
  const isSounding = usePlayerState(({ status }) => isStarted(status));
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text, canRetry } = describe(status);
  return (
    <>
      <WorkshopHead title={title} />
      <div className="pane max-w-[560px]">
        <Note tone="error">{text}</Note>
        <div className="mt-4">
          {!canRetry ? (
            <Button render={<Link to={home} />}>{t`Open the overview`}</Button>
          ) : isSounding ? (
            // A reload would stop the sound.
            <Button busy={state === 'loading' ? t`Reading…` : undefined} onClick={() => void revalidate()}>
              <Icon of={RefreshCw} size={18} />
              <Trans>Try again</Trans>
            </Button>
          ) : (
            <Button render={<Link to={pathname + search} reloadDocument />}>
              <Icon of={RefreshCw} size={18} />
              <Trans>Try again</Trans>
            </Button>
          )}
        </div>
        {canRetry && request !== undefined && (
          <p className="text-13 mt-4 text-muted tabular-nums">
            {quote(request)}
            {status !== 503 && ` ${t`The server’s log has the details.`}`}
          </p>
        )}
      </div>
    </>
  );
}

function quote({ requestId, asOf }: PageRequest): string {
  const clock = asOf.slice(11, 16);
  return t`To report this, quote request ${requestId}, ${clock} UTC.`;
}

function describe(status: number): { title: string; text: string; canRetry: boolean } {
  if (status === 404)
    return {
      title: t`Not found`,
      text: t`This page does not exist. It may have been deleted.`,
      canRetry: false,
    };
  if (status < 500)
    return { title: t`Wrong address`, text: t`This address is not valid. Please check it.`, canRetry: false };
  if (typeof navigator !== 'undefined' && navigator.onLine === false)
    return { title: t`No connection`, text: t`This page could not be loaded. Nothing was changed.`, canRetry: true };
  if (status === 503)
    return {
      title: t`Not available`,
      text: t`The database does not answer. Nothing was changed. Please try again in a moment.`,
      canRetry: true,
    };
  if (status === 504)
    return {
      title: t`This page takes too long`,
      text: t`The database did not answer in time. Nothing was changed. A narrower filter may help.`,
      canRetry: true,
    };
  return {
    title: t`Something went wrong`,
    text: t`This page could not be loaded. Nothing was changed.`,
    canRetry: true,
  };
}
