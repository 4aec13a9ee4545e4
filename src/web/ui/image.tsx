type PictureProps = {
  /** Path of the image route without a size, such as `/images/abc.webp`. */
  imageUrl: string;
  /** Empty where the text beside it already says what it shows. */
  alt?: string;
  /** Greatest width on the page, in CSS pixels. */
  width: number;
  /** In CSS pixels; square when left out. */
  height?: number;
  /** As the `sizes` attribute has it; left out, the picture is `width` wide everywhere. */
  sizes?: string;
  /** `high` for the one picture that the first view waits for. */
  priority?: 'high' | 'low';
  className?: string;
};

/** The only widths that the image route makes. */
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
  const candidates = candidateWidths(width, sizes === undefined ? width : width / 2);
  return (
    <img
      src={sized(imageUrl, atLeast(width))}
      srcSet={candidates.map((candidate) => `${sized(imageUrl, candidate)} ${candidate}w`).join(', ')}
      sizes={sizes ?? `${width}px`}
      alt={alt}
      width={width}
      height={height}
      className={className}
      decoding="async"
      {...(priority === 'high' ? { fetchPriority: 'high' } : { loading: 'lazy' })}
    />
  );
}

/** From the smallest place it may take to twice the largest, for dense screens. */
function candidateWidths(largest: number, smallest: number): number[] {
  const from = allowedWidths.indexOf(atLeast(smallest));
  const to = allowedWidths.indexOf(atLeast(largest * 2));
  return allowedWidths.slice(from, to + 1);
}

function atLeast(width: number): number {
  return allowedWidths.find((allowed) => allowed >= width) ?? 2000;
}

function sized(imageUrl: string, width: number): string {
  return `${imageUrl}?width=${width}&quality=${quality}`;
}
