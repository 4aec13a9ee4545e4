import RefreshCw from 'lucide-react/icons/refresh-cw';
import Upload from 'lucide-react/icons/upload';
import { useState } from 'react';
import type { EditedArticle } from '#domain/admin/texts/article-list.ts';
import { articleRatio } from '#domain/admin/rules.ts';
import type { Answer } from '../../api.ts';
import { answerOf, api } from '../../api.ts';
import { SavedCrop } from '#web/workshop/forms/crop.tsx';
import { readPicture } from '#web/workshop/forms/read-picture.ts';
import { Button } from '../../ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { FieldError } from '#web/ui/fields/field.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { FileChoice } from '../../workshop/file-choice.tsx';
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
  const isBusy = busy === 'picture' ? 'Working…' : undefined;

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

  async function upload(chosen: File): Promise<void> {
    const read = await readPicture(chosen);
    if (read === undefined) setError(`${chosen.name} cannot be read as a picture. Use JPEG, PNG, WebP or AVIF.`);
    else await act({ picture: read.base64 }, 'Picture saved');
  }

  return (
    <section className="pane" aria-label="Picture">
      <div className="pane__head">
        <h3>Picture</h3>
        {picture !== null && (
          <span className="text-13 text-muted tabular-nums">
            {picture.width} × {picture.height}
          </span>
        )}
      </div>
      {picture === null ? (
        <Cover
          imageUrl={imageUrl}
          alt={imageUrl === null ? undefined : `Picture of ${title}`}
          width={320}
          className="aspect-[16/10] rounded-card"
        />
      ) : (
        <SavedCrop
          key={`${picture.imageUrl} ${revision}`}
          source={picture}
          area={picture.area}
          ratio={articleRatio}
          onArea={(area) => void act({ area })}
        />
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <FileChoice
          label="Picture file"
          accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
          className="flex-1"
          busy={isBusy}
          onFile={(chosen) => void upload(chosen)}
        >
          <Icon of={Upload} size={16} />
          Upload
        </FileChoice>
        <Button size="sm" className="flex-1" disabled={isBusy !== undefined} onClick={() => void act({ drawn: true })}>
          <Icon of={RefreshCw} size={16} />
          Generate one
        </Button>
        {imageUrl !== null && (
          <Button
            size="sm"
            variant="ghost"
            disabled={isBusy !== undefined}
            onClick={() => void act({ picture: null }, 'Picture removed')}
          >
            Remove
          </Button>
        )}
      </div>
      {error !== undefined && <FieldError>{error}</FieldError>}
    </section>
  );
}
