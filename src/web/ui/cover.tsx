import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Glyph } from './glyph.tsx';
import { Picture } from './image.tsx';

type CoverProps = {
  imageUrl: string | null | undefined;
  alt?: string;
  /** Audio is square, a voice wears an arch, or a circle where it is small. */
  shape?: 'square' | 'arch' | 'circle';
  /** In CSS pixels, or `fill`: as wide as its place, at most `width`. */
  size?: 36 | 40 | 48 | 56 | 64 | 72 | 'fill';
  /** Greatest width, needed where the size is `fill`. */
  width?: number;
  sizes?: string;
  priority?: 'high' | 'low';
  className?: string;
  /** Tag and play button laid over it. */
  children?: ReactNode;
};

const shapes = { square: '', arch: 'cov--arch', circle: 'cov--r' };

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
    <div className={classNames('cov', size !== 'fill' && `cov--${size}`, shapes[shape], className)}>
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
    </div>
  );
}
