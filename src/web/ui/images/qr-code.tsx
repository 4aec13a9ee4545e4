import { qrPath } from '#formats/qr-path.ts';
import { QrPicture } from './qr-picture.tsx';

/** @param props.text encoded text */
export function QrCode({ text, label }: { text: string; label: string }) {
  return <QrPicture {...qrPath(text)} label={label} />;
}
