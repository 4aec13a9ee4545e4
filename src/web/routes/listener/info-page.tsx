import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { splitPrefix } from '#formats/languages.ts';
import { siteContext } from '../../context.ts';
import { Prose } from '../../editorial/prose.tsx';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/info-page';
import '../../styles/editorial.css';

const names = ['about', 'terms', 'privacy'] as const;

export function loader({ context, request }: Route.LoaderArgs) {
  // The router matches in any case.
  const path = splitPrefix(new URL(request.url).pathname).path.toLowerCase();
  const name = orNotFound(names.find((one) => path.startsWith(`/${one}`)));
  return context.get(siteContext).editorial.findInfoPage(name);
}

export const meta = metaOf((page: Route.ComponentProps['loaderData']) => page);

/** A page of plain text, with its sections beside it where there is room. */
export default function InfoPage({ loaderData }: Route.ComponentProps) {
  const { title, description, html, contents, language } = loaderData;
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[680px] wrap-anywhere lg:grid lg:max-w-[1040px] lg:grid-cols-[minmax(0,680px)_minmax(180px,240px)] lg:justify-between lg:gap-16">
        <article>
          {language && (
            <p className="pt-6 text-14 text-muted">
              <Trans>This text is not available in this language yet.</Trans>
            </p>
          )}
          <div lang={language} dir={language && 'ltr'}>
            <h1 className="text-60 pt-6">{title}</h1>
            <p className="mt-4 text-18 leading-[1.55] text-text text-pretty">{description}</p>
            <Prose className="prose prose--page" html={html} />
          </div>
        </article>
        <nav
          className="sticky top-[calc(var(--header)+32px)] mt-10 self-start border-s border-line ps-6 max-lg:hidden"
          aria-labelledby="info-contents"
        >
          <p id="info-contents" className="text-13 text-muted">
            <Trans>On this page</Trans>
          </p>
          <ul className="mt-2" lang={language}>
            {contents.map((section) => (
              <li key={section.id}>
                <Link className="block py-1.5 text-14 leading-[1.4] text-soft hover:text-text" to={`#${section.id}`}>
                  {section.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}
