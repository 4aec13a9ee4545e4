import { t } from '@lingui/core/macro';
import { href, isRouteErrorResponse, Link, useLocation, useRouteError } from 'react-router';
import { Button } from './ui/button.tsx';
import { Glyph } from './ui/images/glyph.tsx';

/**
 * Replaces a page that failed to load. Header, footer and player stay.
 * @param reloadsDocument “Try again” reloads the document, which also loads new scripts but stops the sound
 */
export function PageError({ reloadsDocument }: { reloadsDocument: boolean }) {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const { title, text, action } = describe(isRouteErrorResponse(error) ? error.status : 500);
  return (
    <div className="wrap">
      <div className="empty empty--page">
        <Glyph />
        <h1>{title}</h1>
        <p>{text}</p>
        <div className="empty__acts mt-5">
          {action === 'retry' ? (
            <Button variant="primary" render={<Link to={pathname + search} reloadDocument={reloadsDocument} />}>
              {t`Try again`}
            </Button>
          ) : (
            <Button variant="primary" render={<Link to={href('/')} />}>
              {t`Go home`}
            </Button>
          )}
          <Button variant="outline" render={<Link to={href('/search')} />}>
            {t`Search`}
          </Button>
        </div>
      </div>
    </div>
  );
}

function describe(status: number): { title: string; text: string; action: 'home' | 'retry' } {
  if (status === 404)
    return { title: t`Nothing here but quiet`, text: t`This page has moved or never existed.`, action: 'home' };
  if (status < 500 && status !== 429)
    return {
      title: t`Wrong address`,
      text: t`This address is not valid. Please check it.`,
      action: 'home',
    };
  if (navigator.onLine === false)
    return { title: t`No internet connection`, text: t`Please try again when it is back.`, action: 'retry' };
  return {
    title: t`Something went wrong`,
    text: t`This is our fault, not yours. Please try again in a moment.`,
    action: 'retry',
  };
}
