import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '#web/api.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { DownloadButton } from '#web/workshop/download-button.tsx';

type EarningsDownloadProps = {
  voice: string;
  /** Undefined: all months. */
  month?: string;
  format: 'csv' | 'pdf';
  icon: LucideIcon;
  /** For screen readers, where several buttons have the same words. */
  label?: string;
  isQuiet?: boolean;
  children: ReactNode;
};

/** A statement, or the list of all months. */
export function EarningsDownload(props: EarningsDownloadProps) {
  const { voice, month, format, icon, label, isQuiet = false, children } = props;
  const load = () => {
    if (month === undefined) return api.voices[':id']['earnings.csv'].$get({ param: { id: voice } });
    const earnings = api.voices[':id'].earnings[':month'];
    return format === 'csv'
      ? earnings.csv.$get({ param: { id: voice, month } })
      : earnings.pdf.$get({ param: { id: voice, month } });
  };
  return (
    <DownloadButton
      name={['earnings', voice, month].filter(Boolean).join('-') + `.${format}`}
      load={load}
      className={isQuiet ? 'btn btn--ghost btn--small' : 'btn btn--secondary'}
      label={label}
    >
      <Icon of={icon} size={isQuiet ? 16 : 18} />
      {children}
    </DownloadButton>
  );
}
