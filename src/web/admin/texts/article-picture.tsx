import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { EditedArticle } from '#domain/admin/texts/article-list.ts';
import { articleRatio } from '#domain/admin/rules.ts';
import { type Answer, answerOf, api } from '../../api.ts';
import { PicturePanel } from '#web/workshop/forms/picture-panel.tsx';
import { readPicture } from '#web/workshop/forms/read-picture.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import type { useCall } from '../use-call.ts';

type PictureChoice = { picture: string | null } | { area: { x: number; y: number; size: number } } | { drawn: true };

/** Sends a change of the article with the revision that its author has seen. */
export type SendRevised = (
  send: (revision: number) => Promise<Answer<{ revision: number }>>,
) => Promise<Answer<{ revision: number }>>;

type ArticlePictureProps = { article: EditedArticle; inTurn: SendRevised } & ReturnType<typeof useCall>;

/** The picture of an article, cropped to the shape of the blog's lists; saved at once. */
export function ArticlePicture({ article, inTurn, busy, call }: ArticlePictureProps) {
  const [error, setError] = useState<string>();
  const { id, revision, imageUrl, picture, title } = article;

  async function act(choice: PictureChoice, done?: string): Promise<void> {
    setError(undefined);
    await call(
      'picture',
      () =>
        inTurn((seen) =>
          answerOf(api.admin.articles[':id'].picture.$put({ param: { id }, json: { revision: seen, ...choice } })),
        ),
      { done },
    );
  }

  async function upload(file: File): Promise<void> {
    const read = await readPicture(file);
    const { name } = file;
    if (read === undefined) setError(t`${name} cannot be read as a picture. Use JPEG, PNG, WebP or AVIF.`);
    else await act({ picture: read.base64 }, t`Picture saved`);
  }

  return (
    <PicturePanel
      heading={t`Picture`}
      whole={picture}
      version={revision}
      ratio={articleRatio}
      busy={busy === 'picture' ? t`Working…` : undefined}
      error={error}
      onFile={(file) => void upload(file)}
      onArea={(area) => void act({ area })}
      onDraw={() => void act({ drawn: true })}
      onRemove={imageUrl === null ? undefined : () => void act({ picture: null }, t`Picture removed`)}
      picture={
        <Cover
          imageUrl={imageUrl}
          alt={imageUrl === null ? undefined : t`Picture of ${title}`}
          width={320}
          className="aspect-[16/10] rounded-card"
        />
      }
    />
  );
}
