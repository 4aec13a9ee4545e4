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
const quality = 80;

export function Picture({
  imageUrl,
  alt = '',
  width,
  height = width,
  sizes,
  priority = 'low',
  className,
}: PictureProps) {
  // Browsers take the first format they support; older ones get JPEG in one size. Few need WebP, so it has two sizes: with
  // all of them, a page with many pictures has an eighth more HTML.
  const sources = [
    { format: 'avif', widths: candidateWidths(width, sizes === undefined ? width : width / 2) },
    { format: 'webp', widths: [...new Set([atLeast(width), atLeast(width * 2)])] },
  ];
  return (
    <picture className="contents">
      {sources.map(({ format, widths }) => (
        <source
          key={format}
          type={`image/${format}`}
          srcSet={widths.map((candidate) => `${sized(imageUrl, candidate, format)} ${candidate}w`).join(', ')}
          sizes={sizes ?? `${width}px`}
        />
      ))}
      <img
        src={sized(imageUrl, atLeast(width), 'jpeg')}
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

function sized(imageUrl: string, width: number, format: string): string {
  return `${imageUrl}?width=${width}&quality=${quality}&format=${format}`;
}
