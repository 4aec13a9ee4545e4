import { select, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CropIcon from 'lucide-react/icons/crop';
import Upload from 'lucide-react/icons/upload';
import { useEffect, useRef, useState } from 'react';
import { type CoverArea, middleOf } from '#domain/studio/rules.ts';
import { browserLimits } from '#player/browser-limits.ts';
import { timedFetch } from '#player/timed-fetch.ts';
import { Button } from '../ui/button.tsx';
import { Cover } from '../ui/images/cover.tsx';
import { FieldError } from '../ui/fields/field.tsx';
import { Picture } from '../ui/images/image.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { areaText, Crop } from '../workshop/forms/crop.tsx';
import { FileButton } from '../workshop/forms/file-button.tsx';
import { type ChosenPicture, type WholePicture, cutPicture, openPicture } from '../workshop/forms/read-picture.ts';
import { imageAddress } from '../ui/images/image-address.ts';

type Shape = 'square' | 'arch' | 'wide';

/** Width to height of a wide picture, as tiles of categories are. */
const wideRatio = 16 / 10;

type PictureFieldProps = {
  name: 'cover' | 'picture' | 'portrait';
  imageUrl: string | null;
  /** The listeners' view; an arch is cropped from the middle of the square. `wide` is shown alone. */
  shapes: Shape[];
  /** @returns the error message, if refused */
  onChoose: (picture: ChosenPicture | null) => Promise<string | undefined>;
};

/** Shows a picture as listeners see it, accepts a new file, and crops either to that shape. */
export function PictureField({ name, imageUrl, shapes, onChoose }: PictureFieldProps) {
  const ratio = shapes.includes('wide') ? wideRatio : 1;
  const acts = useRef<HTMLDivElement>(null);
  const [whole, setWhole] = useState<WholePicture>();
  const [area, setArea] = useState<CoverArea>();
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<string>();

  async function save(picture: ChosenPicture | null): Promise<void> {
    setBusy(t`Saving…`);
    const refused = await onChoose(picture);
    setFailure(refused);
    setBusy(undefined);
    if (refused === undefined) close();
  }

  async function open(read: () => Promise<Blob>, refusal: string): Promise<void> {
    setFailure(undefined);
    setBusy(t`Reading…`);
    const picture = await read()
      .then(openPicture)
      .catch(() => undefined);
    setBusy(undefined);
    if (picture === undefined) return setFailure(refusal);
    setWhole(picture);
    setArea(middleOf(picture.canvas, ratio));
  }

  function close(): void {
    setWhole(undefined);
    setArea(undefined);
  }

  const isOpen = whole !== undefined && area !== undefined;
  const wasOpen = useRef(false);
  useEffect(() => {
    // The crop buttons are gone, so the focus moves to the first remaining one.
    if (wasOpen.current && !isOpen) acts.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <div>
      <div className="flex flex-wrap items-end gap-4" aria-busy={busy !== undefined}>
        {shapes.map((shape) => (
          <div key={shape} className={shape === 'wide' ? 'w-60' : 'w-36'}>
            {isOpen ? (
              <div className={boxes[shape]}>
                <CutPreview whole={whole} area={area} ratio={ratio} />
              </div>
            ) : shape === 'wide' && imageUrl !== null ? (
              <div className={boxes.wide}>
                <Picture
                  imageUrl={imageUrl}
                  alt={select(name, { cover: 'The cover', portrait: 'The portrait', other: 'The picture' })}
                  width={240}
                  height={150}
                  sizes="240px"
                />
              </div>
            ) : (
              <Cover
                imageUrl={imageUrl}
                shape={shape === 'wide' ? 'square' : shape}
                className={shape === 'wide' ? 'aspect-[16/10]' : undefined}
                width={144}
                alt={
                  imageUrl === null
                    ? undefined
                    : select(name, { cover: 'The cover', portrait: 'The portrait', other: 'The picture' })
                }
              />
            )}
          </div>
        ))}
      </div>
      {isOpen ? (
        <div className="mt-4 max-w-md">
          <Crop src={whole.preview} size={whole.canvas} area={area} ratio={ratio} onArea={setArea} takesFocus />
          <output className="sr-only">{areaText(area)}</output>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button
              size="sm"
              variant="primary"
              busy={busy}
              onClick={() => void cutPicture(whole, area, ratio).then(save)}
            >
              {select(name, { cover: 'Save cover', portrait: 'Save portrait', other: 'Save picture' })}
            </Button>
            <Button size="sm" variant="ghost" disabled={busy !== undefined} onClick={close}>
              {t`Cancel`}
            </Button>
          </div>
        </div>
      ) : (
        <div ref={acts} className="mt-4 flex flex-wrap gap-2">
          <FileButton
            size="sm"
            busy={busy}
            fieldLabel={select(name, {
              cover: 'File of the cover',
              portrait: 'File of the portrait',
              other: 'File of the picture',
            })}
            accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
            onFiles={([file]) =>
              void open(
                async () => file,
                t`${{ file: file.name }} cannot be read as a picture. Use JPEG, PNG, WebP or AVIF.`,
              )
            }
          >
            <Icon of={Upload} size={16} />
            {imageUrl === null
              ? select(name, { cover: 'Upload a cover', portrait: 'Upload a portrait', other: 'Upload a picture' })
              : select(name, {
                  cover: 'Replace the cover',
                  portrait: 'Replace the portrait',
                  other: 'Replace the picture',
                })}
          </FileButton>
          {imageUrl !== null && busy === undefined && (
            <>
              <Button
                size="sm"
                variant="ghost"
                onClick={() =>
                  void open(
                    () => fetchPicture(imageUrl),
                    select(name, {
                      cover: 'The cover cannot be read. Try again.',
                      portrait: 'The portrait cannot be read. Try again.',
                      other: 'The picture cannot be read. Try again.',
                    }),
                  )
                }
              >
                <Icon of={CropIcon} size={16} />
                <Trans>Crop</Trans>
              </Button>
              <Button size="sm" variant="ghost" onClick={() => void save(null)}>
                {t`Remove`}
              </Button>
            </>
          )}
        </div>
      )}
      {failure !== undefined && <FieldError>{failure}</FieldError>}
    </div>
  );
}

const boxes: Record<Shape, string> = { square: 'cover', arch: 'cover cover--arch', wide: 'cover aspect-[16/10]' };

/** The chosen crop in a box of any shape, centered. */
function CutPreview({ whole, area, ratio }: { whole: WholePicture; area: CoverArea; ratio: number }) {
  const { width, height } = whole.canvas;
  const across = (value: number) => `${(value / area.size) * 100}%`;
  const down = (value: number) => `${((value * ratio) / area.size) * 100}%`;
  return (
    <div className="absolute inset-y-0 left-1/2 -translate-x-1/2" style={{ aspectRatio: ratio }}>
      <img
        src={whole.preview}
        alt=""
        className="absolute max-w-none"
        style={{ left: across(-area.x), top: down(-area.y), width: across(width), height: down(height) }}
      />
    </div>
  );
}

async function fetchPicture(imageUrl: string): Promise<Blob> {
  const answer = await timedFetch(imageAddress(imageUrl, 'webp', 2048, { quality: 90 }), {
    limitMs: browserLimits.asset,
  });
  if (!answer.ok) throw new Error(`The picture was not sent: ${answer.status}`);
  return answer.blob();
}
