import { topicText } from '#domain/editorial/rules.ts';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, redirect } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { formatTime } from '#formats/durations.ts';
import { foreign } from '../../catalogue/foreign-language.tsx';
import { AudioLink } from '../../catalogue/content-link.tsx';
import { Section } from '../../catalogue/cards/section.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { ArticleCard, ArticleFacts, articleGrid } from '../../editorial/article-card.tsx';
import { Prose } from '../../editorial/prose.tsx';
import { PlayButton } from '../../listening/play-button.tsx';
import { breadcrumbs, metaOf, publisherOf } from '../../page-meta.ts';
import type { RootData } from '../../root-data.ts';
import { orNotFound } from '../../route-errors.ts';
import { Cover } from '../../ui/images/cover.tsx';
import type { Route } from './+types/article';
import { imageAddress } from '../../ui/images/image-address.ts';
import '../../styles/editorial.css';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { editorial } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const article = orNotFound(await editorial.findArticle(viewer, params.slug));
  // By id, or by a former address.
  if (article.slug !== params.slug)
    throw redirect(href('/blog/:slug', { slug: article.slug }) + new URL(request.url).search, 301);
  return { article, next: await editorial.listNextArticles(article, 3) };
}

export const meta = metaOf(({ article }: Route.ComponentProps['loaderData'], args) => {
  const siteName = (args.matches[0]?.loaderData as RootData | undefined)?.siteName ?? '';
  const path = href('/blog/:slug', { slug: article.slug });
  return {
    title: article.title,
    description: article.description,
    path,
    imageUrl: article.imageUrl,
    type: 'article',
    feed: { title: t`Blog`, path: '/blog/feed.xml' },
    structuredData: [
      (siteUrl) => ({
        '@type': 'BlogPosting',
        headline: article.title,
        description: article.description,
        articleSection: topicText(article.topic, article.topicLabel),
        url: siteUrl + path,
        mainEntityOfPage: siteUrl + path,
        datePublished: article.publishedAt,
        dateModified: article.updatedAt,
        timeRequired: `PT${Math.max(1, Math.round(article.readTime / 60))}M`,
        inLanguage: article.language,
        author: { '@type': 'Organization', name: siteName, url: `${siteUrl}/` },
        publisher: publisherOf({ name: siteName, url: siteUrl }),
        ...(article.imageUrl && { image: siteUrl + imageAddress(article.imageUrl, 'jpeg', 1280) }),
        ...(article.audios.length > 0 && {
          mentions: article.audios.map((audio) => ({
            '@type': 'AudioObject',
            name: audio.title,
            url: siteUrl + href('/audio/:slug', { slug: audio.slug }),
          })),
        }),
      }),
      breadcrumbs([t`Blog`, href('/blog')], [article.title, path]),
    ],
  };
});

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  const { article, next } = loaderData;
  const lang = foreign(article.language);
  return (
    <div className="wrap">
      <article>
        <header className="mx-auto max-w-[820px] pt-10 text-center wrap-anywhere">
          <ArticleFacts article={article} withDate className="justify-center" />
          <h1 className="mt-4 text-60" lang={lang}>
            {article.title}
          </h1>
          <p
            dir="auto"
            lang={lang}
            className="mx-auto mt-5 max-w-[58ch] text-[1.1875rem] leading-[1.55] text-pretty text-soft"
          >
            {article.description}
          </p>
        </header>
        {article.imageUrl !== null && (
          <Cover
            imageUrl={article.imageUrl}
            width={1040}
            sizes="(max-width: 1200px) 90vw, 1040px"
            priority="high"
            className="mx-auto mt-10 mb-12 aspect-[21/9] max-w-[1040px] rounded-modal"
          />
        )}
        <div lang={lang}>
          <Prose className="prose prose--article" html={article.html} />
        </div>
        {article.audios.length > 0 && <MentionedAudios audios={article.audios} listName={article.title} />}
      </article>
      {next.length > 0 && (
        <Section title={t`Read next`} more={{ label: t`All articles`, to: href('/blog') }}>
          <ul className={articleGrid}>
            {next.map((other) => (
              <li key={other.id} className="min-w-0">
                <ArticleCard article={other} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

/** Audios that an article mentions, playable next to the text. */
function MentionedAudios({ audios, listName }: { audios: AudioItem[]; listName: string }) {
  return (
    <aside aria-label={t`Mentioned in this article`} className="mx-auto mt-12 grid max-w-[680px] grid-cols-1 gap-3">
      {audios.map((audio, index) => (
        <div
          key={audio.id}
          className="flex flex-wrap items-center gap-4 rounded-card bg-surface p-4 edge max-md:[&_.btn]:px-3.5"
        >
          <Cover imageUrl={audio.imageUrl} size={72} />
          <div className="min-w-0 flex-[1_1_6rem]">
            <p className="text-13 text-muted">
              <Trans>Mentioned in this article</Trans>
            </p>
            <AudioLink className="tap block font-semibold wrap-anywhere" audio={audio} source="blog">
              <span className="line-clamp-2">{audio.title}</span>
            </AudioLink>
            <p className="text-14 text-muted">
              <bdi>{audio.voice.name}</bdi>
              <span className="dot tabular-nums">{formatTime(audio.numberDuration)}</span>
            </p>
          </div>
          <PlayButton
            audios={audios}
            index={index}
            source="blog"
            variant={index === 0 ? 'primary' : 'pill'}
            listName={listName}
          />
        </div>
      ))}
    </aside>
  );
}
