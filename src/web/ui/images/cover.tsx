import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Glyph } from './glyph.tsx';
import { Picture } from './image.tsx';

type CoverProps = {
  imageUrl: string | null | undefined;
  alt?: string;
  /** Square for an audio, arch for a voice, circle for a small voice. */
  shape?: 'square' | 'arch' | 'circle';
  /** In CSS pixels, or `fill`: the container’s width, at most `width`. */
  size?: 36 | 40 | 48 | 56 | 64 | 72 | 'fill';
  /** Largest width; required when the size is `fill`. */
  width?: number;
  sizes?: string;
  priority?: 'high' | 'low';
  className?: string;
  /** Tag and play button on top of the cover. */
  children?: ReactNode;
};

const shapes = { square: '', arch: 'cover--arch', circle: 'cover--round' };

/** Made of phrasing content, because buttons hold covers. */
export function Cover({
  imageUrl,
  alt,
  shape = 'square',
  size = 'fill',
  width,
  sizes,
  priority,
  className,
  children,
}: CoverProps) {
  const greatest = width ?? (size === 'fill' ? 320 : size);
  return (
    <span className={classNames('cover', size !== 'fill' && `cover--${size}`, shapes[shape], className)}>
      {imageUrl ? (
        <Picture
          imageUrl={imageUrl}
          alt={alt}
          width={greatest}
          height={shape === 'arch' ? Math.round(greatest * 1.25) : greatest}
          sizes={sizes}
          priority={priority}
        />
      ) : (
        <span className="grid h-full place-items-center p-[20%] text-muted">
          <Glyph />
        </span>
      )}
      {children}
    </span>
  );
}
