import ListMusic from 'lucide-react/icons/list-music';
import { classNames } from '../class-names.ts';
import { Icon } from './icon.tsx';
import { Picture } from './image.tsx';

type CollageProps = {
  /** Images of the playlist’s voices, in order; only the first four are used. */
  imageUrls: string[];
  size?: 40 | 48 | 56 | 64 | 72 | 'fill';
  /** Largest width in CSS pixels; required when the size is `fill`. */
  width?: number;
  priority?: 'high' | 'low';
  className?: string;
};

/** Spec §3: a placeholder, one full image, two halves, one wide above two, or the first four. */
export function Collage({ imageUrls, size = 'fill', width, priority, className }: CollageProps) {
  const shown = imageUrls.slice(0, 4);
  const whole = width ?? (size === 'fill' ? 320 : size);
  const part = shown.length > 1 ? Math.ceil(whole / 2) : whole;
  return (
    <div className={classNames('cover', size !== 'fill' && `cover--${size}`, className)}>
      <div className={`collage collage--${shown.length}`}>
        {shown.length === 0 && <Icon of={ListMusic} size={28} />}
        {shown.map((imageUrl, index) => {
          const wide = shown.length === 3 && index === 0;
          return (
            <Picture
              key={imageUrl}
              imageUrl={imageUrl}
              width={wide ? whole : part}
              height={shown.length === 2 ? whole : part}
              priority={priority}
            />
          );
        })}
      </div>
    </div>
  );
}
