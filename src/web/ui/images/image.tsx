import { imageAddress } from './image-address.ts';

type PictureProps = {
  /** Path of the image route without a size, such as `/images/abc.webp`. */
  imageUrl: string;
  /** Empty when adjacent text already describes the picture. */
  alt?: string;
  /** Largest width on the page, in CSS pixels. */
  width: number;
  /** In CSS pixels; defaults to square. */
  height?: number;
  /** Value of the `sizes` attribute; by default the picture is `width` wide everywhere. */
  sizes?: string;
  /** `high` for the pictures of the first view; the page’s scripts wait for them (paint-first.ts). */
  priority?: 'high' | 'low';
  className?: string;
};

/** The only widths that the image route accepts. */
const allowedWidths = [48, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024, 1280, 1600, 2000];

export function Picture({
  imageUrl,
  alt = '',
  width,
  height = width,
  sizes,
  priority = 'low',
  className,
}: PictureProps) {
  const candidates = candidateWidths(width, sizes === undefined ? width : width / 2);
  return (
    <picture>
      <source
        type="image/avif"
        srcSet={candidates.map((candidate) => `${imageAddress(imageUrl, 'avif', candidate)} ${candidate}w`).join(', ')}
        sizes={sizes ?? `${width}px`}
      />
      {/* For the few browsers without AVIF, one size for dense screens: pages stay smaller without a second list. */}
      <img
        src={imageAddress(imageUrl, 'webp', atLeast(width * 2))}
        alt={alt}
        width={width}
        height={height}
        className={className}
        decoding="async"
        {...(priority === 'high' ? { fetchPriority: 'high' } : { loading: 'lazy' })}
      />
    </picture>
  );
}

/** From the smallest displayed width to twice the largest, for dense screens. */
function candidateWidths(largest: number, smallest: number): number[] {
  const from = allowedWidths.indexOf(atLeast(smallest));
  const to = allowedWidths.indexOf(atLeast(largest * 2));
  return allowedWidths.slice(from, to + 1);
}

function atLeast(width: number): number {
  return allowedWidths.find((allowed) => allowed >= width) ?? 2000;
}
